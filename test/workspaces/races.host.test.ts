import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import * as files from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostWorkspaceOver } from "../../adapters/workspaces/host/host-workspace.ts";
import type { FileCalls, FileHandle } from "../../adapters/workspaces/host/open-folder.ts";
import { AssistantError } from "../../mod.ts";
import type { Workspace } from "../../kit.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { FROM_OUTSIDE, OPERATIONS, changesOutside, layOut, shown } from "./two-folders.ts";
import { sampled, wholeOnNode } from "../support/thorough.ts";

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

/** What an operation gave, and what it did outside. */
async function attack(operation: string, swapBefore: readonly number[], options: AttackOptions) {
  layOut({ root, outside });
  swapped = false;
  const { calls, made } = attacked(swapBefore, options);
  const run = OPERATIONS[operation] as (workspace: Workspace) => Promise<unknown>;
  const given = await run(hostWorkspaceOver(calls, { root })).catch((error: unknown) => {
    if (AssistantError.is(error)) return { refused: error.code };
    throw error;
  });
  const { changed, added } = changesOutside({ root, outside });
  return {
    seen: shown(given),
    changed,
    added,
    made: made(),
    where: `${operation}, ${options.what} swapped before calls ${swapBefore.join(" and ")}`,
  };
}

function pairs(length: number): [number, number][] {
  return Array.from({ length }, (_, first) =>
    Array.from({ length: length - first - 1 }, (_, more): [number, number] => [first, first + 1 + more]),
  ).flat();
}

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
