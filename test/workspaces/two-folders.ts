import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../kit.ts";

/** That of the assistant, and one that it must not reach. */
export interface Folders {
  readonly root: string;
  readonly outside: string;
}

/** A folder `d` with files in it, and outside one with files of the same names. */
export function layOut({ root, outside }: Folders): void {
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
}

/** What an assistant does in the folder. */
export const OPERATIONS: Readonly<Record<string, (workspace: Workspace) => Promise<unknown>>> = {
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

const FILES_OUTSIDE = ["below/file", "below/only-outside", "file", "only-outside"];

/** Files outside that are not as they were, and names that are new there. */
export function changesOutside({ outside }: Folders): { changed: string[]; added: string[] } {
  const textOf = (name: string) =>
    existsSync(join(outside, name)) ? readFileSync(join(outside, name), "utf8") : "gone";
  const names = ["", "below"].flatMap((folder) => readdirSync(join(outside, folder)).map((name) => join(folder, name)));
  return {
    changed: FILES_OUTSIDE.filter((name) => textOf(name) !== "secret"),
    added: names.filter((name) => name !== "below" && !FILES_OUTSIDE.includes(name)),
  };
}

/** An operation's result as text, with the bytes of files as the text they hold. */
export function shown(given: unknown): string {
  const asText = (_: string, value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value);
  return JSON.stringify(given, asText) ?? "";
}

/** What only the folder outside has. */
export const FROM_OUTSIDE = /secret|only-outside","kind"/u;
