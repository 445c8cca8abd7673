import { printLine, type Terminal } from "./terminal.ts";
import { shown } from "./transcript-lines.ts";
import { type ScreenSize, changeLines, endLines, fitted, isOver, runLines } from "./workflow-lines.ts";
import type { WorkflowRunDetailRow } from "./workflows-client.ts";

export interface WatchOptions {
  /** Reads the current run. */
  get(): Promise<WorkflowRunDetailRow>;
  /** Resolves when it is time to look again. @returns False when the watch has ended. */
  pause(): Promise<boolean>;
  /** Prints only the end. */
  readonly isQuiet?: boolean;
  /** This process has the data open, so no other process can answer at the same time. */
  readonly hasData?: boolean;
}

/**
 * Shows a run until it ends: on a screen its steps, redrawn in place; elsewhere a line for each change.
 *
 * @returns The run at its end, or at the end of the watch.
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
    // A terminal of unknown size reports 0.
    const { columns = 0, rows = 0 } = terminal.stdout as ScreenSize;
    const size = { columns: columns || undefined, rows: rows || undefined };
    // A run that waits for a person shows what to do. Its outcome is printed once, at the end.
    const todo = isOver(now) ? [] : endLines(now);
    if (hasData && todo.length > 0) todo.unshift("Press Ctrl-C first: this command has the data open");
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

/** Prints the complete outcome of a run. */
export function printEnd(run: WorkflowRunDetailRow, terminal: Terminal): void {
  for (const text of endLines(run)) terminal.stdout.write(shown(text, terminal));
}
