import { describe, expect, it } from "vitest";
import { layoutGraph } from "../../src/http/page/client/graph-layout.ts";

/** `a` for a step that needs nothing, `b<a,c` for one that needs two. */
function layoutOf(...steps: string[]) {
  const { cells, lines } = layoutGraph(
    steps.map((step) => {
      const [id = "", needs] = step.split("<");
      return { id, needs: needs?.split(",") ?? [] };
    }),
  );
  return {
    cells: Object.fromEntries([...cells].map(([id, { column, row }]) => [id, `${column}.${row}`])),
    lines: lines.map(({ from, to, through }) =>
      [from, ...through.map(({ column, row }) => `${column}.${row}`), to].join(" "),
    ),
  };
}

describe("layoutGraph()", () => {
  it.each([
    { title: "nothing", steps: [], cells: {}, lines: [] },
    { title: "a chain", steps: ["a", "b<a", "c<b"], cells: { a: "0.0", b: "1.0", c: "2.0" }, lines: ["a b", "b c"] },
    {
      title: "steps side by side, and one that needs both",
      steps: ["a", "b<a", "c<a", "d<b,c"],
      cells: { a: "0.0", b: "1.0", c: "1.1", d: "2.0" },
      lines: ["a b", "a c", "b d", "c d"],
    },
    {
      title: "no line for what follows from others",
      steps: ["a", "b<a", "c<a,b"],
      cells: { a: "0.0", b: "1.0", c: "2.0" },
      lines: ["a b", "b c"],
    },
    {
      title: "a free cell for a line over a column",
      steps: ["a", "b", "c<b", "d<a,c"],
      cells: { a: "0.0", b: "0.1", c: "1.1", d: "2.0" },
      lines: ["b c", "a 1.0 d", "c d"],
    },
    {
      title: "one way for lines of one step",
      steps: ["a", "b", "c<b", "d<a,c", "e<a,c"],
      cells: { a: "0.0", b: "0.1", c: "1.1", d: "2.0", e: "2.1" },
      lines: ["b c", "a 1.0 d", "c d", "a 1.0 e", "c e"],
    },
    {
      title: "a step near what it needs, in whatever order they are written",
      steps: ["last<two", "one", "two<three", "three"],
      cells: { one: "0.0", three: "0.1", two: "1.1", last: "2.1" },
      lines: ["two last", "three two"],
    },
    {
      title: "what needs a step that there is not as if it did not, and a need that is named twice once",
      steps: ["a", "b<gone,a,a"],
      cells: { a: "0.0", b: "1.0" },
      lines: ["a b"],
    },
  ])("draws $title", ({ steps, cells, lines }) => {
    expect(layoutOf(...steps)).toEqual({ cells, lines });
  });

  it("puts no two of two hundred steps into one cell, and none before what it needs", () => {
    const steps = Array.from({ length: 200 }, (_, index) => ({
      id: `s${index}`,
      needs: [index - 1, index - 7, Math.floor(index / 3)]
        .filter((one) => one >= 0 && one < index && one % 4 !== 0)
        .map((one) => `s${one}`),
    }));
    const { cells, lines } = layoutGraph(steps);
    const names = [...cells.values()].map(({ column, row }) => `${column}.${row}`);
    expect(new Set(names).size).toBe(200);
    for (const { id, needs } of steps)
      for (const need of needs) expect(cells.get(need)?.column).toBeLessThan(cells.get(id)?.column ?? 0);
    for (const { through } of lines)
      for (const { column, row } of through) expect(names).not.toContain(`${column}.${row}`);
  });
});
