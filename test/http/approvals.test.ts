import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage } from "ai";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createAssistant, defineTool } from "../../entry.host.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { appOf, bodyOf, call, fakeAssistant } from "./support.ts";

interface Answer {
  readonly code: string;
  readonly approvals: readonly { readonly id: string; readonly code: string }[];
  readonly rules: readonly { readonly id: string }[];
  readonly lines: readonly { readonly what: string; readonly who: string; readonly verdict: string }[];
}

async function setUp(options: { readonly leaves?: boolean } = {}) {
  const ran: string[] = [];
  const wipe = defineTool({
    description: "wipes",
    inputSchema: v.object({ disk: v.string() }),
    execute: ({ disk }) => (ran.push(disk), { wiped: disk }),
    meta: { dangerous: true },
  });
  const model = scriptedModel((prompt) => {
    const text = JSON.stringify(prompt.at(-1)?.content);
    const wanted = /wipe (\w+)/.exec(text);
    if (wanted && !text.includes("wakeful-note")) return calls(["wipe", { disk: wanted[1] }]);
    // One disk leads to another.
    const next = /wipe[^]*?"disk":"first"|wiped[^]*?first/.test(text) ? "second" : undefined;
    if (next !== undefined && text.includes("wakeful-note"))
      return calls("And the other one", ["wipe", { disk: next }]);
    return says(text.includes("wakeful-note") ? "The disk is clean" : "I asked");
  });
  const assistant = await createAssistant({
    model,
    owner: { ids: ["http:boss"] },
    server: {
      token: "owner-token",
      tokens: [
        { token: "ada-token", role: "user", user: "http:ada" },
        { token: "boss-token", role: "user", user: "http:boss" },
        { token: "metrics-token", role: "metrics" },
      ],
    },
    ...(!options.leaves && { tools: { wipe } }),
  });
  const leaves = options.leaves ? assistant.tools.register("wipe", wipe) : () => {};
  const fetch = (path: string, token = "owner-token", body?: object, method = body ? "POST" : "GET") =>
    assistant.fetch(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const json = async (...given: Parameters<typeof fetch>) => (await fetch(...given)).json();
  return { assistant, ran, fetch, json, leaves };
}

describe("approvals over HTTP", () => {
  it("are listed, answered once, and tell the result and what the assistant says to it", async () => {
    const t = await setUp();
    const asked = await t.json("/messages", "ada-token", { text: "wipe sda" });
    expect(asked.approvals).toMatchObject([{ name: "wipe", input: { disk: "sda" } }]);
    const [{ id, code }] = asked.approvals;
    expect((await t.json("/approvals")).approvals).toMatchObject([{ id, code, state: "open", user: "http:ada" }]);
    const answered = await t.json(`/approvals/${code}`, "owner-token", { answer: "once", wait: true });
    expect(answered).toMatchObject({ ok: true, output: { wiped: "sda" }, reply: { text: "The disk is clean" } });
    expect(t.ran).toEqual(["sda"]);
    expect((await t.json("/approvals")).approvals).toEqual([]);
    expect((await t.json("/approvals?all=true")).approvals).toMatchObject([
      { outcome: { verdict: "done" }, answered_by: "owner" },
    ]);
    const again = await t.fetch(`/approvals/${encodeURIComponent(id)}`, "owner-token", { answer: "once" });
    expect([again.status, ((await again.json()) as Answer).code]).toEqual([409, "CONFLICT"]);
    expect(t.ran).toEqual(["sda"]);
  });

  it("are answered by whoever the token says, whatever the body says", async () => {
    const t = await setUp();
    const { approvals } = await t.json("/messages", "ada-token", { text: "wipe sda" });
    const path = `/approvals/${approvals[0].code}`;
    expect((await t.fetch(path, "ada-token", { answer: "once" })).status).toBe(403);
    expect((await t.fetch(path, "ada-token", { answer: "once", user: "http:boss" })).status).toBe(400);
    expect((await t.fetch(path, "ada-token", { answer: "once", asOwner: true })).status).toBe(400);
    expect((await t.fetch(path, "metrics-token", { answer: "once" })).status).toBe(403);
    expect((await t.fetch(path, "nobody", { answer: "once" })).status).toBe(401);
    expect((await t.fetch("/approvals", "ada-token")).status).toBe(403);
    expect(t.ran).toEqual([]);
    expect(await t.json(path, "boss-token", { answer: "once" })).toMatchObject({ ok: true, answered_by: "http:boss" });
    expect(t.ran).toEqual(["sda"]);
  });

  it("wait for no reply to what the runtime itself asked for: it has no conversation", async () => {
    const view = {
      id: "runtime.1",
      code: "AAAAAA",
      state: "ended",
      tool: "mcp_accept",
      input: {},
      boundTo: null,
      user: "runtime",
      sessionKey: "runtime",
      requestedAt: new Date(0),
      expiresAt: new Date(1),
      ok: true,
      output: "accepted",
    } as const;
    const followUp = () => Promise.reject(new Error("Nobody will ever say anything"));
    const { approvals, ...parts } = fakeAssistant().parts;
    const app = appOf({ ...parts, approvals: { ...approvals, answer: async () => view, followUp } });
    const answered = await app.request(call("/api/v1/approvals/AAAAAA", { body: { answer: "once", wait: true } }));
    expect(answered.status).toBe(200);
    const body = await bodyOf(answered);
    expect(body).toMatchObject({ ok: true, output: "accepted" });
    expect(body).not.toHaveProperty("reply");
  });

  it("say what is wrong with an answer", async () => {
    const t = await setUp();
    expect((await t.fetch("/approvals/AAAAAA", "owner-token", { answer: "once" })).status).toBe(404);
    expect((await t.fetch("/approvals/AAAAAA", "owner-token", { answer: "yes" })).status).toBe(400);
  });

  it("make rules that are listed and taken back", async () => {
    const t = await setUp();
    const { approvals } = await t.json("/messages", "owner-token", { text: "wipe sda" });
    await t.json(`/approvals/${approvals[0].code}`, "owner-token", { answer: "always" });
    const { rules } = await t.json("/approvals/rules");
    expect(rules).toMatchObject([{ tool: "wipe", input: { disk: "sda" }, for: "owner" }]);
    expect((await t.json("/messages", "owner-token", { text: "wipe sda" })).approvals).toEqual([]);
    expect((await t.fetch(`/approvals/rules/${rules[0].id}`, "ada-token", undefined, "DELETE")).status).toBe(403);
    expect((await t.fetch(`/approvals/rules/${rules[0].id}`, "owner-token", undefined, "DELETE")).status).toBe(204);
    expect((await t.fetch(`/approvals/rules/${rules[0].id}`, "owner-token", undefined, "DELETE")).status).toBe(404);
    expect((await t.json("/messages", "owner-token", { text: "wipe sda" })).approvals.length).toBe(1);
  });

  it("leave lines in the audit, which the owner alone reads", async () => {
    const t = await setUp();
    const { approvals } = await t.json("/messages", "ada-token", { text: "wipe sda" });
    await t.fetch(`/approvals/${approvals[0].code}`, "ada-token", { answer: "once" });
    await t.fetch(`/approvals/${approvals[0].code}`, "owner-token", { answer: "deny", reason: "no" });
    const { lines } = await t.json("/audit");
    expect(lines.map(({ what, who, verdict }: Answer["lines"][number]) => [what, who, verdict])).toEqual([
      ["approval.requested", "http:ada", "ok"],
      ["approval.refused", "http:ada", "refused"],
      ["approval.answered", "owner", "denied"],
    ]);
    expect((await t.fetch("/audit", "ada-token")).status).toBe(403);
    expect((await t.fetch("/audit?day=yesterday")).status).toBe(400);
    expect((await t.fetch("/audit?day=2026-02-30")).status).toBe(400);
    expect((await t.fetch("/audit?day=2028-02-29")).status).toBe(200);
  });
});

class Chat extends AbstractChat<UIMessage> {
  constructor(fetch: typeof globalThis.fetch) {
    const state: ChatState<UIMessage> = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) => void (state.messages = state.messages.with(index, structuredClone(message))),
      snapshot: (value) => structuredClone(value),
    };
    const transport = new DefaultChatTransport<UIMessage>({
      api: "http://localhost/api/v1/chat",
      headers: { authorization: "Bearer owner-token" },
      fetch,
    });
    super({ id: "chat-1", state, transport });
  }
}

describe("useChat", () => {
  it.each([
    [true, "output-available", ["sda"]],
    [false, "output-denied", []],
  ] as const)("shows a call that waits, and sends the answer %s", async (approved, state, ran) => {
    const t = await setUp();
    const chat = new Chat((input, init) => t.assistant.fetch(new Request(input, init)));
    await chat.sendMessage({ text: "wipe sda" });
    const waiting = chat.lastMessage?.parts.find((part) => part.type === "dynamic-tool");
    if (waiting?.type !== "dynamic-tool" || waiting.state !== "approval-requested") throw new Error("it should wait");
    await chat.addToolApprovalResponse({ id: waiting.approval.id, approved, reason: "because" });
    await chat.sendMessage();
    const parts = chat.lastMessage?.parts ?? [];
    expect(parts.find((part) => part.type === "dynamic-tool")).toMatchObject({ state });
    expect(t.ran).toEqual(ran);
    expect(parts.filter((part) => part.type === "text").map((part) => part.text)).toContain("The disk is clean");
    expect(chat.status).toBe("ready");
  });

  it.each([
    [true, "output-available", ["first", "second"]],
    [false, "output-denied", ["first"]],
  ] as const)(
    "asks again in what follows an answer, streams it, and sends the second answer %s",
    async (approved, state, ran) => {
      const t = await setUp();
      const chat = new Chat((input, init) => t.assistant.fetch(new Request(input, init)));
      const waiting = () => {
        const part = chat.lastMessage?.parts.findLast((one) => one.type === "dynamic-tool");
        if (part?.type !== "dynamic-tool" || part.state !== "approval-requested") throw new Error("it should wait");
        return part;
      };
      await chat.sendMessage({ text: "wipe first" });
      const first = waiting();
      await chat.addToolApprovalResponse({ id: first.approval.id, approved: true });
      await chat.sendMessage();
      expect(t.ran).toEqual(["first"]);
      const second = waiting();
      expect(second).toMatchObject({ input: { disk: "second" } });
      expect(second.approval.id).not.toBe(first.approval.id);
      expect((await t.json("/approvals")).approvals).toMatchObject([{ id: second.approval.id, state: "open" }]);
      await chat.addToolApprovalResponse({ id: second.approval.id, approved, reason: "because" });
      await chat.sendMessage();
      const tools = (chat.lastMessage?.parts ?? []).filter((part) => part.type === "dynamic-tool");
      expect(tools.map((part) => part.state)).toEqual(["output-available", state]);
      expect(t.ran).toEqual(ran);
      const texts = (chat.lastMessage?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
      expect(texts).toContain("And the other one");
      expect(texts.at(-1)).toBe("The disk is clean");
      expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    },
  );

  it("streams what follows an answer, piece by piece", async () => {
    const t = await setUp();
    const { approvals } = await t.json("/messages", "owner-token", { text: "wipe sda" });
    const [{ id }] = approvals;
    const approval = { id, approved: true };
    const part = {
      type: "dynamic-tool",
      toolName: "wipe",
      toolCallId: id,
      state: "approval-responded",
      input: {},
      approval,
    };
    const body = { id: "c", messages: [{ id: "a1", role: "assistant", parts: [part] }] };
    const streamed = await (await t.fetch("/chat", "owner-token", body)).text();
    const deltas = [...streamed.matchAll(/"type":"text-delta".*?"delta":"([^"]*)"/g)].map(([, delta]) => delta);
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join("")).toBe("The disk is clean");
  });

  it("tells nobody what follows another's answer", async () => {
    const t = await setUp();
    const { approvals } = await t.json("/messages", "owner-token", { text: "wipe sda" });
    const [{ id, code }] = approvals;
    const approval = { id, approved: true };
    const part = {
      type: "dynamic-tool",
      toolName: "wipe",
      toolCallId: id,
      state: "approval-responded",
      input: {},
      approval,
    };
    const body = { id: "c", messages: [{ id: "a1", role: "assistant", parts: [part] }] };
    const [overheard] = await Promise.all([
      t.fetch("/chat", "ada-token", body).then((response) => response.text()),
      t.json(`/approvals/${code}`, "owner-token", { answer: "once", wait: true }),
    ]);
    expect(overheard).not.toContain("clean");
    expect(overheard).toContain("tool-output-error");
  });

  it("says that a call waits for its tool when that is not there, and waits for nothing", async () => {
    const t = await setUp({ leaves: true });
    const chat = new Chat((input, init) => t.assistant.fetch(new Request(input, init)));
    await chat.sendMessage({ text: "wipe sda" });
    const waiting = chat.lastMessage?.parts.find((part) => part.type === "dynamic-tool");
    if (waiting?.type !== "dynamic-tool" || waiting.state !== "approval-requested") throw new Error("it should wait");
    t.leaves();
    await chat.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
    await chat.sendMessage();
    const part = chat.lastMessage?.parts.find(({ type }) => type === "dynamic-tool");
    expect(part).toMatchObject({
      state: "output-available",
      output: expect.stringContaining("the approved call runs"),
    });
    expect([chat.status, t.ran]).toEqual(["ready", []]);
  });
});
