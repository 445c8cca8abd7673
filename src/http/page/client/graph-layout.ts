/** A step, and the steps that must have ended before it. */
export interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

/** A cell of the grid, from 0. */
export interface Cell {
  /** The length of the longest way from a step that needs nothing. */
  readonly column: number;
  readonly row: number;
}

/** A line from a step to one that needs it. */
export interface GraphLine {
  readonly from: string;
  readonly to: string;
  /** Cells between the two that are left free for it. */
  readonly through: readonly Cell[];
}

export interface GraphLayout {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly lines: readonly GraphLine[];
}

/** What stands in a column: a step, or the way of lines past it. */
interface Node {
  readonly column: number;
  /** What its lines come from, in the column before. */
  readonly from: readonly string[];
}

/**
 * Where the boxes and lines of a graph of steps stand: in columns by depth, near what they need, with cells left free for lines over several columns. A need
 * that follows from others has no line. Steps wait for one another in no circle.
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
  /** The way of the lines from a step through a column, shared by all that go further. */
  const wayOf = (from: string, column: number): string => {
    if (column === depth(from)) return from;
    const way = `${column} ${from}`; // No step's id begins so.
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

/** Needs that do not follow from other needs. */
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

/** Column by column: each node as near as can be to the middle of what its lines come from. */
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
