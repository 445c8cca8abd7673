import { describe, expect, it } from "vitest";
import { chatOn } from "../../adapters/cli/conversation.ts";
import type { Assistant, StreamEvent } from "../../mod.ts";
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
function scripted(events: readonly StreamEvent[] | "wait"): Pick<Assistant, "stream"> & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
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

  it("leaves at /exit", async () => {
    const terminal = fakeTerminal();
    terminal.stdin.write("/exit\nnever\n");
    const assistant = scripted([{ type: "end" }]);
    expect(await chatOn(assistant, terminal, {})).toBe(0);
    expect(assistant.texts).toEqual([]);
  });
});
