import { printLine, type Terminal } from "./terminal.ts";
import { shown } from "./transcript-lines.ts";
import { type ScreenSize, changeLines, endLines, fitted, isOver, runLines } from "./workflow-lines.ts";
import type { WorkflowRunDetailRow } from "./workflows-client.ts";

export interface WatchOptions {
  /** The run as it is now. */
  get(): Promise<WorkflowRunDetailRow>;
  /** Resolves when it is time to look again. @returns False: nobody watches any more. */
  pause(): Promise<boolean>;
  /** Prints nothing but the end. */
  readonly isQuiet?: boolean;
  /** This process has the data open, so that no other can answer meanwhile. */
  readonly hasData?: boolean;
}

/**
 * Shows a run until it ends: on a screen its steps, drawn again in place; else a line for each change.
 *
 * @returns The run as it was when it ended, or when nobody watched any more.
 */
export async function watchWorkflow(
  { get, pause, isQuiet = false, hasData = false }: WatchOptions,
  terminal: Terminal,
): Promise<WorkflowRunDetailRow> {
  let run: WorkflowRunDetailRow | undefined;
  let drawn = 0;

  function show(now: WorkflowRunDetailRow): void {
    const nowMs = Date.now();
    if (!terminal.screen) {
      for (const line of changeLines(run, now, terminal, nowMs)) printLine(terminal.stdout, line);
      return;
    }
    // A terminal that does not know its size says 0.
    const { columns = 0, rows = 0 } = terminal.stdout as ScreenSize;
    const size = { columns: columns || undefined, rows: rows || undefined };
    // Whoever waits for somebody is told what to do; what came of it is printed once, at the end.
    const todo = isOver(now) ? [] : endLines(now);
    if (hasData && todo.length > 0) todo.unshift("End this with Ctrl-C first: it has the data open");
    const hints = todo.map((line) => fitted(line, size.columns));
    const left = size.rows && size.rows - hints.length;
    const lines = [...runLines(now, terminal, { nowMs, columns: size.columns, rows: left }), ...hints];
    if (drawn > 0) terminal.stdout.write(`\u001B[${drawn}A\u001B[J`);
    for (const line of lines) printLine(terminal.stdout, line);
    drawn = lines.length;
  }

  for (;;) {
    const now = await get();
    if (!isQuiet) show(now);
    run = now;
    if (isOver(run) || !(await pause())) return run;
  }
}

/** What came of a run, whole. */
export function printEnd(run: WorkflowRunDetailRow, terminal: Terminal): void {
  for (const text of endLines(run)) terminal.stdout.write(shown(text, terminal));
}
