import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import * as files from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostWorkspaceOver } from "../../adapters/workspaces/host/host-workspace.ts";
import { hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import type { FileCalls, FileHandle } from "../../adapters/workspaces/host/open-folder.ts";
import { AssistantError } from "../../mod.ts";
import type { Workspace } from "../../kit.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { WHOLE, sampled, wholeOnNode } from "../support/thorough.ts";

const CALLS = ["lstat", "mkdir", "open", "readdir", "readlink", "realpath", "rename", "unlink"] as const;
const TEMPORARY = /^\.wakeful-.*\.tmp$/u;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let outside: string;
let swapped: boolean;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, "root");
  outside = join(folder.path, "outside");
});
afterEach(() => folder.remove());

/** What is swapped for a link: the folder with everything in it, or the file alone. */
type Swapped = "d" | "d/file";
const BEHIND_LINK = { d: "", "d/file": "file" } as const;

/** A folder `d` with files in it, and outside one with files of the same names. */
function layOut(): void {
  rmSync(root, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
  for (const [where, text] of [
    [join(root, "d"), "inside"],
    [outside, "secret"],
  ] as const) {
    mkdirSync(join(where, "below"), { recursive: true });
    writeFileSync(join(where, "file"), text);
    writeFileSync(join(where, "below", "file"), text);
  }
  for (const name of ["only-outside", "below/only-outside"]) writeFileSync(join(outside, name), "secret");
  swapped = false;
}

/** Puts a link that leaves in the place of what was there, or that back. */
function swap(what: Swapped): void {
  if (swapped) {
    rmSync(join(root, what), { recursive: true, force: true });
    renameSync(join(root, "hidden"), join(root, what));
  } else {
    if (!existsSync(join(root, what))) return; // The operation has removed it.
    renameSync(join(root, what), join(root, "hidden"));
    symlinkSync(join(outside, BEHIND_LINK[what]), join(root, what));
  }
  swapped = !swapped;
}

/** Thousands of attacks need no durable files. */
function withoutSync(handle: unknown): unknown {
  return Object.assign(handle as FileHandle, { sync: async () => {} });
}

interface AttackOptions {
  /** Whether the system shows open files under /proc. */
  readonly proc: boolean;
  readonly what: Swapped;
}

/** File calls that let the attacker in before the calls of these numbers, and count. */
function attacked(swapBefore: readonly number[], options: AttackOptions): { calls: FileCalls; made(): number } {
  let made = 0;
  const calls: Record<string, unknown> = {};
  for (const name of CALLS) {
    const original = files[name] as (...given: unknown[]) => Promise<unknown>;
    calls[name] = (...given: unknown[]) => {
      if (swapBefore.includes(made++)) swap(options.what);
      if (name === "readlink" && !options.proc)
        return Promise.reject(Object.assign(new Error("none"), { code: "ENOENT" }));
      const result = original(...given);
      return name === "open" ? result.then(withoutSync) : result;
    };
  }
  return { calls: calls as FileCalls, made: () => made };
}

const OPERATIONS: Readonly<Record<string, (workspace: Workspace) => Promise<unknown>>> = {
  read: (workspace) => workspace.read("d/file"),
  "read what is only outside": (workspace) => workspace.read("d/only-outside"),
  replace: (workspace) => workspace.write("d/file", "written"),
  "replace a version": async (workspace) => {
    const { version } = (await workspace.read("d/file")) ?? { version: null };
    await workspace.write("d/file", "written", { expect: version });
  },
  create: (workspace) => workspace.write("d/new", "written"),
  "create with folders": (workspace) => workspace.write("d/below/new", "written"),
  "read below": (workspace) => workspace.read("d/below/file"),
  "replace below": (workspace) => workspace.write("d/below/file", "written"),
  list: (workspace) => workspace.list("d"),
  "list below": (workspace) => workspace.list("d/below"),
  stat: (workspace) => workspace.stat("d/only-outside"),
  remove: (workspace) => workspace.remove("d/file"),
};

/** What an operation gave, and what it did outside. */
async function attack(operation: string, swapBefore: readonly number[], options: AttackOptions) {
  layOut();
  const { calls, made } = attacked(swapBefore, options);
  const run = OPERATIONS[operation] as (workspace: Workspace) => Promise<unknown>;
  const given = await run(hostWorkspaceOver(calls, { root })).catch((error: unknown) => {
    if (AssistantError.is(error)) return { refused: error.code };
    throw error;
  });
  const { changed, added } = changesOutside();
  return {
    seen: shown(given),
    changed,
    added,
    made: made(),
    where: `${operation}, ${options.what} swapped before calls ${swapBefore.join(" and ")}`,
  };
}

const FILES_OUTSIDE = ["below/file", "below/only-outside", "file", "only-outside"];

/** Files outside that are not as they were, and names that are new there. */
function changesOutside(): { changed: string[]; added: string[] } {
  const textOf = (name: string) =>
    existsSync(join(outside, name)) ? readFileSync(join(outside, name), "utf8") : "gone";
  const names = ["", "below"].flatMap((folder) => readdirSync(join(outside, folder)).map((name) => join(folder, name)));
  return {
    changed: FILES_OUTSIDE.filter((name) => textOf(name) !== "secret"),
    added: names.filter((name) => name !== "below" && !FILES_OUTSIDE.includes(name)),
  };
}

/** An operation's result as text, with the bytes of files as the text they hold. */
function shown(given: unknown): string {
  const asText = (_: string, value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value);
  return JSON.stringify(given, asText) ?? "";
}

function pairs(length: number): [number, number][] {
  return Array.from({ length }, (_, first) =>
    Array.from({ length: length - first - 1 }, (_, more): [number, number] => [first, first + 1 + more]),
  ).flat();
}

const FROM_OUTSIDE = /secret|only-outside","kind"/u;
type Outcome = Awaited<ReturnType<typeof attack>>;

/** One swap before each call in turn, then, where asked, every pair (in short: every seventh) of moments for a swap and back. */
async function* attackEverywhere(
  operation: string,
  { andBack, ...options }: AttackOptions & { readonly andBack: boolean | "everywhere" },
): AsyncIterable<Outcome> {
  const { made } = await attack(operation, [], options);
  expect(made).toBeGreaterThan(3);
  for (let at = 0; at < made; at++) yield attack(operation, [at], options);
  if (andBack === false) return;
  const moments = pairs(made + 2);
  for (const swapBefore of andBack === "everywhere" ? moments : sampled(moments, 7))
    yield attack(operation, swapBefore, options);
}

function expectNothingOutside({ seen, changed, added, where }: Outcome): void {
  expect(seen, where).not.toMatch(FROM_OUTSIDE);
  expect(changed, where).toEqual([]);
  expect(added, where).toEqual([]);
}

const every = wholeOnNode(Object.keys(OPERATIONS), 3);
/** The ones with the most between the check and the use; each takes hundreds of attacks. */
const longest = wholeOnNode<string>(["replace below", "read below", "create with folders", "list below", "remove"], 5);

describe("a folder that is swapped for a link between two calls", () => {
  it.runIf(process.platform === "linux").each(every)(
    "gives nothing away where /proc holds folders: %s",
    async (operation) => {
      const options = { what: "d", proc: true, andBack: longest.includes(operation) } as const;
      for await (const outcome of attackEverywhere(operation, options)) expectNothingOutside(outcome);
    },
  );

  it.each(every.filter((operation) => operation !== "remove"))(
    "is found by the checks after each step where /proc holds nothing: %s",
    async (operation) => {
      const options = { what: "d", proc: false, andBack: false } as const;
      for await (const outcome of attackEverywhere(operation, options)) expectNothingOutside(outcome);
    },
  );

  it.each(wholeOnNode(["read", "create"], 2))(
    "shows no text from outside and changes none where /proc holds nothing, also when swapped back: %s",
    async (operation) => {
      const options = { what: "d", proc: false, andBack: true } as const;
      for await (const { seen, changed, added, where } of attackEverywhere(operation, options)) {
        expect(seen, where).not.toContain("secret");
        expect(changed, where).toEqual([]);
        // The most that may be left is an empty temporary file.
        for (const name of added) expect(name, where).toMatch(TEMPORARY);
      }
    },
  );

  it("is a real attack: where /proc holds nothing, swapping there and back shows a list of what is outside", async () => {
    let shown = 0;
    for await (const { seen } of attackEverywhere("list", { what: "d", proc: false, andBack: "everywhere" })) {
      if (FROM_OUTSIDE.test(seen)) shown++;
      if (shown > 0) break;
    }
    expect(shown).toBe(1);
  });
});

describe("a file that is swapped for a link between two calls", () => {
  it.each(
    wholeOnNode(
      [
        { operation: "read", proc: true, andBack: true },
        { operation: "read", proc: false, andBack: true },
        { operation: "replace", proc: true, andBack: true },
        { operation: "replace", proc: false, andBack: false },
        { operation: "remove", proc: true, andBack: true },
        { operation: "remove", proc: false, andBack: false },
      ],
      3,
    ),
  )("shows and changes nothing outside: $operation, /proc $proc", async ({ operation, ...options }) => {
    for await (const outcome of attackEverywhere(operation, { what: "d/file", ...options }))
      expectNothingOutside(outcome);
  });
});

describe("a folder that another process swaps for a link all the time", () => {
  it("lets nothing outside be read or written", async (context) => {
    if (process.platform !== "linux") context.skip("only Linux holds folders by /proc");
    layOut();
    const script = join(dirname(fileURLToPath(import.meta.url)), "swap-loop.ts");
    const runner = "Deno" in globalThis ? ["run", "-A", script] : [script];
    let ended = false;
    const attacker = new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [...runner, root, outside, String(WHOLE ? 1 : 0.4)], (error, stdout) => {
        ended = true;
        if (error) reject(error);
        else resolve(stdout);
      });
    });
    const workspace = hostWorkspace({ root });
    const outcomes = new Map<string, number>();
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    while (!isOver()) {
      for (const [operation, run] of Object.entries(OPERATIONS)) {
        if (operation === "remove") continue;
        const given = await run(workspace).catch((error: unknown) => {
          if (AssistantError.is(error, "WORKSPACE_REFUSED") || AssistantError.is(error, "CONFLICT"))
            return { refused: error.code };
          throw error;
        });
        const seen = shown(given);
        expect(seen, operation).not.toMatch(FROM_OUTSIDE);
        count(seen.includes("refused") ? "refused" : "done");
      }
    }
    expect(Number(await attacker)).toBeGreaterThan(WHOLE ? 100 : 40);
    expect(changesOutside()).toEqual({ changed: [], added: [] });
    expect(outcomes.get("done")).toBeGreaterThan(0);
    expect(outcomes.get("refused")).toBeGreaterThan(0);

    function isOver(): boolean {
      return ended;
    }
  });
});
