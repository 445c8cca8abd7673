import type { ScriptTexts } from "../texts.ts";
import { svg } from "./charts.ts";
import { button, element } from "./elements.ts";
import { type Cell, type GraphLayout, layoutGraph } from "./graph-layout.ts";
import type { WorkflowStepEntry, WorkflowStepStatus } from "./wire.ts";

/** Maximum width at which the style stacks the columns vertically. */
const NARROW = "(max-width: 30rem)";
const ARROW = 5;

/** Symbols beside the status words, to distinguish steps by shape. */
const MARKS: Readonly<Record<WorkflowStepStatus, string>> = {
  pending: "○",
  running: "▸",
  waiting: "…",
  done: "✓",
  failed: "✕",
  skipped: "–",
};

export interface WorkflowGraph {
  readonly element: HTMLElement;
  /** Updates the states. The graph's steps never change. */
  show(steps: readonly WorkflowStepEntry[], chosen: string | undefined): void;
}

export function stepWord(texts: ScriptTexts, status: WorkflowStepStatus): string {
  return {
    pending: texts.stepPending,
    running: texts.runRunning,
    waiting: texts.runWaiting,
    done: texts.runSuccess,
    failed: texts.runFailed,
    skipped: texts.runSkipped,
  }[status];
}

/**
 * Shows steps as boxes in columns by depth, with a line to each step that needs them. A box is a button that selects
 * its step.
 */
export function createWorkflowGraph(
  steps: readonly WorkflowStepEntry[],
  texts: ScriptTexts,
  onChoose: (id: string) => void,
): WorkflowGraph {
  const layout = layoutGraph(steps);
  const boxes = new Map(steps.map((step) => [step.id, createBox(step, texts, onChoose)]));
  const ways = new Map<string, HTMLElement>();
  for (const { through } of layout.lines)
    for (const cell of through) {
      const way = element("li", { class: "way" });
      way.setAttribute("aria-hidden", "true");
      placeAt(way, cell);
      ways.set(nameOf(cell), ways.get(nameOf(cell)) ?? way);
    }
  for (const [id, cell] of layout.cells) placeAt(boxes.get(id)?.item, cell);
  const inOrder = steps.toSorted((one, other) => order(layout, one.id) - order(layout, other.id));
  const list = element("ol", {}, [...inOrder.flatMap(({ id }) => boxes.get(id)?.item ?? []), ...ways.values()]);
  const lines = svg("svg", { "aria-hidden": "true" });
  const view = element("div", { class: "graph" }, [element("div", {}, [lines, list])]);
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", texts.workflowSteps);

  const cellElement = (cell: Cell) => ways.get(nameOf(cell));
  function draw(): void {
    const isDown = matchMedia(NARROW).matches;
    lines.setAttribute("width", String(list.scrollWidth));
    lines.setAttribute("height", String(list.scrollHeight));
    lines.replaceChildren(
      ...layout.lines.map(({ from, to, through }) => {
        const on = [boxes.get(from)?.item, ...through.map(cellElement), boxes.get(to)?.item];
        return svg("path", {
          d: lineThrough(
            on.filter((one) => one !== undefined),
            isDown,
          ),
        });
      }),
    );
  }
  new ResizeObserver(draw).observe(list);

  return {
    element: view,
    show(now, chosen) {
      for (const step of now) boxes.get(step.id)?.show(step, step.id === chosen);
    },
  };
}

function createBox({ id, what, needs }: WorkflowStepEntry, texts: ScriptTexts, onChoose: (id: string) => void) {
  const state = element("span", { class: "state" });
  const box = button("", () => onChoose(id), "step");
  const after = needs.length === 0 ? "" : texts.workflowAfter.replace("{steps}", needs.join(", "));
  box.append(
    element("strong", { text: id }),
    " ",
    state,
    " ",
    element("span", { class: "what", text: what }),
    element("span", { class: "visually-hidden", text: after }),
  );
  return {
    item: element("li", {}, [box]),
    show({ status, attempt, items }: WorkflowStepEntry, isChosen: boolean) {
      const more = [
        ...(items ? [`${items.done} / ${items.total}`] : []),
        ...(attempt > 1 ? [texts.stepAttempt.replace("{count}", String(attempt))] : []),
      ];
      box.className = `step ${status}`;
      state.textContent = [`${MARKS[status]} ${stepWord(texts, status)}`, ...more].join(" · ");
      box.setAttribute("aria-pressed", String(isChosen));
    },
  };
}

function placeAt(item: HTMLElement | undefined, { column, row }: Cell): void {
  item?.style.setProperty("--column", String(column + 1));
  item?.style.setProperty("--row", String(row + 1));
}

function nameOf({ column, row }: Cell): string {
  return `${column} ${row}`;
}

/** Reading order: column by column. */
function order({ cells }: GraphLayout, id: string): number {
  const { column, row } = cells.get(id) ?? { column: 0, row: 0 };
  return column * cells.size + row;
}

/** An arrow from the end of the first box to the start of the last, straight through the boxes between. */
function lineThrough(boxes: readonly HTMLElement[], isDown: boolean): string {
  const [first, ...rest] = boxes.map((box) => endsOf(box, isDown));
  let from = first?.end ?? [0, 0];
  const parts = [`M${from.join(",")}`];
  for (const [index, { start, end }] of rest.entries()) {
    parts.push(curve(from, start, isDown));
    if (index < rest.length - 1) parts.push(`L${end.join(",")}`);
    from = index < rest.length - 1 ? end : start;
  }
  const [x, y] = from;
  parts.push(
    isDown
      ? `M${x - ARROW},${y - ARROW}L${x},${y}L${x + ARROW},${y - ARROW}`
      : `M${x - ARROW},${y - ARROW}L${x},${y}L${x - ARROW},${y + ARROW}`,
  );
  return parts.join("");
}

type Point = readonly [x: number, y: number];

function endsOf(
  { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height }: HTMLElement,
  isDown: boolean,
) {
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  const start: Point = isDown ? [middleX, top] : [left, middleY];
  const end: Point = isDown ? [middleX, top + height] : [left + width, middleY];
  return { start, end };
}

function curve([x, y]: Point, [toX, toY]: Point, isDown: boolean): string {
  const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
  return isDown
    ? `C${x},${middleY} ${toX},${middleY} ${toX},${toY}`
    : `C${middleX},${y} ${middleX},${toY} ${toX},${toY}`;
}
