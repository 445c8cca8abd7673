import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createLocator, plant, readTexts } from "./mutants/locate.ts";
import { MUTANTS } from "./mutants/mutants.ts";

const root = join(import.meta.dirname, "..");

describe("planted defects", () => {
  let locate: ReturnType<typeof createLocator>;
  beforeAll(async () => {
    locate = createLocator(await readTexts(root));
  });

  // A room's sources are parsed once.
  const byRoom = Map.groupBy(MUTANTS, ({ room }) => room);
  it.each([...byRoom.keys()])("each stand for one place of %s", (room) => {
    const located = (byRoom.get(room) ?? []).map(locate);
    expect(located.flatMap((one) => ("problem" in one ? [one.problem] : []))).toEqual([]);
  });

  it("each name a test that exists", () => {
    const tests = [...new Set(MUTANTS.map(({ test }) => test))];
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });
});

const GATE = `
import { limit } from "./limit.ts";

export function createGate(names: readonly string[]) {
  /** Who may come in. */
  function admit(name: string): boolean {
    if (name === "" || name.length > limit) return false;
    return names.some((one) => one === name);
  }

  return { admit };
}
`;

/** Names are as in GATE, the rest as another formatter would have it. */
const REFORMATTED = `
import { limit } from './limit.ts'

export function createGate(
    names: readonly string[],
) {
    function admit(
        name: string, // as the channel says
    ): boolean {
        if (
            name === '' ||
            name.length > limit
        ) return false
        return names.some(
            (one) => one === name,
        )
    }
    return { admit, }
}
`;

const TARGET = {
  promise: "only known names come in",
  room: "src/doors",
  declaration: "createGate.admit",
  piece: 'if (name === "" || name.length > limit) return',
};

const locateIn = (texts: Readonly<Record<string, string>>, target: Partial<typeof TARGET> = {}) =>
  createLocator(new Map(Object.entries(texts)))({ ...TARGET, ...target });

/** The file and the text that a target stands for, or its problem. */
function found(
  texts: Readonly<Record<string, string>>,
  target: Partial<typeof TARGET> = {},
): readonly string[] | string {
  const located = locateIn(texts, target);
  if ("problem" in located) return located.problem;
  const { source, start, end } = located.place;
  return [source.file, source.text.slice(start, end)];
}

describe("createLocator()", () => {
  it("finds a piece by its tokens", () => {
    expect(found({ "src/doors/gate.ts": GATE })).toEqual(["src/doors/gate.ts", TARGET.piece]);
  });

  it("finds it in a file that was formatted in another way", () => {
    const [file, text] = found({ "src/doors/gate.ts": REFORMATTED });
    expect(file).toBe("src/doors/gate.ts");
    expect(text!.replace(/\s+/g, " ")).toBe("if ( name === '' || name.length > limit ) return");
  });

  it.each([
    ["a comma that a formatter added", "names.some((one) => one === name)"],
    ["a comma that a formatter took away", "names.some((one) => one === name,)"],
    ["a list that ends within the piece", "(names: readonly string[],) {"],
    ["a piece that ends in a comma", "return { admit,"],
  ])("passes over %s", (_, piece) => {
    const target = { declaration: "createGate", piece };
    for (const text of [GATE, REFORMATTED]) {
      expect(found({ "src/doors/gate.ts": text }, target)).toEqual(["src/doors/gate.ts", expect.any(String)]);
    }
  });

  it("takes the comma at the end of a piece, where there is one", () => {
    const file = "src/doors/list.ts";
    const target = { declaration: "LIST", piece: "b," };
    expect(found({ [file]: "const LIST = [a, b, c];" }, target)).toEqual([file, "b,"]);
    expect(found({ [file]: "const LIST = [a, b, ];" }, target)).toEqual([file, "b,"]);
    expect(found({ [file]: "const LIST = [a, b];" }, target)).toEqual([file, "b"]);
    expect(found({ [file]: "const LIST = [a, b + c];" }, target)).toContain("does not hold the piece");
  });

  it.each([
    ["a string by its value", "const A = ['it\\'s', '\\u0041'];", `["it's", "A"]`],
    ["a regular expression whole", 'const A = /[/"]+/u;', '/[/"]+/u'],
    ["a division", "const A = (b / c) / d;", "(b / c) / d"],
    ["a template with a template in it", "const A = `a ${b ? `}${c}` : { d }.d} e`;", "`a ${b ? `}${c}` : { d }.d} e`"],
    ["a shift", "const A = b >> c;", "b >> c"],
    ["lists of types that close together", "const A: Map<string, Set<string>> = b;", "Map<string, Set<string>> = b"],
    ["a comment between tokens", "const A = f(/* why */ b); // c", "f(b)"],
  ])("compares %s", (_, text, piece) => {
    expect(found({ "src/doors/a.ts": text }, { declaration: "A", piece })).toEqual([
      "src/doors/a.ts",
      expect.any(String),
    ]);
  });

  it("tells tokens apart that differ", () => {
    const texts = { "src/doors/a.ts": 'const A = ["b", c];' };
    for (const piece of ["b", '"c"', "`b`", '"b" c', '"b", c, d']) {
      expect(found(texts, { declaration: "A", piece })).toContain("does not hold the piece");
    }
  });

  it("follows a function to another file of its room", () => {
    const moved = found({ "src/doors/gate.ts": "export const limit = 80;", "src/doors/inner/admission.ts": GATE });
    expect(moved).toEqual(["src/doors/inner/admission.ts", TARGET.piece]);
  });

  it("needs no outer names where one declaration of the room has the piece", () => {
    const lifted = GATE.replace("export function createGate(names: readonly string[]) {", "");
    expect(found({ "src/doors/gate.ts": GATE }, { declaration: "admit" })).toEqual(["src/doors/gate.ts", TARGET.piece]);
    expect(found({ "src/doors/gate.ts": lifted }, { declaration: "admit" })).toEqual([
      "src/doors/gate.ts",
      TARGET.piece,
    ]);
  });

  it("knows methods, properties, constants, types and imports by their names", () => {
    const texts = {
      "src/doors/a.ts": `
        import { b } from "./b.ts";
        const LIMITS = { most: 3 };
        export interface Shape { readonly side: number }
        class Box { constructor(readonly a: number) {} get lid() { return this.a; } shut = () => this.a + 1; }
        export const make = () => ({ open: () => 4, doors: { open() { return 5; } } });`,
    };
    const at = (declaration: string, piece: string) => found(texts, { declaration, piece });
    for (const [declaration, piece] of [
      ["./b.ts", "import { b }"],
      ["LIMITS", "most: 3"],
      ["Shape", "side: number"],
      ["Box.constructor", "readonly a: number"],
      ["Box.lid", "return this.a"],
      ["shut", "this.a + 1"],
      ["make.open", "4"],
      ["doors.open", "return 5"],
    ] as const) {
      expect(at(declaration, piece)).toEqual(["src/doors/a.ts", piece]);
    }
    expect(at("make.open", "5")).toContain("does not hold the piece");
  });

  it("says which entry it is, what to mend and where the piece stands when a declaration has another name", () => {
    expect(found({ "src/doors/gate.ts": GATE.replaceAll("admit", "letIn") })).toBe(
      '"only known names come in" (src/doors, createGate.admit: if (name === "" || name.length > limit) return): ' +
        "src/doors declares no createGate.admit. Mend its declaration or its room. The piece stands in createGate.letIn (src/doors/gate.ts:7).",
    );
  });

  it("says so when a function went to another room", () => {
    const problem = found({ "src/doors/gate.ts": "export {};", "src/hall/gate.ts": GATE });
    expect(problem).toContain(
      "Mend its declaration or its room. The piece stands in createGate.admit (src/hall/gate.ts:7).",
    );
    expect(found({ "src/hall/gate.ts": GATE })).toContain("there is no src/doors. Mend its room. The piece stands in");
  });

  it("says so when the piece itself changed", () => {
    expect(found({ "src/doors/gate.ts": GATE.replace("> limit", ">= limit") })).toMatch(
      /createGate\.admit \(src\/doors\/gate\.ts\) does not hold the piece\. Mend its piece\.$/,
    );
  });

  it("says so when the piece stands in several places", () => {
    expect(found({ "src/doors/gate.ts": GATE, "src/doors/copy.ts": GATE })).toContain(
      "the piece stands in 2 places (src/doors/gate.ts:7, src/doors/copy.ts:7). Give it more of the code around it.",
    );
    expect(found({ "src/doors/gate.ts": GATE }, { piece: "name" })).toContain("the piece stands in 4 places");
  });

  it("takes a piece without tokens for one that does not stand there", () => {
    expect(found({ "src/doors/gate.ts": GATE }, { piece: " // nothing" })).toContain("does not hold the piece");
  });
});

describe("plant()", () => {
  it("replaces the piece by its position and leaves the rest as it is", () => {
    const located = locateIn({ "src/doors/gate.ts": GATE });
    if ("problem" in located) throw new Error(located.problem);
    expect(plant(located.place, "if ('$&') return")).toBe(GATE.replace(TARGET.piece, () => "if ('$&') return"));
  });
});
