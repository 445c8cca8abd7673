import type { ScriptTexts } from "../texts.ts";
import { nameIn, showEditBox } from "./edit-box.ts";
import { askingButton, button, codeBlock, element, find, inNumber, showInOrder, wireView } from "./elements.ts";
import { type Server, createAsk, json, problemText } from "./server.ts";
import { localTime } from "./times.ts";
import type { WorkflowEntry, WorkflowNews, WorkflowRunEntry } from "./wire.ts";
import { createStartForm } from "./workflow-form.ts";
import { stepWord } from "./workflow-graph.ts";
import { type WorkflowRunView, createWorkflowRunView, progressText, runWord } from "./workflow-run-view.ts";

export interface WorkflowsViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who sees everyone's runs and edits definitions. */
  readonly isOwner: boolean;
  /** See `WorkflowRunViewParts`. */
  requestCard(id: string): Promise<HTMLElement | undefined>;
}

export interface WorkflowsView {
  /** Contract: never throws. */
  start(): Promise<void>;
  /** Reads the open view again. Contract: never throws. */
  refresh(): void;
  /** Reports that a run started, progressed or ended. Contract: never throws. */
  tell(news: WorkflowNews): void;
}

const ROOT = "api/v1/workflows";
const RUNS_SHOWN = 50;
const NEW_WORKFLOW = `name: my-workflow
description: What it is good for
inputs:
  topic: { type: string }
steps:
  - id: first
    run: prompt
    prompt: Write three sentences about \${inputs.topic}.
`;

/**
 * The view of workflows: definitions to start, runs with their progress, and one run with its steps. Its button is
 * hidden if the server has no workflows.
 */
export function createWorkflowsView({ server, texts, isOwner, requestCard }: WorkflowsViewParts): WorkflowsView {
  const dialog = find("workflows-view", HTMLDialogElement);
  const status = find("workflows-status", HTMLElement);
  const lists = find("workflows-lists", HTMLElement);
  const runList = find("workflows-runs", HTMLUListElement);
  const definitionList = find("workflows-definitions", HTMLElement);
  const newBody = find("workflows-new", HTMLElement);
  const runPlace = find("workflows-run", HTMLElement);
  const runRows = new Map<string, ReturnType<typeof createRunRow>>();
  const definitionRows = new Map<string, ReturnType<typeof createDefinitionRow>>();
  let shown: { readonly runId: string; readonly view: WorkflowRunView } | undefined;
  /** One read at a time. A request during a read causes one more read. */
  let reading: Promise<void> | undefined;
  let isStale = false;

  const say = (text: string) => (status.textContent = text);

  const ask = createAsk(server, texts, say);

  async function load(): Promise<void> {
    isStale = true;
    reading ??= (async () => {
      while (isStale) {
        isStale = false;
        await (shown ? shown.view.load() : loadLists());
      }
    })().finally(() => (reading = undefined));
    await reading;
  }

  async function loadLists(): Promise<void> {
    const found = await ask<{ definitions: WorkflowEntry[]; runs: WorkflowRunEntry[] }>(`${ROOT}?limit=${RUNS_SHOWN}`);
    if (!found) return;
    const { definitions, runs } = found;
    showRows(runList, runRows, runs, { keyOf: ({ run_id: id }) => id, create: createRunRow });
    if (runs.length === 0) runList.replaceChildren(element("li", { class: "muted", text: texts.workflowsNoRuns }));
    showRows(definitionList, definitionRows, definitions, { keyOf: ({ name }) => name, create: createDefinitionRow });
    if (definitions.length === 0)
      definitionList.replaceChildren(element("p", { class: "hint", text: texts.workflowsNone }));
  }

  function createRunRow({ run_id: runId, name }: WorkflowRunEntry) {
    const state = element("span", { class: "state" });
    const about = element("span", { class: "why" });
    const bar = element("progress");
    bar.setAttribute("aria-hidden", "true"); // The figures are shown as text.
    const row = button("", () => open(runId), "row");
    row.append(element("span", {}, [element("strong", { text: name }), " ", state]), about, bar);
    const view = element("li", {}, [row]);
    return {
      view,
      show(run: WorkflowRunEntry) {
        view.className = run.status;
        state.textContent = runWord(texts, run.status);
        about.textContent = [
          progressText(texts, run),
          localTime(run.started_at),
          ...(isOwner ? [run.user] : []),
          ...(run.error ? [run.error.message] : []),
        ].join(" · ");
        bar.max = Math.max(1, run.progress.total);
        bar.value = run.progress.done;
      },
    };
  }

  function createDefinitionRow(first: WorkflowEntry) {
    const { name } = first;
    const path = `${ROOT}/definitions/${encodeURIComponent(name)}`;
    const about = element("p");
    const state = element("span", { class: "state" });
    const formPlace = element("div");
    const text = element("div");
    const body = element("div", { class: "body" }, [about, formPlace, text]);
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", name);
    const view = element("details", { class: "entry" }, [
      element("summary", {}, [element("strong", { text: name }), " ", state]),
      body,
    ]);
    view.addEventListener("toggle", () => {
      // Keep an edit in progress.
      if (!text.querySelector("textarea")) void readText();
    });
    let entry: WorkflowEntry | undefined;

    async function readText(): Promise<void> {
      if (!view.open) return;
      const found = await ask<{ yaml: string }>(path);
      if (found) showText(found.yaml);
    }

    function showText(yaml: string): void {
      const change = button(texts.edit, () => {
        const save = (changed: string) => keep(name, changed);
        const onDone = () => void readText().then(() => text.querySelector("button")?.focus());
        showEditBox(text, { texts, text: yaml, label: name, save, onDone });
      });
      const remove = askingButton(texts.remove, texts.removeSure, () => void removeIt());
      const isChangeable = isOwner && entry?.source === "file";
      text.replaceChildren(
        element("h4", { text: texts.workflowText }),
        codeBlock(yaml),
        ...(isChangeable ? [element("div", { class: "answers" }, [change, remove])] : []),
      );
    }

    async function removeIt(): Promise<void> {
      if ((await ask(path, { method: "DELETE" })) === undefined) return;
      say(texts.workflowRemoved);
      find("workflows-close", HTMLButtonElement).focus();
      await load();
    }

    return {
      view,
      show(now: WorkflowEntry) {
        about.textContent = now.description;
        const source = {
          host: texts.workflowOfHost,
          file: "",
          "built-in": texts.skillBuiltIn,
          skill: texts.workflowOfSkill,
        };
        const steps = inNumber(texts.workflowStepCount, now.steps).replace("{count}", String(now.steps));
        state.textContent = [source[now.source], steps].filter((one) => one !== "").join(" · ");
        // Keep the form's values as long as the inputs are the same.
        if (!entry || JSON.stringify(entry.inputs) !== JSON.stringify(now.inputs))
          formPlace.replaceChildren(createStartForm(now, texts, (inputs) => start(name, inputs)));
        entry = now;
      },
    };
  }

  async function start(name: string, inputs: object): Promise<void> {
    const started = await ask<{ run_id: string }>(ROOT, json("POST", { name, inputs }));
    if (!started) return;
    say(texts.workflowRuns.replace("{name}", name));
    open(started.run_id);
  }

  /** Saves a definition. @returns The error, if any. */
  async function keep(name: string, yaml: string): Promise<string | undefined> {
    try {
      const response = await server.request(`${ROOT}/definitions/${encodeURIComponent(name)}`, json("PUT", { yaml }));
      if (!response.ok) return await problemText(response, texts);
    } catch {
      return texts.unreachable;
    }
    say(texts.workflowSaved);
    await load();
    return undefined;
  }

  function offerNew(): void {
    const write = button(texts.workflowNew, () =>
      showEditBox(newBody, {
        texts,
        text: NEW_WORKFLOW,
        label: texts.workflowNew,
        save: async (yaml) => {
          const name = nameIn(yaml);
          return definitionRows.has(name) ? texts.nameTaken.replace("{name}", name) : keep(name, yaml);
        },
        onDone() {
          offerNew();
          newBody.querySelector("button")?.focus();
        },
      }),
    );
    newBody.replaceChildren(write);
  }

  /** Opens a run, or the lists if `undefined`. */
  function open(runId: string | undefined): void {
    const left = shown?.runId;
    shown = undefined;
    if (runId !== undefined) {
      const view = createWorkflowRunView({ runId, texts, isOwner, ask, say, requestCard, open });
      shown = { runId, view };
      runPlace.replaceChildren(view.element);
    }
    lists.hidden = runId !== undefined;
    runPlace.hidden = runId === undefined;
    void load().then(() => {
      if (shown?.runId !== runId) return;
      // Keep the focus if the person already uses the run: moving it would cancel a button's question.
      if (runPlace.contains(document.activeElement)) return;
      if (shown) shown.view.focus();
      else (left === undefined ? undefined : runRows.get(left))?.view.querySelector("button")?.focus();
    });
  }

  return {
    async start() {
      wireView("workflows", () => {
        say("");
        open(undefined);
      });
      if (isOwner) offerNew();
      // If the request fails, the button stays; the opened view shows the error.
      const response = await server.request(`${ROOT}?limit=1`).catch(() => undefined);
      find("workflows", HTMLElement).hidden = response?.status === 404;
    },
    refresh() {
      if (dialog.open) void load();
    },
    tell({ run_id: runId, name, status: state, step }) {
      if (!dialog.open) return;
      if (shown?.runId === runId)
        say(step ? `${step.id}: ${stepWord(texts, step.status)}` : `${name}: ${runWord(texts, state)}`);
      else if (!shown && !step) say(`${name}: ${runWord(texts, state)}`);
      if (!shown || shown.runId === runId) void load();
    },
  };
}

interface Row<Entry> {
  readonly view: HTMLElement;
  show(entry: Entry): void;
}

/** Rows stay in place while the order is the same, and keep their open state and focus. */
function showRows<Entry>(
  list: HTMLElement,
  rows: Map<string, Row<Entry>>,
  entries: readonly Entry[],
  { keyOf, create }: { keyOf(entry: Entry): string; create(entry: Entry): Row<Entry> },
): void {
  const keys = new Set(entries.map(keyOf));
  for (const key of rows.keys()) if (!keys.has(key)) rows.delete(key);
  const views = entries.map((entry) => {
    const key = keyOf(entry);
    const row = rows.get(key) ?? create(entry);
    rows.set(key, row);
    row.show(entry);
    return row.view;
  });
  showInOrder(list, views);
}
