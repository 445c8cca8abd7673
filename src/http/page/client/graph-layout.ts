/** A step and the steps that it waits for. */
export interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

/** A grid cell, counted from 0. */
export interface Cell {
  /** Length of the longest path from a step without needs. */
  readonly column: number;
  readonly row: number;
}

/** A line from a step to a step that needs it. */
export interface GraphLine {
  readonly from: string;
  readonly to: string;
  /** Free cells between the two that it crosses. */
  readonly through: readonly Cell[];
}

export interface GraphLayout {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly lines: readonly GraphLine[];
}

/** An element of a column: a step, or a passage for lines. */
interface Node {
  readonly column: number;
  /** Sources of its lines in the previous column. */
  readonly from: readonly string[];
}

/**
 * Lays out a graph of steps: columns by depth, each step near its needs, with free cells for lines that span several
 * columns. Needs implied by others have no line. The steps must have no cycles.
 */
export function layoutGraph(steps: readonly GraphStep[]): GraphLayout {
  const needs = directNeeds(steps);
  const columnOf = new Map<string, number>();
  const depth = (id: string): number => {
    const known = columnOf.get(id) ?? Math.max(0, ...(needs.get(id) ?? []).map((need) => depth(need) + 1));
    columnOf.set(id, known);
    return known;
  };
  for (const { id } of steps) depth(id);

  const nodes = new Map<string, Node>();
  /** The passage of a step's lines through a column, shared by all lines that go further. */
  const wayOf = (from: string, column: number): string => {
    if (column === depth(from)) return from;
    const way = `${column} ${from}`; // No step id has this form.
    if (!nodes.has(way)) nodes.set(way, { column, from: [wayOf(from, column - 1)] });
    return way;
  };
  for (const { id } of steps) {
    const column = depth(id);
    nodes.set(id, { column, from: (needs.get(id) ?? []).map((need) => wayOf(need, column - 1)) });
  }

  const cells = rowsOf(nodes);
  const cellOf = (node: string): Cell => cells.get(node) ?? { column: 0, row: 0 };
  return {
    cells: new Map(steps.map(({ id }) => [id, cellOf(id)])),
    lines: steps.flatMap(({ id }) =>
      (needs.get(id) ?? []).map((from) => {
        const between = Array.from({ length: depth(id) - depth(from) - 1 }, (_, index) => depth(from) + 1 + index);
        return { from, to: id, through: between.map((column) => cellOf(wayOf(from, column))) };
      }),
    ),
  };
}

/** Returns the needs that are not implied by other needs. */
function directNeeds(steps: readonly GraphStep[]): ReadonlyMap<string, readonly string[]> {
  const needsOf = new Map(steps.map(({ id, needs }) => [id, needs]));
  const before = new Map<string, ReadonlySet<string>>();
  const allBefore = (id: string): ReadonlySet<string> => {
    const known = before.get(id);
    if (known) return known;
    const all = new Set((needsOf.get(id) ?? []).flatMap((need) => [need, ...allBefore(need)]));
    before.set(id, all);
    return all;
  };
  return new Map(
    steps.map(({ id, needs }) => {
      const known = [...new Set(needs)].filter((need) => needsOf.has(need));
      return [id, known.filter((need) => !known.some((other) => allBefore(other).has(need)))];
    }),
  );
}

/** Assigns rows column by column: each node as near as possible to the middle of its sources. */
function rowsOf(nodes: ReadonlyMap<string, Node>): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>();
  const last = Math.max(-1, ...[...nodes.values()].map(({ column }) => column));
  for (let column = 0; column <= last; column++) {
    const here = [...nodes].filter(([, node]) => node.column === column);
    const wanted = here.map(([id, { from }]) => {
      const rows = from.map((one) => cells.get(one)?.row ?? 0);
      return { id, row: rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length };
    });
    let free = 0;
    for (const { id, row } of wanted.toSorted((one, other) => one.row - other.row)) {
      const at = Math.max(free, Math.floor(row));
      cells.set(id, { column, row: at });
      free = at + 1;
    }
  }
  return cells;
}
