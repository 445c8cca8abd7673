import { createInterface, type Interface } from "node:readline";
import {
  AssistantError,
  type Assistant,
  type HostMessage,
  type Reply,
  type SendInput,
  type StreamEvent,
} from "../../mod.ts";
import { type ApprovalView, describeCall, messageOf, visible } from "../../kit.ts";
import { APPROVAL_PROMPT, readTypedAnswer } from "./approval-question.ts";
import { EXIT } from "./exit-codes.ts";
import { printJson, printLine, styled, type Terminal } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";

export interface ChatOptions {
  /** Name of a separate conversation. */
  readonly session?: string | undefined;
  readonly json?: boolean;
}

/** What a conversation needs from an assistant, in this process or behind a server. */
export interface Talker {
  /** As `assistant.stream`. */
  stream(input: SendInput): AsyncIterable<StreamEvent>;
  readonly approvals: { list(options?: { readonly all?: boolean }): Promise<readonly AskedCall[]> };
  /** Reports unasked messages. @returns A function that stops listening. */
  hear?(tell: (told: Told) => void): () => void;
}

/** A call that waits, or waited, for an approval. */
export type AskedCall = Pick<ApprovalView, "id" | "code" | "tool" | "input" | "boundTo" | "outcome">;

/** An unasked message. */
export type Told = Notice | { readonly kind: "approval"; readonly id: string };

interface Notice {
  readonly kind: "notice";
  readonly text: string;
  /** Labels of the buttons of its question. */
  readonly answers?: readonly string[];
}

const PROMPT = "> ";
/** Users that stand for the person at the program: their messages are printed here. */
export const OWN_USERS: readonly string[] = ["cli", "web", "sdk"];

/** Talks to an assistant in this process. Created before the start: messages of the start wait for the first listener. */
export function talkerOf(assistant: Pick<Assistant, "stream" | "approvals" | "events">): Required<Talker> {
  const { subscribe } = assistant.events;
  const here = { name: "terminal" };
  const waiting: Told[] = [];
  let tell = (told: Told): void => {
    waiting.push(told);
  };
  const stops = [
    subscribe(
      "notification.kept",
      ({ payload }) => void (OWN_USERS.includes(payload.user) && tell(noticeOf(payload))),
      here,
    ),
    subscribe("approval.requested", ({ payload: { id } }) => tell({ kind: "approval", id }), here),
  ];
  return {
    stream: (input) => assistant.stream(input),
    approvals: assistant.approvals,
    hear(listener) {
      for (const told of waiting.splice(0)) listener(told);
      tell = listener;
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** A notice with the words that answer its question. */
export function noticeOf({ text, buttons }: Pick<HostMessage, "text" | "buttons">): Notice {
  return { kind: "notice", text, ...(buttons && { answers: buttons.map(({ label }) => label) }) };
}

/**
 * A conversation on a terminal or over a pipe: each line is a message, and each answer is printed. A call that waits
 * for an approval is shown in full; on a terminal the person is asked at once. Ends with the input, with `/exit`, or
 * with Ctrl-C twice; Ctrl-C once ends the running turn. SIGTERM ends it at once and leaves the turn to the code that
 * stops the assistant.
 *
 * @returns The exit code: 1 when a message could not be answered.
 */
export async function chatOn(assistant: Talker, terminal: Terminal, options: ChatOptions): Promise<number> {
  const lines = createInterface({
    input: terminal.stdin,
    ...(terminal.interactive && { output: terminal.stdout, prompt: styled(terminal, "cyan", PROMPT) }),
    terminal: terminal.interactive,
  });
  let turn: AbortController | undefined;
  let askedToLeave = false;
  let interrupted = false;
  let isOver = false;

  const interrupt = () => {
    if (turn !== undefined && !turn.signal.aborted) {
      turn.abort(new AssistantError("ABORTED", "Stopped by Ctrl-C"));
      return;
    }
    if (askedToLeave || !terminal.interactive) {
      interrupted = true;
      lines.close();
      return;
    }
    askedToLeave = true;
    typed.drop();
    // Clears the line, so that its text is not sent with the next one.
    for (const name of ["e", "u"]) lines.write(null, { ctrl: true, name });
    printLine(terminal.stdout, "\n(Ctrl-C again, or /exit, to leave)");
    lines.prompt();
  };
  lines.on("SIGINT", interrupt);
  let terminate = () => {};
  const terminated = new Promise<false>((resolve) => (terminate = () => resolve(false)));
  const stopListening = terminal.onSignal((signal) => {
    if (signal === "SIGINT") return interrupt();
    isOver = true;
    lines.close();
    terminate();
  });

  const typed = typedLines(lines, terminal);
  /** Calls that this conversation has asked about. */
  const asked = new Set<string>();
  let code: number = EXIT.ok;

  /**
   * Sends a message, then asks about every call that waits because of it, until none does.
   * @returns Whether all of it was answered.
   */
  async function converse(text: string): Promise<boolean> {
    const said = [text];
    let isAnswered = true;
    for (let next = said.shift(); next !== undefined; next = said.shift()) {
      turn = new AbortController();
      const answeredCode = /^\/(?:approve|deny) (\S+)/.exec(next)?.[1];
      const reply = await answer(assistant, terminal, options, { text: next, answeredCode }, turn.signal);
      turn = undefined;
      isAnswered &&= reply !== undefined;
      if (options.json) continue;
      const fresh = (reply?.approvals ?? []).filter(({ id }) => !asked.has(id));
      for (const { id } of fresh) asked.add(id);
      for (const pending of fresh) {
        await showRequest(assistant, pending, terminal);
        const command = terminal.interactive ? await ask(pending.code) : undefined;
        if (interrupted) return isAnswered;
        if (command !== undefined) said.push(command);
        else printLine(terminal.stdout, howToAnswer(pending.code));
      }
    }
    return isAnswered;
  }

  async function ask(code: string): Promise<string | undefined> {
    for (;;) {
      lines.setPrompt(styled(terminal, "yellow", APPROVAL_PROMPT));
      lines.prompt();
      // A line typed before the question appeared is not an answer to it.
      const line = await typed.next({ fresh: true });
      lines.setPrompt(styled(terminal, "cyan", PROMPT));
      if (line === undefined || interrupted) return undefined;
      askedToLeave = false;
      const read = readTypedAnswer(line, code);
      if (read.kind === "answer") return read.command;
      if (read.kind === "later") return undefined;
      printLine(terminal.stdout, "Enter y, a or n.");
    }
  }

  /** Printed between two prompts, above the typed text; during an answer, after it. */
  const waiting: Told[] = [];
  async function showTold(): Promise<void> {
    for (const told of turn === undefined ? waiting.splice(0) : []) {
      if (told.kind === "notice") printTold(terminal, told);
      else if (!asked.has(told.id)) await showElsewhere(assistant, told.id, terminal);
    }
  }
  const stopHearing = assistant.hear?.((told) => {
    // Over a pipe, only calls of its own messages are asked about.
    if (options.json || (told.kind === "approval" && !terminal.interactive)) return;
    waiting.push(told);
    if (turn !== undefined) return;
    void showTold().then(() => terminal.interactive && turn === undefined && !isOver && lines.prompt(true));
  });

  if (terminal.interactive) {
    printLine(terminal.stdout, styled(terminal, "dim", "Type a message. /exit leaves."));
    lines.prompt();
  }
  try {
    while (!isOver) {
      const line = await typed.next();
      if (line === undefined) break;
      const text = line.trim();
      askedToLeave = false;
      if (text === "/exit" || text === "/quit") break;
      if (text !== "" && !(await Promise.race([converse(text), terminated]))) code = EXIT.failed;
      if (interrupted || isOver) break;
      await showTold();
      if (terminal.interactive) lines.prompt();
    }
  } finally {
    isOver = true;
    stopHearing?.();
    stopListening();
    lines.close();
    typed.end();
  }
  return interrupted ? EXIT.interrupted : code;
}

/** Prints an unasked message. @param when Text before it. */
export function printTold(
  terminal: Terminal,
  { text, answers = [] }: Pick<Notice, "text" | "answers">,
  when = "",
): void {
  // Overwrites the prompt, which is written again below.
  const head = terminal.interactive ? "\r\u001B[K" : "";
  printLine(terminal.stdout, `${head}${when}${styled(terminal, "yellow", "●")} ${printable(text)}`);
  if (answers.length === 0) return;
  const choices = answers.map((label) => `[${visible(label)}]`).join(" ");
  printLine(terminal.stdout, `  ${choices} ${styled(terminal, "dim", "answer yes, no, not now or less of this")}`);
}

/** Switches the terminal's marking of pasted text on and off. */
const PASTE_MARKS = { on: "\u001B[?2004h", off: "\u001B[?2004l" } as const;

/**
 * Keeps lines that arrive while an answer is being written. (readline's own iterator loses lines that arrive before it
 * is asked.) Pasted lines wait for the next typed Enter and form one message.
 */
function typedLines(lines: Interface, { stdin, stdout, interactive }: Terminal) {
  const waiting: string[] = [];
  let pasted: string[] = [];
  let isPasting = false;
  let closed = false;
  let wake = () => {};
  const onKey = (_text: unknown, key?: { readonly name?: string }) => {
    if (key?.name === "paste-start" || key?.name === "paste-end") isPasting = key.name === "paste-start";
  };
  // Deno does not understand the marks.
  const isMarked = interactive && !("Deno" in globalThis);
  if (isMarked) {
    stdin.on("keypress", onKey);
    stdout.write(PASTE_MARKS.on);
  }
  lines.on("line", (line) => {
    pasted.push(line);
    if (isPasting) return;
    waiting.push(pasted.join("\n"));
    pasted = [];
    wake();
  });
  lines.on("close", () => {
    closed = true;
    wake();
  });
  return {
    /** Drops pasted lines that were not sent. */
    drop() {
      pasted = [];
    },
    end() {
      stdin.off("keypress", onKey);
      if (isMarked) stdout.write(PASTE_MARKS.off);
    },
    /** The next line. With `fresh`, the next line typed from now on; older ones stay for later. `undefined` at the end. */
    async next({ fresh = false } = {}): Promise<string | undefined> {
      const older = fresh ? waiting.length : 0;
      for (;;) {
        if (waiting.length > older) return waiting.splice(older, 1)[0];
        if (closed) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** Shows a waiting call of another conversation, unless it was answered in the meantime. */
async function showElsewhere(assistant: Talker, id: string, terminal: Terminal): Promise<void> {
  const found = (await assistant.approvals.list().catch(() => [])).find((one) => one.id === id);
  if (found === undefined) return;
  printTold(terminal, { text: "In another conversation:" });
  printRequest(found, terminal);
  printLine(terminal.stdout, howToAnswer(found.code));
}

/** Shows everything that the owner would agree to: the call's arguments and what else it is bound to, in full length. */
async function showRequest(
  assistant: Talker,
  { id, code, name: tool, input }: Reply["approvals"][number],
  terminal: Terminal,
): Promise<void> {
  const found = await assistant.approvals.list().catch(() => []);
  printRequest(found.find((one) => one.id === id) ?? { code, tool, input, boundTo: null }, terminal);
}

function printRequest(
  { code, tool, input, boundTo }: Pick<AskedCall, "code" | "tool" | "input" | "boundTo">,
  { stdout, colours }: Pick<Terminal, "stdout" | "colours">,
): void {
  printLine(stdout, styled({ colours }, "yellow", `${visible(tool)} wants to run (${code}):`));
  printLine(stdout, describeCall({ input, boundTo }).replaceAll(/^/gm, "    "));
}

function howToAnswer(code: string): string {
  return `It waits: /approve ${code}, /approve ${code} always, or /deny ${code} reason`;
}

/** Shows the outcome of an answered call, if it is known. */
async function showOutcome(assistant: Talker, code: string, terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  const found = await assistant.approvals.list({ all: true }).catch(() => []);
  const { tool = "", outcome } = found.find((request) => request.code === code.toUpperCase()) ?? {};
  if (outcome === undefined) return;
  const { verdict, output, error } = outcome;
  const result = error === undefined ? output : `${error.code}: ${error.message}`;
  printLine(stdout, styled(terminal, "dim", `· ${visible(tool)}: ${verdict}`));
  if (result === undefined) return;
  const text = visible(typeof result === "string" ? result : JSON.stringify(result, null, 2));
  printLine(stdout, error === undefined ? text : styled(terminal, "red", text));
}

/**
 * Sends one message and prints the result.
 * @returns The reply, unless there was none or it reports a failure.
 */
async function answer(
  assistant: Talker,
  terminal: Terminal,
  options: ChatOptions,
  { text, answeredCode }: { readonly text: string; readonly answeredCode: string | undefined },
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const screen = createScreen(terminal);
  let reply: Reply | undefined;
  let failure: string | undefined;
  try {
    const input = {
      text,
      user: "cli",
      channel: "cli",
      signal,
      ...(options.session !== undefined && { session: options.session }),
    };
    for await (const event of assistant.stream(input)) {
      if (event.type === "reply") reply = event.reply;
      else if (event.type === "error") failure = event.message;
      else if (!options.json) screen.show(event);
    }
  } catch (error) {
    failure = messageOf(error);
  }
  failure ??= reply?.error?.message;
  if (options.json) printJson(terminal, reply ?? { error: { message: failure ?? "No answer" } });
  else {
    if (answeredCode !== undefined) await showOutcome(assistant, answeredCode, terminal);
    screen.end(reply, failure);
  }
  return failure === undefined ? reply : undefined;
}

/** Prints a turn as it happens, each part on its own lines. */
function createScreen(terminal: Terminal) {
  const { stdout } = terminal;
  let midLine = false;
  let printed = "";

  function newLine(): void {
    if (midLine) stdout.write("\n");
    midLine = false;
  }

  return {
    show(event: StreamEvent): void {
      if (event.type === "text-delta") {
        stdout.write(printable(event.text));
        printed += event.text;
        midLine = !event.text.endsWith("\n");
      } else if (event.type === "tool-start") {
        newLine();
        printed = "";
        printLine(stdout, styled(terminal, "dim", `· ${printable(event.name)} ${short(event.input)}`));
      } else if (event.type === "tool-end") {
        newLine();
        const outcome =
          event.error === undefined
            ? styled(terminal, "dim", short(event.output ?? null))
            : styled(terminal, "red", printable(event.error.message));
        printLine(
          stdout,
          `${styled(terminal, "dim", "  →")} ${outcome}${styled(terminal, "dim", ` (${Math.round(event.durationMs)} ms)`)}`,
        );
      }
    },
    end(reply: Reply | undefined, failure: string | undefined): void {
      newLine();
      // A reply that no model wrote (a tool's question, a note about the queue) was not streamed.
      if (reply !== undefined && failure === undefined && reply.text.trim() !== printed.trim())
        printLine(stdout, printable(reply.text));
      if (reply?.silent) printLine(stdout, styled(terminal, "dim", "(no answer)"));
      if (failure !== undefined)
        printLine(terminal.stderr, `${styled(terminal, "red", "error:")} ${printable(failure)}`);
    },
  };
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = visible(text.replace(/\s+/g, " "));
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
