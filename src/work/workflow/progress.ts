import { calendarOrUtc } from "../../calendar.ts";
import type { Target } from "../../channel.ts";
import { type Clock, after } from "../../clock.ts";
import { messageOf } from "../../errors.ts";
import type { EventBus } from "../../events/index.ts";
import { type NoticeAddress, type Notify, noticeAddress } from "../../notice.ts";
import { type SplitOptions, splitText } from "../../outbox/index.ts";
import { type Sessions, isOfHeartbeat } from "../../session/index.ts";
import type { Logger, Metrics } from "../../telemetry/index.ts";
import {
  type StepPlace,
  type StepStatus,
  type WorkflowRun,
  asText,
  isEnded,
  isOver,
  stateOf,
  stepOf,
} from "../../workflow/index.ts";
import { languageOfRun, progressOf } from "./failure-summary.ts";
import { placeName } from "./keys.ts";
import { workflowText } from "./texts.ts";
import { waitingSteps } from "./waits.ts";
import { shortened } from "../../short-text.ts";

export interface ProgressDeps {
  readonly notify: Notify;
  /**
   * Edits a sent message. Contract: best effort, never throws; of two edits the later wins; false when the message does
   * not show the new text.
   */
  editSent(target: Target, messageId: string, change: (text: string, limits: SplitOptions) => string): Promise<boolean>;
  readonly sessions: Pick<Sessions, "addNote">;
  timezoneOf(user: string): string;
  readonly events: Pick<EventBus, "has" | "publishAsync">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
  readonly logger: Pick<Logger, "warn">;
}

/** Shortest time between two edits of a message, in milliseconds: platforms count edits. */
const EDIT_EVERY_MS = 3000;
const MAX_OUTPUT_CHARS = 1500;
const MAX_STEPS_SHOWN = 20;
const MARKS: Readonly<Record<StepStatus, string>> = {
  pending: "○",
  running: "▶",
  waiting: "⏸",
  done: "✓",
  failed: "✗",
  skipped: "–",
};

/** Shows the progress of runs: one message in the conversation that started the run, and events. */
export type Progress = ReturnType<typeof createProgress>;

export function createProgress(deps: ProgressDeps) {
  const { notify, editSent, sessions, timezoneOf, events, clock, metrics, logger } = deps;
  /** Runs whose message is about to be edited. */
  const editing = new Map<string, WorkflowRun>();

  function publish(
    type: "workflow.started" | "workflow.step" | "workflow.ended",
    run: WorkflowRun,
    more: object,
  ): void {
    if (!events.has(type)) return;
    const { id: runId, definition, place, status } = run;
    const payload = { runId, name: definition.name, user: place.user, status, ...more };
    events.publishAsync({ type, sessionId: place.home.sessionKey, timestamp: clock.now(), payload });
  }

  /**
   * Announces that a run began. Contract: a repeated call says nothing; never throws, because the run goes on without
   * the message.
   */
  async function started(run: WorkflowRun): Promise<void> {
    publish("workflow.started", run, {});
    const { target } = run.place.home;
    if (run.parent || target === undefined || isOfHeartbeat(run.place.startedBy)) return;
    await say(run, `workflow:${run.id}`, textOf(run), noticeAddress(target)).catch((error: unknown) =>
      logger.warn("The first message of a workflow run could not be stored", { run: run.id, error: messageOf(error) }),
    );
  }

  /** Shows that a run, or the step at this place, has changed. Contract: best effort; never throws. */
  function changed(run: WorkflowRun, place?: StepPlace): void {
    publish("workflow.step", run, place ? { step: stepAt(run, place) } : {});
    if (run.parent || run.place.home.target === undefined) return;
    const isWaiting = editing.has(run.id);
    editing.set(run.id, run);
    if (isWaiting) return;
    after(clock, EDIT_EVERY_MS, () => void editNewest(run.id), { idle: true });
  }

  function stepAt(run: WorkflowRun, place: StepPlace) {
    const state = stateOf(run, place.id, place.item);
    const { status, attempt } = state;
    if (isOver(state)) metrics.increment("workflow.step_total", { kind: stepOf(run, place.id).run, status });
    return { id: placeName(place), status, attempt };
  }

  async function editNewest(id: string): Promise<void> {
    const newest = editing.get(id);
    editing.delete(id);
    const target = newest?.place.home.target;
    if (!newest || isEnded(newest) || target === undefined) return;
    await editSent(target, `workflow:${id}`, (_, limits) => fitting(textOf(newest), limits));
  }

  /**
   * Announces that a run ended: edits its message, or sends a new one where the channel cannot edit. Adds a note to the
   * conversation.
   */
  async function ended(run: WorkflowRun): Promise<void> {
    const { id, place, endedAt = 0, definition, error } = run;
    editing.delete(id);
    publish("workflow.ended", run, error ? { reason: error.message } : {});
    if (run.parent) return;
    const text = textOf(run);
    const note = { id: `workflow:${id}:${endedAt}`, text, source: `workflow ${definition.name}` };
    await sessions.addNote(place.home.sessionKey, note);
    const { target } = place.home;
    let isTold = false;
    if (target !== undefined) {
      const isEdited = await editSent(target, `workflow:${id}`, (_, limits) => {
        // An edit holds one part only. A longer text is sent as a message of its own.
        isTold ||= splitText(text, limits).length > 1;
        return fitting(textOf(run, isTold), limits);
      });
      if (isEdited && !isTold) return;
    }
    isTold = true;
    const address = target
      ? noticeAddress(target)
      : { user: place.user, channel: place.channel, account: place.account };
    await say(run, `workflow:${id}:${endedAt}`, text, address);
  }

  async function say(run: WorkflowRun, id: string, text: string, address: NoticeAddress): Promise<void> {
    const { user, home, startedBy } = run.place;
    const requested = !isOfHeartbeat(startedBy);
    await notify({ ...address, user, id, type: "workflow", text, sessionKey: home.sessionKey, requested });
  }

  function textOf(run: WorkflowRun, isShort = false): string {
    const { definition, status, startedAt, endedAt = startedAt, output, summary } = run;
    const language = languageOfRun(run);
    const common = { name: definition.name, ...progressOf(run) };
    if (status === "done") {
      const time = spanText(endedAt - startedAt);
      const result =
        isShort || output === undefined || output === null ? "" : `\n\n${shortened(asText(output), MAX_OUTPUT_CHARS)}`;
      return workflowText("DONE", { language }, { ...common, time }) + result;
    }
    if (status === "failed" || status === "cancelled") {
      const said = workflowText(status === "failed" ? "FAILED" : "CANCELLED", { language }, common);
      return isShort || summary === undefined ? said : `${said}\n${summary}`;
    }
    return `${headOf(run, common)}\n${stepsOf(run)}`;
  }

  function headOf(
    run: WorkflowRun,
    common: { readonly name: string; readonly done: number; readonly total: number },
  ): string {
    const language = languageOfRun(run);
    const [waiting] = waitingSteps(run);
    if (run.status !== "waiting" || !waiting) return workflowText("STARTED", { language }, common);
    const { step, wait } = waiting;
    const values = { ...common, step: step.id };
    if (wait.approval) return workflowText("WAITS_APPROVAL", { language }, values);
    if (wait.event !== undefined) return workflowText("WAITS_EVENT", { language }, { ...values, event: wait.event });
    if (wait.until === undefined || wait.run !== undefined) return workflowText("STARTED", { language }, common);
    const when = calendarOrUtc(timezoneOf(run.place.user)).show(wait.until);
    return workflowText("WAITS_UNTIL", { language }, { ...values, when });
  }

  return { started, changed, ended };
}

function stepsOf(run: WorkflowRun): string {
  return run.definition.steps
    .slice(0, MAX_STEPS_SHOWN)
    .map(({ id }) => {
      const { status, items } = stateOf(run, id);
      const done = items?.filter((item) => item.status === "done").length;
      return `${MARKS[status]} ${id}${items ? ` ${done}/${items.length}` : ""}`;
    })
    .join("\n");
}

/** The first part of a text: an edit holds one part only. */
function fitting(text: string, limits: SplitOptions): string {
  return splitText(text, limits)[0] ?? text;
}

/** Formats a span, such as `40 s`, `12 min` or `3 h`. */
function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
