import { describe, expect, it } from "vitest";
import { createHostChannel } from "../../src/notifications/index.ts";
import type { HostMessage } from "../../src/reply.ts";
import { askUnasked } from "../support/asked.ts";
import { testAssistant } from "../support/assistant.ts";
import { ADA, METRICS, OWNER, bodyOf } from "./support.ts";

const BOB = "bob-token-0123456789";

async function made() {
  const t = await testAssistant({
    timezone: "UTC",
    channels: [],
    server: {
      token: OWNER,
      tokens: [
        { token: ADA, role: "user", user: "http:ada" },
        { token: BOB, role: "user", user: "http:bob" },
        { token: METRICS, role: "metrics" },
      ],
    },
  });
  const press = (id: string, choice: unknown, token = OWNER) =>
    t.call(`/notifications/${encodeURIComponent(id)}/press`, { token, body: { choice } });
  const waiting = async (token = OWNER) =>
    (await bodyOf(await t.call("/notifications", { token })))["notifications"] as readonly HostMessage[];
  const wants = async (user?: string) => (await t.assistant.attention.view({ user })).less;
  return { t, press, waiting, wants, less: (buttons: HostMessage["buttons"]) => buttons?.at(-1)?.id ?? "" };
}

describe("POST /api/v1/notifications/:id/press", () => {
  it("answers a question as the person it is for, once, and takes it away", async () => {
    const { t, press, waiting, wants, less } = await made();
    const buttons = await askUnasked(t, { user: "http:ada" });
    expect(buttons.map(({ label }) => label)).toEqual(["Yes", "Not now", "Less of this"]);
    expect(await waiting(ADA)).toMatchObject([{ id: "notice:offer", buttons }]);
    const pressed = await press("notice:offer", less(buttons), ADA);
    expect([pressed.status, await bodyOf(pressed)]).toEqual([200, { text: expect.stringMatching(/\S/) as string }]);
    expect(await wants("http:ada")).toEqual({ pattern: 1 });
    expect(await waiting(ADA)).toEqual([]);
    expect((await press("notice:offer", less(buttons), ADA)).status).toBe(404);
    expect(await wants("http:ada")).toEqual({ pattern: 1 });
  });

  it("is closed to everybody else, an owner's token that speaks for nobody too", async () => {
    const { t, press, wants, less } = await made();
    const buttons = await askUnasked(t, { user: "http:ada" });
    for (const token of [BOB, OWNER]) expect((await press("notice:offer", less(buttons), token)).status).toBe(404);
    expect((await press("notice:offer", less(buttons), METRICS)).status).toBe(403);
    expect(await wants("http:ada")).toEqual({});
    const own = await askUnasked(t, { user: "web", id: "own" });
    // A button of one's own stands under no other's notice, and another's not under one's own.
    expect((await press("notice:own", less(buttons))).status).toBe(404);
    expect((await press("notice:own", less(own))).status).toBe(200);
    expect(await wants("web")).toEqual({ pattern: 1 });
    expect(await wants("http:ada")).toEqual({});
  });

  it("says that a question is over, and leaves the notice", async () => {
    const { t, press, waiting, less } = await made();
    const buttons = await askUnasked(t, { user: "http:ada" });
    await t.clock.advance(8 * 24 * 60 * 60_000);
    const late = await press("notice:offer", less(buttons), ADA);
    expect(late.status).toBe(410);
    expect(await bodyOf(late)).toMatchObject({ code: "GONE" });
    expect(await waiting(ADA)).toHaveLength(1);
    expect((await press("notice:offer", 7, ADA)).status).toBe(400);
    expect((await press("notice:other", less(buttons), ADA)).status).toBe(404);
  });
});

describe("a question that waits to be read", () => {
  it("waits no more once it is answered in a word, or through the host program", async () => {
    const { t, waiting, wants, less } = await made();
    await askUnasked(t, { user: "http:ada" });
    expect(await waiting(ADA)).toHaveLength(1);
    await t.call("/messages", { token: ADA, body: { text: "less of this" } });
    expect(await wants("http:ada")).toEqual({ pattern: 1 });
    expect(await waiting(ADA)).toEqual([]);
    const first = await askUnasked(t, { user: "http:ada", id: "first" });
    await askUnasked(t, { user: "http:ada", id: "second" });
    await t.assistant.attention.press({ user: "http:ada", button: less(first) });
    expect(await waiting(ADA)).toMatchObject([{ id: "notice:second" }]);
  });
});

describe("assistant.attention.press()", () => {
  it("is the same for a host program that delivers by itself, and refuses who was not asked", async () => {
    const { t, wants, less } = await made();
    const button = less(await askUnasked(t, { user: "http:ada" }));
    const { press } = t.assistant.attention;
    await expect(press({ user: "http:bob", button })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(press({ user: "http:ada", button: "/stop" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
    expect((await press({ user: "http:ada", button })).text).not.toBe("");
    // Pressed again, as after a broken connection.
    expect(await press({ user: "http:ada", button })).toEqual({ text: "" });
    const other = button.replace(/less$/, "yes");
    await expect(press({ user: "http:ada", button: other })).rejects.toMatchObject({ code: "GONE" });
    expect(await wants("http:ada")).toEqual({ pattern: 1 });
  });

  it("gets its buttons with the message", async () => {
    const delivered: HostMessage[] = [];
    const queued: Pick<HostMessage, "id" | "text" | "buttons">[] = [];
    const host = createHostChannel({
      notifications: { keep: async () => {} },
      enqueue: async (_, { message }) => void queued.push(message),
      deliver: async (message) => void delivered.push(message),
    });
    const buttons = [{ id: "b:0123456789AB:yes", label: "Yes" }];
    await host.tell({ id: "notice:1", user: "http:ada", sessionKey: "agent:main:x", text: "Shall I?", buttons });
    expect(queued).toEqual([{ id: "notice:1", text: "Shall I?", buttons }]);
    const target = host.targetOf("http:ada", "agent:main:x");
    await host.channel.send(
      { ...target },
      { text: "Shall I?", buttons, idempotencyKey: "notice:1.0" },
      new AbortController().signal,
    );
    expect(delivered).toMatchObject([{ id: "notice:1", user: "http:ada", kind: "notice", buttons }]);
  });
});
