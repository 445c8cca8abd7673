import { createInterface, type Interface } from "node:readline";
import { AssistantError, type Assistant, type Reply, type StreamEvent, messageOf } from "../../mod.ts";
import { EXIT } from "./exit-codes.ts";
import { printJson, printLine, styled, type Terminal } from "./terminal.ts";

export interface ChatOptions {
  /** Names a conversation of its own. */
  readonly session?: string | undefined;
  readonly json?: boolean;
}

const PROMPT = "> ";

/**
 * A conversation on a terminal, or over a pipe: each line is a message, each answer is printed. Ends with the input, with `/exit`, or with Ctrl-C twice;
 * Ctrl-C once ends the turn that runs.
 *
 * @returns The exit code: 1 when a message could not be answered.
 */
export async function chatOn(
  assistant: Pick<Assistant, "stream">,
  terminal: Terminal,
  options: ChatOptions,
): Promise<number> {
  const lines = createInterface({
    input: terminal.stdin,
    ...(terminal.interactive && { output: terminal.stdout, prompt: styled(terminal, "cyan", PROMPT) }),
    terminal: terminal.interactive,
  });
  let turn: AbortController | undefined;
  let askedToLeave = false;
  let interrupted = false;

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
    printLine(terminal.stdout, "\n(Ctrl-C again, or /exit, to leave)");
    lines.prompt();
  };
  lines.on("SIGINT", interrupt);
  const stopListening = terminal.onSignal((signal) => {
    if (signal === "SIGINT") interrupt();
    else lines.close();
  });

  let code: number = EXIT.ok;
  if (terminal.interactive) {
    printLine(terminal.stdout, styled(terminal, "dim", "Type a message. /exit leaves."));
    lines.prompt();
  }
  try {
    for await (const line of linesOf(lines)) {
      const text = line.trim();
      askedToLeave = false;
      if (text === "/exit" || text === "/quit") break;
      if (text !== "") {
        turn = new AbortController();
        if (!(await answer(assistant, terminal, options, text, turn.signal))) code = EXIT.failed;
        turn = undefined;
      }
      if (interrupted) break;
      if (terminal.interactive) lines.prompt();
    }
  } finally {
    stopListening();
    lines.close();
  }
  return interrupted ? EXIT.interrupted : code;
}

/** Keeps lines that arrive while an answer is being written. (readline's own iterator loses lines that come before it is asked.) */
async function* linesOf(lines: Interface): AsyncGenerator<string> {
  const waiting: string[] = [];
  let closed = false;
  let wake = () => {};
  lines.on("line", (line) => {
    waiting.push(line);
    wake();
  });
  lines.on("close", () => {
    closed = true;
    wake();
  });
  for (;;) {
    const line = waiting.shift();
    if (line !== undefined) yield line;
    else if (closed) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** Sends one message and prints what comes of it. @returns Whether it was answered. */
async function answer(
  assistant: Pick<Assistant, "stream">,
  terminal: Terminal,
  options: ChatOptions,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
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
  else screen.end(reply, failure);
  return failure === undefined && reply !== undefined;
}

/** Prints a turn while it happens, each part on lines of its own. */
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
        stdout.write(event.text);
        printed += event.text;
        midLine = !event.text.endsWith("\n");
      } else if (event.type === "tool-start") {
        newLine();
        printed = "";
        printLine(stdout, styled(terminal, "dim", `· ${event.name} ${short(event.input)}`));
      } else if (event.type === "tool-end") {
        newLine();
        const outcome =
          event.error === undefined
            ? styled(terminal, "dim", short(event.output ?? null))
            : styled(terminal, "red", event.error.message);
        printLine(
          stdout,
          `${styled(terminal, "dim", "  →")} ${outcome}${styled(terminal, "dim", ` (${Math.round(event.durationMs)} ms)`)}`,
        );
      }
    },
    end(reply: Reply | undefined, failure: string | undefined): void {
      newLine();
      // A reply that no model wrote (a tool's question, a note about the queue) has not been streamed.
      if (reply !== undefined && failure === undefined && reply.text.trim() !== printed.trim())
        printLine(stdout, reply.text);
      if (reply?.silent) printLine(stdout, styled(terminal, "dim", "(no answer)"));
      if (failure !== undefined) printLine(terminal.stderr, `${styled(terminal, "red", "error:")} ${failure}`);
    },
  };
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
