import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { memoryStore, systemClock, virtualWorkspace } from "../../entry.host.ts";
import { guardPath } from "../../mod.ts";
import { createArtifacts } from "../../src/artifacts/index.ts";
import {
  artifactTools,
  channelHistoryTool,
  clarifyTool,
  contextTool,
  createToolRegistry,
  execTools,
  fileTools,
  memoryTools,
  messageTool,
  notifyTool,
  planTool,
  searchTools,
  timeTool,
} from "../../src/tools/index.ts";
import { callTool } from "../tools/call-tool.ts";
import { stockTool } from "./stock-tool.ts";
import { platform } from "../support/this-platform.ts";

const page = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");

/** The cells of the table that follows a heading, without its head; code marks are kept. */
function tableAfter(text: string, heading: string): string[][] {
  const section = text.slice(text.indexOf(`\n${heading}\n`));
  const rows = /(?:^\|.*\|\n)+/mu.exec(section)?.[0].trimEnd().split("\n") ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const workspace = virtualWorkspace({ store: memoryStore() });

const builtIn = createToolRegistry({
  ...fileTools({ workspaceFor: () => workspace }),
  ...(await execTools({ workspaceFor: () => workspace, workspaces: [workspace] })),
  ...messageTool({ send: async () => ({ id: "1" }) }),
  ...notifyTool({ notify: async () => {} }),
  ...clarifyTool(),
  ...timeTool({ clock: systemClock(), timezone: "UTC" }),
  ...searchTools({ workspaceFor: () => workspace, load: platform.load }),
  ...planTool({ clock: systemClock() }),
  ...memoryTools({} as never), // nothing of these four is called
  ...channelHistoryTool({} as never),
  ...contextTool({} as never),
  ...artifactTools({ artifacts: createArtifacts({ store: memoryStore(), clock: systemClock() }) }),
});

describe("docs/tools.md", () => {
  it("names every built-in tool with its inputs, group and whether it runs again", async () => {
    const documented = tableAfter(await page("tools.md"), "## The built-in tools").map((row) => row.slice(0, 4));
    const real = builtIn.all.map((tool) => {
      const { properties, required } = tool.jsonSchema as { properties: object; required: readonly string[] };
      const inputs = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? "" : "?"}\``);
      return [`\`${tool.name}\``, inputs.join(", "), tool.groups.join(", "), tool.idempotent ? "yes" : "no"];
    });
    expect(new Map(documented.map((row) => [row[0], row]))).toEqual(new Map(real.map((row) => [row[0], row])));
  });
});

describe("docs/tools-own.md", () => {
  it("shows a tool that runs as written", async () => {
    const code = await readFile(new URL("./stock-tool.ts", import.meta.url), "utf8");
    expect(await page("tools-own.md")).toContain(
      `\`\`\`ts\n${code.replace(/"..\/..\/(?:mod|entry\.host)\.ts"/, '"wakeful"')}\`\`\``,
    );
    expect(await callTool({ stock: stockTool }, "stock", { article: "pears" })).toEqual({ article: "pears", left: 0 });
    expect(await callTool({ stock: stockTool }, "stock", { article: "plums" })).toEqual({
      refused: "NOT_FOUND",
      message: 'There is no article "plums": choose one of apples, pears',
    });
    expect(await callTool({ stock: stockTool }, "stock", {})).toMatchObject({ refused: "BAD_INPUT" });
  });
});

describe("docs/workspaces-paths.md", () => {
  const root = "/srv/workspace";
  const isAccepted = (path: string, names: "posix" | "portable") => guardPath(path, { root, names }).ok;
  const examplesOf = (text: string) =>
    [...text.matchAll(/`([^`]+)`/gu)].map(([, path = ""]) => path.replace("\\0", "\0"));
  const examplesAfter = async (heading: string) =>
    tableAfter(await page("workspaces-paths.md"), heading).flatMap(([, cell = ""]) => examplesOf(cell));

  it("gives examples of paths that no rule accepts", async () => {
    const examples = await examplesAfter("## What the path guard refuses");
    expect(examples.length).toBeGreaterThan(12);
    for (const path of examples)
      expect([isAccepted(path, "posix"), isAccepted(path, "portable")], path).toEqual([false, false]);
  });

  it("gives examples of paths that only POSIX allows", async () => {
    const examples = await examplesAfter("### Portable names");
    expect(examples.length).toBeGreaterThan(12);
    for (const path of examples)
      expect([isAccepted(path, "posix"), isAccepted(path, "portable")], path).toEqual([true, false]);
  });

  it("gives examples of names that are accepted", async () => {
    const sentence =
      /^Files may have every name that POSIX allows: .*?;/mu.exec(await page("workspaces-paths.md"))?.[0] ?? "";
    const examples = examplesOf(sentence);
    expect(examples.length).toBeGreaterThan(7);
    for (const path of examples) expect(isAccepted(path, "posix"), path).toBe(true);
  });

  it("gives examples of accepted paths that are accepted", async () => {
    const sentence = /^Accepted by both are .*$/mu.exec(await page("workspaces-paths.md"))?.[0] ?? "";
    const examples = examplesOf(sentence).filter((path) => path !== "/");
    expect(examples.length).toBeGreaterThan(7);
    for (const path of examples)
      expect([isAccepted(path, "posix"), isAccepted(path, "portable")], path).toEqual([true, true]);
  });
});
