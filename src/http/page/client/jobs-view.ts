import { type Clock, after } from "../../../clock.ts";
import type { ScriptTexts } from "../texts.ts";
import { askingButton, button, element, find, showInOrder, wireView } from "./elements.ts";
import { type Server, createAsk, json } from "./server.ts";
import { localTime, timeLeft } from "./times.ts";
import type { JobEnded, JobEntry, JobRunEntry } from "./wire.ts";

export interface JobsViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who sees everyone's jobs with their users. */
  readonly isOwner: boolean;
  readonly clock: Clock;
}

export interface JobsView {
  /** Contract: never throws. */
  start(): Promise<void>;
  /** Reads the jobs again if the view is open. Contract: never throws. */
  refresh(): void;
  /** Reports that a run ended. Contract: never throws. */
  tellEnded(job: JobEnded): void;
}

const ROOT = "api/v1/jobs";
const MAX_SHOWN = 200;
const RUNS_SHOWN = 5;
const TICK_MS = 1000;
/** Maximum shown length of a run's output. */
const OUTPUT_CHARS = 200;

/** A job in the list. */
interface Row {
  readonly view: HTMLDetailsElement;
  show(job: JobEntry): void;
  /** Updates the countdown. @returns The planned time if it has just passed. */
  tick(): string | undefined;
  readRuns(): Promise<void>;
}

/**
 * The view of jobs: their times, results, and buttons to change them. Its button is hidden if the server keeps no jobs.
 */
export function createJobsView({ server, texts, isOwner, clock }: JobsViewParts): JobsView {
  const dialog = find("jobs-view", HTMLDialogElement);
  const list = find("jobs-list", HTMLElement);
  const hint = find("jobs-hint", HTMLElement);
  const status = find("jobs-status", HTMLElement);
  const close = find("jobs-close", HTMLButtonElement);
  const rows = new Map<string, Row>();
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;
  let stopTicking = () => {};

  const ask = createAsk(server, texts, (text) => (status.textContent = text));

  async function load(): Promise<void> {
    const mine = ++generation;
    const found = await ask<{ jobs: JobEntry[] }>(ROOT);
    if (!found || mine !== generation) return;
    showJobs(found.jobs);
    for (const { view, readRuns } of rows.values()) if (view.open) void readRuns();
  }

  /**
   * Shows jobs by their next times. Rows stay in place while the order is the same, and keep their open state and
   * focus.
   */
  function showJobs(all: readonly JobEntry[]): void {
    const jobs = all.toSorted(byNext).slice(0, MAX_SHOWN);
    const ids = new Set(jobs.map(({ id }) => id));
    for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
    const views = jobs.map((job) => {
      const row = rows.get(job.id) ?? createRow(job.id);
      rows.set(job.id, row);
      row.show(job);
      return row.view;
    });
    hint.textContent = all.length === 0 ? texts.jobsNone : all.length > MAX_SHOWN ? `${MAX_SHOWN} / ${all.length}` : "";
    showInOrder(list, views);
  }

  function createRow(id: string): Row {
    const name = element("strong");
    const state = element("span", { class: "state" });
    const left = element("time");
    const facts = element("dl");
    const task = element("p");
    const runs = element("ul", { class: "runs" });
    const runNow = button(texts.jobRunNow, () => act("/run", { method: "POST" }, texts.jobStarted));
    const change = button("", () => {
      const isActive = job?.status === "active";
      void act(
        "",
        json("PATCH", { status: isActive ? "paused" : "active" }),
        isActive ? texts.jobPausedNow : texts.jobResumedNow,
      );
    });
    const remove = askingButton(texts.remove, texts.removeSure, () => void removeJob());
    const answers = element("div", { class: "answers" }, [runNow, change, remove]);
    const body = element("div", { class: "body" }, [
      task,
      facts,
      element("h4", { text: texts.jobRuns }),
      runs,
      answers,
    ]);
    body.setAttribute("role", "group");
    const view = element("details", { class: "entry" }, [element("summary", {}, [name, " ", state, " ", left]), body]);
    view.addEventListener("toggle", () => {
      if (view.open) void readRuns();
    });
    let job: JobEntry | undefined;
    /** The planned time already reported by `tick`. */
    let come: string | undefined;
    const path = (more = "") => `${ROOT}/${encodeURIComponent(id)}${more}`;

    async function act(more: string, init: RequestInit, said: string): Promise<void> {
      const done = await ask(path(more), init);
      if (done !== undefined) status.textContent = said;
      await load();
    }

    async function removeJob(): Promise<void> {
      if ((await ask(path(), { method: "DELETE" })) === undefined) return load();
      const next = view.nextElementSibling ?? view.previousElementSibling;
      (next?.querySelector<HTMLElement>("summary") ?? close).focus();
      status.textContent = texts.jobRemoved;
      await load();
    }

    async function readRuns(): Promise<void> {
      const found = await ask<{ runs: JobRunEntry[] }>(path(`/runs?limit=${RUNS_SHOWN}`));
      if (!found) return;
      const lines = found.runs.map(runLine);
      runs.replaceChildren(
        ...(lines.length === 0 ? [element("li", { class: "muted", text: texts.jobNoRuns })] : lines),
      );
    }

    function tick(): string | undefined {
      const next = job?.next_run_at;
      left.hidden = next == null;
      if (next == null) return undefined;
      const ms = Date.parse(next) - clock.now();
      left.dateTime = next;
      left.title = localTime(next);
      left.textContent = ms <= 0 ? texts.jobDue : texts.jobIn.replace("{time}", timeLeft(ms));
      if (ms > 0 || come === next) return undefined;
      return (come = next);
    }

    return {
      view,
      readRuns,
      tick,
      show(given) {
        job = given;
        name.textContent = given.name;
        body.setAttribute("aria-label", given.name);
        const failed = given.last_run_status === "failed" && given.status === "active";
        state.textContent = failed ? `${stateOf(given)} · ${texts.jobLastFailed}` : stateOf(given);
        view.classList.toggle("failed", failed || given.status === "error");
        view.classList.toggle("done", given.status === "active" && !failed);
        task.textContent = given.task;
        facts.replaceChildren(
          ...factsOf(given).flatMap(([term, text]) => [element("dt", { text: term }), element("dd", { text })]),
        );
        change.textContent = given.status === "active" ? texts.jobPause : texts.jobResume;
        const isFixed = given.source === "static";
        change.hidden = isFixed || given.status === "done";
        remove.hidden = isFixed;
        tick();
      },
    };
  }

  function factsOf(job: JobEntry): readonly (readonly [string, string])[] {
    return [
      [texts.jobWhen, scheduleText(job)] as const,
      ...(job.next_runs.length > 0 ? [[texts.jobNext, job.next_runs.map(localTime).join("; ")] as const] : []),
      ...(isOwner ? [[texts.jobOf, job.user] as const] : []),
      ...(job.source === "static" ? [[texts.jobSource, texts.jobFixed] as const] : []),
    ];
  }

  function scheduleText({ schedule: { kind, cron, tz, at, every_ms: everyMs } }: JobEntry): string {
    if (kind === "cron") return [cron, tz].join(" ");
    if (kind === "every") return texts.jobEvery.replace("{time}", timeLeft(everyMs ?? 0));
    return at === undefined ? kind : localTime(at);
  }

  function stateOf({ status }: JobEntry): string {
    return { active: texts.jobActive, paused: texts.jobPaused, error: texts.jobBroken, done: texts.jobDone }[status];
  }

  function runLine({ planned, status: state, error, reason, output }: JobRunEntry): HTMLLIElement {
    const when = element("time", { text: localTime(planned) });
    when.dateTime = planned;
    const about = error ?? reason ?? output?.replaceAll(/\s+/g, " ").slice(0, OUTPUT_CHARS) ?? "";
    const look = state === "failed" ? "failed" : state === "success" ? "done" : "";
    return element("li", { class: look }, [
      when,
      " ",
      element("span", { class: "state", text: runState(state) }),
      ...(about === "" ? [] : [element("p", { text: about })]),
    ]);
  }

  function runState(state: JobRunEntry["status"]): string {
    return {
      waiting: texts.runWaiting,
      running: texts.runRunning,
      success: texts.runSuccess,
      failed: texts.runFailed,
      skipped: texts.runSkipped,
    }[state];
  }

  /** Runs once a second while the view is open. */
  function tick(): void {
    stopTicking = after(clock, TICK_MS, tick);
    const come = [...rows.values()].map((row) => row.tick()).filter((time) => time !== undefined);
    // The job starts now and gets a new next time.
    if (come.length > 0) void load();
  }

  return {
    async start() {
      wireView("jobs", () => {
        status.textContent = "";
        void load();
        tick();
      });
      dialog.addEventListener("close", stopTicking);
      // If the request fails, the button stays; the opened view shows the error.
      const response = await server.request(ROOT).catch(() => undefined);
      find("jobs", HTMLElement).hidden = response?.status === 404;
    },
    refresh() {
      if (dialog.open) void load();
    },
    tellEnded({ name, status: state }) {
      if (!dialog.open) return;
      status.textContent = `${name}: ${runState(state)}`;
      void load();
    },
  };
}

/** Compares by next time. Jobs without one come last, the newest first. */
function byNext(one: JobEntry, other: JobEntry): number {
  const next = (job: JobEntry) => (job.next_run_at === null ? Infinity : Date.parse(job.next_run_at));
  const [mine, theirs] = [next(one), next(other)];
  return mine === theirs ? Date.parse(other.created_at) - Date.parse(one.created_at) : mine < theirs ? -1 : 1;
}
