import type { JsonValue } from "../../../store/index.ts";
import type { ScriptTexts } from "../texts.ts";
import { barTable } from "./charts.ts";
import { asText, askingButton, button, codeBlock, element, inNumber } from "./elements.ts";
import { json } from "./server.ts";
import { localTime, timeLeft } from "./times.ts";
import type { WorkflowRunDetail, WorkflowRunEntry, WorkflowStepEntry } from "./wire.ts";
import { type WorkflowGraph, createWorkflowGraph, stepWord } from "./workflow-graph.ts";

export interface WorkflowRunViewParts {
  readonly runId: string;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who sees everyone's runs with their users. */
  readonly isOwner: boolean;
  /** Calls the API. Returns `undefined` after it has shown an error. */
  ask<T>(path: string, init?: RequestInit): Promise<T | undefined>;
  say(text: string): void;
  /** Returns the card for a request. `undefined` if there is none or the person may not answer it. */
  requestCard(id: string): Promise<HTMLElement | undefined>;
  /** Opens another run, or the list if `undefined`. */
  open(runId: string | undefined): void;
}

export interface WorkflowRunView {
  readonly element: HTMLElement;
  /** Reads the run again. Contract: never throws. */
  load(): Promise<void>;
  focus(): void;
}

export function runWord(texts: ScriptTexts, status: WorkflowRunEntry["status"]): string {
  return {
    running: texts.runRunning,
    waiting: texts.runWaiting,
    done: texts.runSuccess,
    failed: texts.runFailed,
    cancelled: texts.workflowCancelled,
  }[status];
}

export function progressText(texts: ScriptTexts, { progress: { done, total } }: WorkflowRunEntry): string {
  return inNumber(texts.workflowProgress, total).replace("{done}", String(done)).replace("{total}", String(total));
}

const BUDGETS = ["max_tokens", "max_seconds", "max_tool_calls"] as const;

/** The view of a run: its steps as a graph, usage and output, the selected step, and buttons to control it. */
export function createWorkflowRunView(parts: WorkflowRunViewParts): WorkflowRunView {
  const { runId, texts, isOwner, ask, say, requestCard, open } = parts;
  const root = `api/v1/workflows/${encodeURIComponent(runId)}`;
  const back = button(texts.workflowBack, () => open(undefined));
  const name = element("strong");
  const state = element("span", { class: "state" });
  const title = element("h3", {}, [name, " ", state]);
  title.tabIndex = -1;
  const facts = element("dl");
  const why = element("p", { class: "failed" });
  const summary = element("p", { class: "pre" });
  const used = element("div");
  const graphPlace = element("div");
  const stepPlace = element("div");
  const values = element("div");
  const cancel = askingButton(
    texts.workflowCancel,
    texts.workflowCancelSure,
    () => void act("/cancel", { method: "POST" }, texts.workflowCancelling),
  );
  const resume = button(texts.workflowResume, () => void goOn(), "");
  const amounts = BUDGETS.map((key) => {
    const box = element("input");
    box.type = "number";
    box.min = "1";
    return { key, box };
  });
  const labels = [texts.workflowTokens, texts.workflowSeconds, texts.workflowCalls];
  const budget = element("fieldset", { class: "fields" }, [
    element("legend", { text: texts.workflowBudgetNew }),
    ...amounts.map(({ box }, index) => element("label", { text: labels[index] ?? "" }, [box])),
  ]);
  const answers = element("div", { class: "answers" }, [cancel, resume]);
  const view = element("section", { class: "entry" }, [
    back,
    title,
    facts,
    why,
    summary,
    graphPlace,
    stepPlace,
    used,
    values,
    budget,
    answers,
  ]);
  let run: WorkflowRunDetail | undefined;
  let graph: WorkflowGraph | undefined;
  let chosen: string | undefined;
  /** The shown step and its form. Rebuilt only when they change, so that an input in progress stays. */
  let shownStep: { readonly key: string; readonly show: (step: WorkflowStepEntry) => void } | undefined;
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;

  async function load(): Promise<void> {
    const mine = ++generation;
    const found = await ask<WorkflowRunDetail>(root);
    if (found && mine === generation) show(found);
  }

  async function act(path: string, init: RequestInit, said: string): Promise<void> {
    const done = await ask<unknown>(root + path, init);
    if (done !== undefined) say(said);
    await load();
  }

  /** Resumes the run with the changed budget. */
  async function goOn(): Promise<void> {
    const changed = amounts.filter(({ key, box }) => box.value !== "" && Number(box.value) !== run?.budget[key]);
    const more = Object.fromEntries(changed.map(({ key, box }) => [key, Number(box.value)]));
    const body = changed.length > 0 ? { budget: more } : {};
    await act("/resume", json("POST", body), texts.workflowResumed);
  }

  function show(found: WorkflowRunDetail): void {
    const wasEnded = run !== undefined && isEnded(run);
    const before = run;
    run = found;
    name.textContent = found.name;
    state.textContent = `${runWord(texts, found.status)} · ${progressText(texts, found)}`;
    title.className = found.status;
    showFacts(found);
    summary.textContent = found.summary ?? "";
    why.textContent = found.error && !found.summary?.includes(found.error.message) ? failureText(found.error) : "";
    used.replaceChildren(usedTable(found));
    showValues(found);
    if (!graph) {
      graph = createWorkflowGraph(found.steps, texts, choose);
      graphPlace.replaceChildren(graph.element);
    }
    chosen ??= (found.steps.find(isOfInterest) ?? found.steps[0])?.id;
    graph.show(found.steps, chosen);
    showStep();
    const canGoOn = found.status === "failed" || found.status === "cancelled";
    const focused = document.activeElement;
    const hadFocus = answers.contains(focused) || budget.contains(focused);
    cancel.hidden = isEnded(found);
    resume.hidden = !canGoOn;
    budget.hidden = !canGoOn;
    if (before === undefined || wasEnded !== isEnded(found))
      for (const { key, box } of amounts) box.value = String(found.budget[key]);
    // The focused button may have been hidden, which moves the focus to the body.
    if (hadFocus && !focused?.checkVisibility()) title.focus();
  }

  function showFacts({ user, started_at: started, ended_at: ended, spent, parent }: WorkflowRunDetail): void {
    const lines: (readonly [string, string | Node])[] = [
      ...(isOwner ? [[texts.jobOf, user] as const] : []),
      [texts.workflowStarted, localTime(started)],
      ...(ended === undefined ? [] : [[texts.workflowEnded, `${localTime(ended)} (${span(started, ended)})`] as const]),
      ...(spent.cost === undefined ? [] : [[texts.workflowCost, number(spent.cost)] as const]),
      ...(parent ? [[texts.workflowPartOf, button(parent.step, () => open(parent.run_id))] as const] : []),
    ];
    showList(facts, lines);
  }

  function usedTable({ budget: most, spent }: WorkflowRunDetail): HTMLElement {
    const bar = (title: string, value: number, limit: number) => ({
      name: title,
      text: `${number(Math.round(value))} / ${number(limit)}`,
      value: Math.min(1, value / limit),
      isBad: value >= limit,
    });
    return barTable(
      texts.workflowUsed,
      [
        bar(texts.workflowTokens, spent.tokens, most.max_tokens),
        bar(texts.workflowSeconds, spent.seconds, most.max_seconds),
        bar(texts.workflowCalls, spent.tool_calls, most.max_tool_calls),
      ],
      1,
    );
  }

  function showValues({ inputs, output }: WorkflowRunDetail): void {
    values.replaceChildren(
      ...(Object.keys(inputs).length === 0 ? [] : valueBlock(texts.input, inputs)),
      ...(output === undefined ? [] : valueBlock(texts.output, output)),
    );
  }

  function choose(id: string): void {
    chosen = id;
    if (run) graph?.show(run.steps, chosen);
    showStep();
  }

  function showStep(): void {
    const step = run?.steps.find(({ id }) => id === chosen);
    if (!run || !step) return;
    const { approval, event, run_id: child } = step.waits_for ?? {};
    const key = [step.id, approval?.id, event, child, isEnded(run)].join(" ");
    if (shownStep?.key !== key) {
      const built = createStepView(step, isEnded(run));
      const hadFocus = stepPlace.contains(document.activeElement);
      stepPlace.replaceChildren(built.element);
      if (hadFocus) title.focus();
      shownStep = { key, show: built.show };
    }
    shownStep.show(step);
  }

  function createStepView(step: WorkflowStepEntry, hasRunEnded: boolean) {
    const lines = element("dl");
    const failure = element("p", { class: "failed" });
    const output = element("div");
    const ways = element("div", { class: "answers" });
    const { approval, event, run_id: child } = step.waits_for ?? {};
    const request = element("div");
    if (approval) {
      request.append(element("p", { text: `${texts.approval} ${approval.code}` }));
      void requestCard(approval.id).then((card) => card && request.replaceChildren(card));
    }
    if (event !== undefined && !hasRunEnded) request.append(eventForm(event));
    if (child !== undefined) ways.append(button(texts.workflowOpenRun, () => open(child)));
    if (hasRunEnded) {
      const again = askingButton(
        texts.workflowRetry,
        texts.workflowRetrySure,
        () => void act("/retry", json("POST", { step: step.id }), texts.workflowRetried.replace("{step}", step.id)),
      );
      ways.append(again);
    }
    const body = element("div", { class: "body" }, [
      element("h4", { text: step.id }),
      element("p", { text: step.what }),
      lines,
      failure,
      request,
      output,
      ways,
    ]);
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", step.id);
    return {
      element: body,
      show(now: WorkflowStepEntry) {
        showList(lines, stepFacts(now));
        failure.textContent = now.error ? failureText(now.error) : "";
        output.replaceChildren(
          ...(now.output === undefined ? [] : valueBlock(texts.output, now.output)),
          ...(now.artifact === undefined
            ? []
            : [element("p", { class: "why", text: texts.workflowArtifact.replace("{name}", now.artifact) })]),
        );
      },
    };
  }

  function stepFacts(step: WorkflowStepEntry): readonly (readonly [string, string])[] {
    const { started_at: started, ended_at: ended, tokens, tool_calls: calls, items, waits_for: waits } = step;
    return [
      [texts.workflowState, stepWord(texts, step.status)],
      [texts.workflowAttempt, String(step.attempt)],
      ...(started === undefined ? [] : [[texts.workflowStarted, localTime(started)] as const]),
      ...(started === undefined || ended === undefined
        ? []
        : [[texts.workflowEnded, `${localTime(ended)} (${span(started, ended)})`] as const]),
      ...(waits?.until === undefined ? [] : [[texts.workflowUntil, localTime(waits.until)] as const]),
      ...(waits?.event === undefined ? [] : [[texts.workflowEvent, waits.event] as const]),
      ...(items
        ? [
            [
              texts.workflowItems,
              `${items.done + items.failed} / ${items.total} (${texts.runFailed}: ${items.failed})`,
            ] as const,
          ]
        : []),
      ...(tokens === undefined ? [] : [[texts.workflowTokens, number(tokens)] as const]),
      ...(calls === undefined ? [] : [[texts.workflowCalls, number(calls)] as const]),
    ];
  }

  /** A form that sends the event that the run waits for. */
  function eventForm(event: string): HTMLFormElement {
    const data = element("input");
    data.type = "text";
    data.autocomplete = "off";
    const label = element("label", { text: texts.workflowEventData }, [data]);
    const send = element("button", { text: texts.workflowSendEvent.replace("{event}", event) });
    const form = element("form", { class: "fields" }, [label, send]);
    form.addEventListener("submit", (submitted) => {
      submitted.preventDefault();
      const body = { event, ...(data.value.trim() !== "" && { data: asData(data.value) }) };
      void act("/events", json("POST", body), texts.workflowEventSent);
    });
    return form;
  }

  function number(value: number): string {
    return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 4 });
  }

  return { element: view, load, focus: () => title.focus() };
}

function showList(list: HTMLElement, lines: readonly (readonly [string, string | Node])[]): void {
  list.replaceChildren(...lines.flatMap(([term, said]) => [element("dt", { text: term }), element("dd", {}, [said])]));
}

function valueBlock(title: string, value: JsonValue): readonly HTMLElement[] {
  return [element("h4", { text: title }), codeBlock(asText(value))];
}

function failureText({ code, message }: NonNullable<WorkflowStepEntry["error"]>): string {
  return `${code}: ${message}`;
}

function isEnded({ status }: WorkflowRunEntry): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

/** Whether to select this step first: it failed, waits or runs. */
function isOfInterest({ status }: WorkflowStepEntry): boolean {
  return status === "failed" || status === "waiting" || status === "running";
}

function span(from: string, to: string): string {
  return timeLeft(Date.parse(to) - Date.parse(from));
}

/** Parses JSON, else returns the text. */
function asData(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
