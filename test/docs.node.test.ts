import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { LEAST, NEAR_DEVIATIONS } from "../src/memory/gate.ts";
import { VERSION } from "../src/version.ts";
import { docstringsOf, publishedSources } from "./docs/public-names.ts";

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");

/** The packages that a program imports from. */
function packagesOf(program: string): string[] {
  const specifiers = [...program.matchAll(/ from "([^".][^"]*)"/g)].map(([, specifier = ""]) => specifier);
  const packages = specifiers.filter((specifier) => !/^(?:node|cloudflare):/.test(specifier));
  return [
    ...new Set(
      packages.map((one) =>
        one
          .split("/")
          .slice(0, one.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
    ),
  ];
}

/** What a heading is called in a link, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");

describe("the documentation", () => {
  it("lists every error code, and none that does not exist", async () => {
    const source = (await read("src/errors.ts")).split("/** A condition")[0] ?? "";
    const codes = [...source.matchAll(/\| "([A-Z_]+)"/g)].map(([, code]) => code);
    const listed = [...(await read("docs/errors.md")).matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(10);
    expect(listed).toEqual(codes);
  });

  it("has the version of the package", async () => {
    const { version } = JSON.parse(await read("package.json")) as { version: string };
    expect(VERSION).toBe(version);
  });

  it("says of the gate of recall what stands in the code", async () => {
    const rows = [...(await read("docs/recall-unasked.md")).matchAll(/^\| .* \| ((?:telling|\d+ deviations).*) \|$/gm)];
    const told = Object.values(LEAST).map(([first, ...others]) =>
      [
        `telling ${first?.telling}, coverage ${first?.coverage}`,
        ...others.map(({ telling, coverage }) => `${telling} and ${coverage}`),
      ].join("; or "),
    );
    expect(new Set(rows.map(([, least]) => least))).toEqual(new Set([...told, `${NEAR_DEVIATIONS} deviations`]));
  });

  it("links to files that exist", async () => {
    const pages = [
      "README.md",
      "ARCHITECTURE.md",
      "AGENTS.md",
      ...(await readdir(new URL("../docs", import.meta.url)))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`),
    ];
    const broken: string[] = [];
    for (const page of pages) {
      for (const [, link = ""] of (await read(page)).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
        const target = new URL(link, new URL(`../${page}`, import.meta.url));
        const exists = await readdir(target).catch((error: NodeJS.ErrnoException) =>
          error.code === "ENOTDIR" ? [] : null,
        );
        if (exists === null) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("links to headings that exist, and so do the docstrings", async () => {
    const pages = (await readdir(new URL("../docs", import.meta.url))).filter((name) => name.endsWith(".md"));
    const headings = new Map<string, string[]>();
    for (const page of pages) {
      const text = (await read(`docs/${page}`)).replace(/^```[\s\S]*?^```/gm, "");
      headings.set(
        page,
        [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading),
      );
    }
    const broken: string[] = [];
    for (const page of pages) {
      for (const [, target = "", anchor = ""] of (await read(`docs/${page}`)).matchAll(
        /\]\(([\w-]+\.md)?#([^)\s]+)\)/g,
      )) {
        const there = headings.get(target === "" ? page : target)?.map(anchorOf) ?? [];
        if (!there.includes(anchor)) broken.push(`docs/${page}: ${target}#${anchor}`);
      }
    }
    const sources: string[] = [];
    for (const folder of ["src", "adapters"]) {
      const files = await readdir(new URL(`../${folder}`, import.meta.url), { recursive: true });
      for (const file of files.filter((name) => name.endsWith(".ts"))) {
        const text = await read(`${folder}/${file}`);
        for (const [, page = "", quoted = ""] of text.matchAll(
          /docs\/([\w-]+\.md)(, "[^"\n]+"(?: and "[^"\n]+")*)?/g,
        )) {
          sources.push(page);
          const named = [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = ""]) => heading);
          const there = headings.get(page);
          // The sections of config.md are rows of its table.
          const missing = page === "config.md" ? [] : named.filter((heading) => !there?.includes(heading));
          if (there === undefined || missing.length > 0) broken.push(`${folder}/${file}: docs/${page}${quoted}`);
        }
      }
    }
    expect(sources.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it("installs in the README what its example imports, and in each example's package.json what that imports", async () => {
    const [, embed = ""] = (await read("README.md")).split("## Embed it");
    const [, installed = ""] = /^npm install (.+)$/m.exec(embed) ?? [];
    const [, program = ""] = /^```ts\n(.*?)^```/ms.exec(embed) ?? [];
    expect(packagesOf(program)).not.toEqual([]);
    expect(installed.split(" ")).toEqual(expect.arrayContaining(packagesOf(program)));
    const examples = await readdir(new URL("../examples", import.meta.url), { withFileTypes: true });
    expect(examples.length).toBeGreaterThan(1);
    for (const { name } of examples.filter((entry) => entry.isDirectory())) {
      const { dependencies } = JSON.parse(await read(`examples/${name}/package.json`)) as { dependencies: object };
      const files = (await readdir(new URL(`../examples/${name}`, import.meta.url))).filter((file) =>
        file.endsWith(".ts"),
      );
      for (const file of files) {
        const imported = packagesOf(await read(`examples/${name}/${file}`));
        expect([name, Object.keys(dependencies)]).toEqual([name, expect.arrayContaining(imported)]);
      }
    }
  });

  it("gives the two commands in the README as they are run", async () => {
    const readme = await read("README.md");
    expect(readme).toContain("npm install && npm start");
    expect(readme).toContain("npm install && npm test");
  });

  it("has a sentence for every published name and every member of one", async () => {
    const { names, missing } = await docstringsOf(await publishedSources());
    expect(names).toBeGreaterThan(400);
    expect(missing.map(({ place, name }) => `${place} ${name}`)).toEqual([]);
  });
});

describe("docstringsOf()", () => {
  const sources: Readonly<Record<string, string>> = {
    "door.ts": `
      /** A module. @module */
      export { one as first } from "./room.ts";
      export type { Shape } from "./room.ts";
      export * from "./more.ts";
      import { inner } from "./room.ts";
      export { inner };`,
    "room.ts": `
      export const one = 1;
      export function inner() {}
      export const hidden = 2;
      /** A shape. */
      export interface Shape {
        /** How wide, in millimetres. */
        width: number;
        height: number;
        [other: string]: unknown;
        deep: {
          far: { near: number };
        };
        draw(): void;
      }`,
    "more.ts": `
      /** Options. @module */
      export type Options = { size: number } & Shape;
      /** A box. */
      export class Box extends Error {
        override readonly name = "Box";
        readonly side = 1;
        private readonly secret = 2;
        #own = 3;
        constructor() { super(); }
        /** Opens it. */
        open() {}
        shut() {}
      }
      /** @throws {RangeError} For what is no size. */
      export function check() {}
      /** @returns The size. */
      export function sizeOf() {}
      /** Reads a text. */
      export function read(from: string): string;
      export function read(from: number): string;
      export function read(from: unknown) { return String(from); }`,
  };

  it("names file, line and member of what has none, and follows exports to their declarations", async () => {
    const { names, missing } = await docstringsOf(["door.ts"], async (file) => sources[file] ?? "");
    expect(names).toBe(10);
    expect(missing.map(({ place, name }) => `${place} ${name}`)).toEqual([
      "room.ts:2 one",
      "room.ts:9 Shape.height",
      "room.ts:11 Shape.deep",
      "room.ts:12 Shape.deep.far",
      "room.ts:14 Shape.draw",
      "more.ts:3 Options",
      "more.ts:3 Options.size",
      "more.ts:7 Box.side",
      "more.ts:13 Box.shut",
      "more.ts:16 check",
      "room.ts:3 inner",
    ]);
  });
});
