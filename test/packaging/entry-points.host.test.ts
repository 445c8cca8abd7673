import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../mod.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
const npm = read("package.json") as {
  version: string;
  exports: Record<string, string | { types: string; workerd?: string; default: string }>;
  imports?: unknown;
  bin: Record<string, string>;
};
const jsr = read("deno.json") as { version: string; exports: Record<string, string>; imports?: Record<string, string> };

/** `adapters/<port>/<name>` for each folder that has an `index.ts`. */
const adapters = readdirSync(join(root, "adapters"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: port }) =>
    readdirSync(join(root, "adapters", port), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, "adapters", port, entry.name, "index.ts")))
      .map(({ name }) => `${port}/${name}`),
  );

const sources: Record<string, string> = {
  ".": "./entry.host.ts",
  "./kit": "./kit.ts",
  "./cli": "./adapters/cli/main.ts",
  "./mcp": "./adapters/mcp/index.ts",
  "./testing": "./src/testing/index.ts",
  ...Object.fromEntries(adapters.map((path) => [`./${path}`, `./adapters/${path}/index.ts`])),
};

/** What a Worker gets in another form: bound to what a Worker lends. */
const FOR_WORKERS: Record<string, string | undefined> = {
  ".": "./dist/entry.workers.js",
  "./workspaces/virtual": "./dist/adapters/workspaces/virtual/workers.js",
};

describe("the entry points of the package", () => {
  it("are the front door, the command, MCP, the testing kit and one for each adapter", () => {
    const { "./package.json": itself, ...entries } = npm.exports;
    expect(itself).toBe("./package.json");
    const built = Object.entries(sources).map(([name, source]) => {
      const path = source.replace("./", "").replace(/\.ts$/, "");
      const onWorkers = FOR_WORKERS[name];
      return [
        name,
        { types: `./dist/${path}.d.ts`, ...(onWorkers && { workerd: onWorkers }), default: `./dist/${path}.js` },
      ];
    });
    expect(entries).toEqual(Object.fromEntries(built));
  });

  it("are the same on JSR", () => {
    expect(jsr.exports).toEqual({ ...sources, ".": "./entry.jsr.ts" });
  });

  it("are found without a map of imports", () => {
    expect([npm.imports, jsr.imports]).toEqual([undefined, undefined]);
  });

  it("name types first, which resolvers take in order", () => {
    for (const entry of Object.values(npm.exports)) {
      if (typeof entry === "object")
        expect(Object.keys(entry).filter((name) => name !== "workerd")).toEqual(["types", "default"]);
      if (typeof entry === "object") expect(Object.keys(entry).at(0)).toBe("types");
    }
  });

  it("have one version, which the program knows too", () => {
    expect([npm.version, jsr.version]).toEqual([VERSION, VERSION]);
  });

  it("have the command as their bin", () => {
    expect(npm.bin).toEqual({ wakeful: "./dist/adapters/cli/main.js" });
  });
});
