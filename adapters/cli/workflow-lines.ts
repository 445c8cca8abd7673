import { type Style, styled, type Terminal } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";
import type { WorkflowRow, WorkflowRunDetailRow, WorkflowRunRow, WorkflowStepRow } from "./workflows-client.ts";

/** The mark, as in chats, and the colour of runs and steps. */
const STEPS: Readonly<Record<WorkflowStepRow["status"], readonly [mark: string, style: Style]>> = {
  pending: ["○", "dim"],
  running: ["▶", "cyan"],
  waiting: ["⏸", "yellow"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
  skipped: ["–", "dim"],
};
const RUNS: Readonly<Record<WorkflowRunRow["status"], Style>> = {
  running: "cyan",
  waiting: "yellow",
  done: "green",
  failed: "red",
  cancelled: "yellow",
};
const DESCRIPTION_CHARS = 110;
/** Least width for a step's description, on any screen. */
const LEAST_CHARS = 20;
const DOUBLE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303F\uFF01-\uFF60]/u;

type Colours = Pick<Terminal, "colours">;

/** The size of a screen. Default: unlimited. */
export interface ScreenSize {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export function isOver({ status }: Pick<WorkflowRunRow, "status">): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

/** Name, place and inputs; the description. */
export function definitionLines(
  { name, description, source, inputs, steps }: WorkflowRow,
  terminal: Colours,
): string[] {
  const given = Object.entries(inputs).map(([input, { required, default: standard }]) =>
    required === true ? input : `${input}=${standard === undefined ? "" : JSON.stringify(standard)}`,
  );
  const about = [source, `${steps} step${steps === 1 ? "" : "s"}`, given.join(" ")].filter((one) => one !== "");
  const line = `${styled(terminal, "bold", printable(name))}  ${styled(terminal, "dim", printable(about.join(", ")))}`;
  return description === "" ? [line] : [line, `  ${printable(cut(oneLine(description), DESCRIPTION_CHARS))}`];
}

/** A run in a list. */
export function runLine(run: WorkflowRunRow, terminal: Colours, nowMs: number): string {
  const { run_id: id, name, started_at: started, user, error } = run;
  const why = error === undefined ? "" : ` ${printable(cut(oneLine(error.message), DESCRIPTION_CHARS))}`;
  return `${headText(name, run, terminal)}${why}  ${styled(terminal, "dim", printable(`${started}, ${spentText(run, nowMs)}, ${user}  ${id}`))}`;
}

/**
 * A run with one line for each step, none wider than the screen. If not all steps fit, shows those around the current
 * one.
 */
export function runLines(
  run: WorkflowRunDetailRow,
  terminal: Colours,
  { nowMs, columns, rows = Number.POSITIVE_INFINITY }: ScreenSize & { readonly nowMs: number },
): string[] {
  const { name, run_id: id, steps } = run;
  const width = Math.max(...steps.map((step) => widthOf(printable(step.id))));
  const room = columns === undefined ? undefined : Math.max(LEAST_CHARS, columns - width - 7);
  // The head, the notes about omitted steps, and the cursor's line.
  const most = Math.max(1, rows - 4);
  const from = windowBegin(steps, most);
  const [before, after] = [from, Math.max(0, steps.length - from - most)];
  const head = headText(name, run, terminal);
  const about = printable(`${spentText(run, nowMs)}  ${id}`);
  const left =
    columns === undefined ? about : cut(about, Math.max(LEAST_CHARS, columns - widthOf(headText(name, run)) - 3));
  return [
    `${head}  ${styled(terminal, "dim", left)}`,
    ...(before > 0 ? [styled(terminal, "dim", `  … ${before} before`)] : []),
    ...steps.slice(from, from + most).map((step) => stepLine(step, terminal, { width, room, nowMs })),
    ...(after > 0 ? [styled(terminal, "dim", `  … ${after} more`)] : []),
  ];
}

/** The changes between two looks at a run, one line each. */
export function changeLines(
  before: WorkflowRunDetailRow | undefined,
  run: WorkflowRunDetailRow,
  terminal: Colours,
  nowMs: number,
): string[] {
  const known = new Map(before?.steps.map((step) => [step.id, stateText(step)]));
  const changed = run.steps.filter((step) => stateText(step) !== (known.get(step.id) ?? "pending 0"));
  const isNews = before === undefined || before.status !== run.status;
  return [
    ...changed.map((step) => stepLine(step, terminal, { width: 0, nowMs }).trimStart()),
    ...(isNews ? [headText(run.name, run, terminal)] : []),
  ];
}

/** The lines after a run's steps: its output, or why it ended and how to continue; the person that it waits for. */
export function endLines(run: WorkflowRunDetailRow): string[] {
  const { status, output, summary, error, steps, run_id: id } = run;
  if (status === "done") return output === undefined || output === null ? [] : ["", asText(output)];
  if (!isOver(run))
    return steps.flatMap(({ waits_for: wait }) => {
      if (wait?.approval) return [`Answer with wakeful approvals approve ${wait.approval.code}`];
      return wait?.event === undefined ? [] : [`Send it with wakeful workflows signal ${id} ${wait.event}`];
    });
  const why = summary ?? error?.message;
  return why === undefined ? [] : ["", why];
}

/** `12 s`, `2 min 5 s`, `1 h 3 min`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? "0 s" : shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

function headText(name: string, { status, progress }: WorkflowRunRow, terminal: Colours = { colours: false }): string {
  const counts = `${progress.done} of ${progress.total} steps`;
  return `${styled(terminal, "bold", printable(name))} ${styled(terminal, RUNS[status], status)} ${counts}`;
}

function spentText({ started_at: started, ended_at: ended, spent }: WorkflowRunRow, nowMs: number): string {
  const span = spanText((ended === undefined ? nowMs : Date.parse(ended)) - Date.parse(started));
  return spent.tokens === 0 ? span : `${span}, ${spent.tokens} tokens`;
}

function stepLine(
  step: WorkflowStepRow,
  terminal: Colours,
  { width, room, nowMs }: { readonly width: number; readonly room?: number | undefined; readonly nowMs: number },
): string {
  const [mark, style] = STEPS[step.status];
  const id = printable(step.id);
  const text = printable(oneLine(aboutStep(step, nowMs)));
  const about = room === undefined ? text : cut(text, room);
  const space = " ".repeat(Math.max(0, width - widthOf(id)));
  return `  ${styled(terminal, style, mark)} ${id}${space}  ${styled(terminal, step.status === "failed" ? "red" : "dim", about)}`.trimEnd();
}

function aboutStep(step: WorkflowStepRow, nowMs: number): string {
  const { status, what, attempt, started_at: started, ended_at: ended, tokens, items, error, waits_for: wait } = step;
  if (status === "pending" && attempt === 0) return what;
  if (status === "skipped") return `${what}, skipped`;
  const span =
    started === undefined || status === "waiting"
      ? undefined
      : spanText((ended === undefined ? nowMs : Date.parse(ended)) - Date.parse(started));
  const facts = [
    attempt > 1 ? `attempt ${attempt}` : undefined,
    items && `${items.done} of ${items.total}${items.failed > 0 ? `, ${items.failed} failed` : ""}`,
    span,
    tokens === undefined ? undefined : `${tokens} tokens`,
    wait && waitText(wait),
    status === "failed" ? error?.message : undefined,
  ];
  return [what, ...facts].filter((one) => one !== undefined && one !== "").join(", ");
}

function waitText({ until, event, approval, run_id: run }: NonNullable<WorkflowStepRow["waits_for"]>): string {
  if (approval) return `waits for the approval ${approval.code}`;
  if (run !== undefined) return `waits for the run ${run}`;
  const time = until === undefined ? "" : ` until ${until}`;
  return event === undefined ? `waits${time}` : `waits for ${event}${time && `, at most${time}`}`;
}

/** A text that differs between two states of a step, without the time spent in it. */
function stateText({ status, attempt, items, waits_for: wait }: WorkflowStepRow): string {
  const counts = items === undefined ? "" : ` ${items.done + items.failed}`;
  return `${status} ${attempt}${counts}${wait?.approval ? ` ${wait.approval.code}` : ""}`;
}

/** Index of the first shown step: one finished step stays visible. */
function windowBegin(steps: readonly WorkflowStepRow[], most: number): number {
  const open = steps.findIndex(({ status }) => status === "pending" || status === "running" || status === "waiting");
  const last = Math.max(0, steps.length - most);
  return open === -1 ? last : Math.min(last, Math.max(0, open - 1));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Foreign text on one screen line. A wider text would wrap into two. */
export function fitted(text: string, columns: number | undefined): string {
  const line = printable(oneLine(text));
  return columns === undefined ? line : cut(line, columns - 1);
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function cut(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let [width, shown] = [1, ""];
  for (const character of text) {
    width += widthOf(character);
    if (width > most) break;
    shown += character;
  }
  return `${shown}…`;
}

/** Width on a screen: a Chinese character takes two columns. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += DOUBLE.test(character) ? 2 : 1;
  return width;
}
