import { describe, expect, it } from "vitest";
import { readTypedAnswer } from "../../adapters/cli/approval-question.ts";
import { type Talker, chatOn, talkerOf } from "../../adapters/cli/conversation.ts";
import { createAssistant, defineTool, type StreamEvent } from "../../entry.host.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import * as v from "valibot";
import { askUnasked } from "../support/asked.ts";
import { testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { fakeTerminal } from "./fake-terminal.ts";

const reply = (text: string) => ({
  turnId: "t",
  sessionKey: "s",
  text,
  silent: text === "",
  toolCalls: [],
  approvals: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 1,
});

/** An assistant that streams given events, or waits until it is stopped. */
function scripted(events: readonly StreamEvent[] | "wait"): Talker & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    approvals: { list: async () => [] },
    async *stream({ text, signal }) {
      texts.push(text);
      if (events !== "wait") yield* events;
      else
        await new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
        );
    },
  };
}

describe("chatOn()", () => {
  // Deno's readline does not know the marks, and is not asked for them.
  const isMarked = !("Deno" in globalThis);
  it("sends lines that are pasted as one message, at the Enter behind them", async () => {
    const terminal = fakeTerminal({ interactive: true });
    const assistant = scripted([{ type: "reply", reply: reply("Read") }, { type: "end" }]);
    const ended = chatOn(assistant, terminal, {});
    expect(terminal.output().includes("\u001B[?2004h")).toBe(isMarked);
    terminal.stdin.write(isMarked ? "\u001B[200~one\rtwo\r\u001B[201~three\r" : "three\r");
    await terminal.until("Read");
    terminal.stdin.write("/exit\r");
    expect(await ended).toBe(0);
    expect(assistant.texts).toEqual([isMarked ? "one\ntwo\nthree" : "three"]);
  });

  it("drops at Ctrl-C what was typed and not sent", async () => {
    const terminal = fakeTerminal({ interactive: true });
    const assistant = scripted([{ type: "reply", reply: reply("Read") }, { type: "end" }]);
    const ended = chatOn(assistant, terminal, {});
    terminal.stdin.write("gone\u0003");
    await terminal.until("to leave");
    terminal.stdin.write("kept\r");
    await terminal.until("Read");
    terminal.stdin.write("/exit\r");
    expect(await ended).toBe(0);
    expect(assistant.texts).toEqual(["kept"]);
  });

  it("prints what is said and which tools run", async () => {
    const terminal = fakeTerminal();
    terminal.stdin.end("go\n");
    const events: StreamEvent[] = [
      { type: "text-delta", text: "Let me " },
      { type: "text-delta", text: "look." },
      { type: "tool-start", callId: "c", name: "file_read", input: { path: "a" } },
      { type: "tool-end", callId: "c", name: "file_read", output: "x", durationMs: 3.4 },
      { type: "tool-start", callId: "d", name: "file_write", input: {} },
      {
        type: "tool-end",
        callId: "d",
        name: "file_write",
        error: { code: "E", message: "No such file" },
        durationMs: 1,
      },
      { type: "text-delta", text: "Done." },
      { type: "reply", reply: reply("Done.") },
      { type: "end" },
    ];
    expect(await chatOn(scripted(events), terminal, {})).toBe(0);
    expect(terminal.output()).toBe(
      'Let me look.\n· file_read {"path":"a"}\n  → x (3 ms)\n· file_write {}\n  → No such file (1 ms)\nDone.\n',
    );
  });

  it("shows what would command the terminal, and does not do it", async () => {
    const terminal = fakeTerminal();
    terminal.stdin.end("go\nagain\n");
    // Sets the clipboard, clears the screen, reverses letters.
    const hostile = "\u001B]52;c;cm0=\u0007 \u009B2J \u202Edlrow\r";
    const events: StreamEvent[] = [
      { type: "text-delta", text: `streamed ${hostile}\n\tindented` },
      { type: "tool-start", callId: "c", name: `tool${hostile}`, input: hostile },
      { type: "tool-end", callId: "c", name: "tool", error: { code: "E", message: hostile }, durationMs: 1 },
      { type: "reply", reply: reply(`not streamed ${hostile}`) },
      { type: "error", code: "E", message: hostile },
      { type: "end" },
    ];
    await chatOn(scripted(events), terminal, {});
    const failed = fakeTerminal();
    failed.stdin.end("go\n");
    await chatOn(scripted([{ type: "reply", reply: reply(`not streamed ${hostile}`) }, { type: "end" }]), failed, {});
    const said = terminal.output() + terminal.errors() + failed.output();
    expect(said).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u);
    expect(said).toContain(String.raw`streamed \u{1b}]52;c;cm0=\u{7} \u{9b}2J \u{202e}dlrow\u{d}` + "\n\tindented");
    expect(said).toContain(String.raw`not streamed \u{1b}]52`);
  });

  it("prints a reply that was not streamed, and says when there is none", async () => {
    const question = fakeTerminal();
    question.stdin.end("go\n");
    await chatOn(scripted([{ type: "reply", reply: reply("Which file?") }, { type: "end" }]), question, {});
    expect(question.output()).toBe("Which file?\n");
    const silence = fakeTerminal();
    silence.stdin.end("go\n");
    await chatOn(scripted([{ type: "reply", reply: reply("") }, { type: "end" }]), silence, {});
    expect(silence.output().trim()).toBe("(no answer)");
  });

  it("ends with 1 when a message was not answered, and goes on with the next", async () => {
    const terminal = fakeTerminal();
    terminal.stdin.end("one\ntwo\n");
    const assistant = scripted([
      { type: "error", code: "MODEL_UNAVAILABLE", message: "No model answered" },
      { type: "end" },
    ]);
    expect(await chatOn(assistant, terminal, {})).toBe(1);
    expect(assistant.texts).toEqual(["one", "two"]);
    expect(terminal.errors()).toBe("error: No model answered\nerror: No model answered\n");
  });

  it("ends the turn at Ctrl-C and the program at the next one", async () => {
    const terminal = fakeTerminal({ interactive: true });
    const assistant = scripted("wait");
    const code = chatOn(assistant, terminal, {});
    await terminal.until("/exit leaves");
    terminal.stdin.write("go\n");
    while (assistant.texts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    terminal.signal("SIGINT");
    while (!terminal.errors().includes("Stopped")) await new Promise((resolve) => setImmediate(resolve));
    terminal.signal("SIGINT");
    await terminal.until("Ctrl-C again");
    terminal.signal("SIGINT");
    expect(await code).toBe(130);
  });

  it("ends at SIGTERM in the middle of a turn, which is not ended, and sends nothing of what waits", async () => {
    const terminal = fakeTerminal();
    const assistant = scripted("wait");
    const code = chatOn(assistant, terminal, {});
    terminal.stdin.write("go\nnever\n");
    while (assistant.texts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    terminal.signal("SIGTERM");
    expect(await code).toBe(1);
    expect(assistant.texts).toEqual(["go"]);
    expect(terminal.errors()).toBe("");
  });

  it("leaves at /exit", async () => {
    const terminal = fakeTerminal();
    terminal.stdin.write("/exit\nnever\n");
    const assistant = scripted([{ type: "end" }]);
    expect(await chatOn(assistant, terminal, {})).toBe(0);
    expect(assistant.texts).toEqual([]);
  });
});

/** An assistant that wants to wipe disks, and says what came of it. */
async function wiper() {
  const wiped: string[] = [];
  const model = scriptedModel((prompt) => {
    const text = JSON.stringify(prompt.at(-1)?.content);
    const wanted = /wipe (\w+)/.exec(text);
    if (wanted && !text.includes("wakeful-note")) return calls(["wipe", { disk: wanted[1] }]);
    return says(text.includes("wakeful-note") ? "I have heard of it" : "I asked");
  });
  const assistant = await createAssistant({
    model,
    tools: {
      wipe: defineTool({
        description: "wipes",
        inputSchema: v.object({ disk: v.string() }),
        execute: ({ disk }) => (wiped.push(disk), { wiped: disk, log: "x".repeat(300) }),
        meta: { dangerous: true, boundTo: () => ({ machine: "here\u202Ethere" }) },
      }),
    },
  });
  return { assistant, wiped };
}

describe("a call that waits, in a chat", () => {
  it.each([
    ["y", "done", ["sda"]],
    ["a", "done", ["sda"]],
    ["n not that one", "denied", []],
  ])("is shown in full, asked about, and answered with %s", async (typed, verdict, ran) => {
    const { assistant, wiped } = await wiper();
    const terminal = fakeTerminal({ interactive: true });
    const ended = chatOn(assistant, terminal, {});
    terminal.stdin.write("wipe sda\n");
    await terminal.until("Enter later: ");
    expect(terminal.output()).toContain("    disk: sda");
    expect(terminal.output()).toContain("    machine: here\\u{202e}there");
    expect(wiped).toEqual([]);
    terminal.stdin.write(`${typed}\n`);
    await terminal.until("I have heard of it");
    expect(terminal.output()).toContain(`· wipe: ${verdict}`);
    expect(terminal.output().includes("x".repeat(300))).toBe(ran.length > 0);
    expect(wiped).toEqual(ran);
    expect((await assistant.approvals.rules()).length).toBe(typed === "a" ? 1 : 0);
    terminal.stdin.end("/exit\n");
    expect(await ended).toBe(0);
    await assistant.stop();
  });

  it("takes nothing for a yes but a yes, and nothing that was typed before the question", async () => {
    const { assistant, wiped } = await wiper();
    const terminal = fakeTerminal({ interactive: true });
    const ended = chatOn(assistant, terminal, {});
    terminal.stdin.write("wipe sda\ny\n");
    await terminal.until("Enter later: ");
    terminal.stdin.write("yes, but later\n");
    await terminal.until("Enter y, a or n.");
    terminal.stdin.write("\n");
    await terminal.until("It waits: /approve");
    terminal.stdin.end("/exit\n");
    expect(await ended).toBe(0);
    expect(wiped).toEqual([]);
    expect(await assistant.approvals.list()).toMatchObject([{ state: "open" }]);
    await assistant.stop();
  });

  it("is shown with its code over a pipe, and is answered by a line", async () => {
    const { assistant, wiped } = await wiper();
    const terminal = fakeTerminal();
    const ended = chatOn(assistant, terminal, {});
    terminal.stdin.write("wipe sda\n");
    await terminal.until("It waits: /approve");
    const [, code] = /\/approve (\w+),/.exec(terminal.output()) ?? [];
    expect(terminal.output()).toContain("    disk: sda");
    terminal.stdin.end(`/approve ${code}\n`);
    expect(await ended).toBe(0);
    expect(wiped).toEqual(["sda"]);
    expect(terminal.output()).toContain("· wipe: done");
    expect(terminal.output()).toContain("I have heard of it");
    await assistant.stop();
  });
});

describe("what is said unasked, in a chat", () => {
  it("is shown between prompts: notices, and calls of other conversations that wait, whole", async () => {
    const { assistant } = await wiper();
    const terminal = fakeTerminal({ interactive: true });
    const ended = chatOn(talkerOf(assistant), terminal, {});
    terminal.stdin.write("wipe sda\n");
    await terminal.until("Enter later: ");
    terminal.stdin.write("\n");
    await terminal.until("It waits: /approve");
    await assistant.send({ text: "wipe sdb", user: "telegram:7" });
    await terminal.until("In another conversation:");
    await terminal.until("    disk: sdb");
    const { job } = await assistant.jobs.create({ schedule: "in 2 hours", task: "Say it", user: "cli" });
    await assistant.jobs.run(job.id);
    await terminal.until("● I asked");
    terminal.stdin.end("/exit\n");
    expect(await ended).toBe(0);
    // Its own call was asked about once.
    expect(terminal.output().match(/In another conversation:/g)).toHaveLength(1);
    expect(terminal.output().match(/ {4}disk: sda/g)).toHaveLength(1);
    await assistant.stop();
  });

  it("names the answers to a question, and one of them in words counts", async () => {
    const t = await testAssistant({ channels: [] });
    const terminal = fakeTerminal({ interactive: true });
    const ended = chatOn(talkerOf(t.assistant), terminal, {});
    await terminal.until("Type a message");
    await askUnasked(t, { user: "cli", text: "Shall I \u001B[31mlook?" });
    await terminal.until("[Yes] [Not now] [Less of this] answer yes, no, not now or less of this\n");
    expect(terminal.output()).not.toContain("\u001B[31m");
    terminal.stdin.write("less of this\n");
    await until(t.clock, async () => (await t.assistant.attention.view()).less["pattern"] === 1);
    terminal.stdin.end("/exit\n");
    expect(await ended).toBe(0);
  });

  it("is shown over a pipe too when it was said before somebody listened, at the start", async () => {
    const t = await testAssistant({ channels: [] });
    const talker = talkerOf(t.assistant);
    let kept = 0;
    t.assistant.events.subscribe("notification.kept", () => void (kept += 1), { name: "test" });
    const { job } = await t.assistant.jobs.create({ schedule: "in 2 hours", task: "Say it", user: "cli" });
    await t.assistant.jobs.run(job.id);
    await until(t.clock, () => kept === 1);
    const terminal = fakeTerminal();
    terminal.stdin.end("hello\n");
    expect(await chatOn(talker, terminal, {})).toBe(0);
    expect(terminal.output().match(/^● /gm)).toHaveLength(1);
  });

  it("leaves calls of other conversations out of a pipe", async () => {
    const { assistant } = await wiper();
    const terminal = fakeTerminal();
    const ended = chatOn(talkerOf(assistant), terminal, {});
    await assistant.send({ text: "wipe sdb", user: "telegram:7" });
    terminal.stdin.end("hello\n");
    expect(await ended).toBe(0);
    expect(terminal.output()).toBe("I asked\n");
    await assistant.stop();
  });
});

describe("readTypedAnswer()", () => {
  it.each([
    ["y", { kind: "answer", answer: "once", command: "/approve K" }],
    [" YES ", { kind: "answer", answer: "once", command: "/approve K" }],
    ["a", { kind: "answer", answer: "always", command: "/approve K always" }],
    ["always git log *", { kind: "answer", answer: "always", command: "/approve K always git log *" }],
    ["n", { kind: "answer", answer: "deny", command: "/deny K" }],
    ["no, I said", { kind: "unclear" }],
    ["n I said", { kind: "answer", answer: "deny", command: "/deny K I said" }],
    ["", { kind: "later" }],
    ["later", { kind: "later" }],
    ["yes please", { kind: "unclear" }],
    ["ya", { kind: "unclear" }],
    ["an apple", { kind: "unclear" }],
    ["/exit", { kind: "unclear" }],
  ])("reads %j", (typed, expected) => {
    expect(readTypedAnswer(typed, "K")).toEqual(expected);
  });
});
