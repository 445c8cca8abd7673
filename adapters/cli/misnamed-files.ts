import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { betterName, isFoundName } from "../storage/fs/index.ts";
import { storePath } from "./data-place.ts";
import type { Settings } from "./settings.ts";
import { type Terminal, printLine } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";

/** Folders in which people write files, by the command that lists them. */
const FOLDERS = { jobs: "jobs", workflows: "workflows/defs", skills: "skills" } as const;
const SKILL = /^skill\.md$/i;
/** For people only: a skill works without it. */
const LICENSE = /^license(?:\.txt)?$/i;

/** A file that a person wrote and no command reads because of its name, with a way to correct that. */
export interface MisnamedFile {
  readonly what: string;
  readonly remedy: string;
}

/** The misnamed files of a file store; none for other stores. */
export function misnamedFiles(settings: Settings, cwd: string, room: keyof typeof FOLDERS): readonly MisnamedFile[] {
  const path = storePath(settings, cwd);
  if (path === undefined || (settings.config.store?.driver ?? "fs") !== "fs") return [];
  const folder = join(path, FOLDERS[room]);
  if (room === "skills") return entriesIn(folder).flatMap((entry) => misnamedSkill(folder, entry));
  const aside = entriesIn(folder).filter(({ name }) => room === "jobs" && name.endsWith(".yaml.bad"));
  const mistaken = aside.map(({ name }) => ({
    what: printable(`${join(folder, name)} was set aside because it has a mistake`),
    remedy: printable(`fix it, and rename it to ${name.slice(0, -".bad".length)}`),
  }));
  const named = yamlFiles(folder).flatMap((name) => {
    const better = betterName(name) ?? (name.endsWith(".yml") ? name.replace(/yml$/, "yaml") : undefined);
    if (better === undefined) return [];
    const what = printable(
      `${join(folder, name)} is not read: its name must have only lower-case letters, digits, . _ - and end in .yaml`,
    );
    return [{ what, remedy: printable(`rename it, for example to ${better}`) }];
  });
  return [...named, ...mistaken];
}

/** Prints them next to a command's list. @returns Whether there are any. */
export function tellMisnamed(settings: Settings, terminal: Terminal, room: keyof typeof FOLDERS): boolean {
  const misnamed = misnamedFiles(settings, terminal.cwd, room);
  for (const { what, remedy } of misnamed) printLine(terminal.stderr, `${what}; ${remedy}`);
  return misnamed.length > 0;
}

/** What is ignored of a copied skill: all of it, or some of its files. */
function misnamedSkill(folder: string, skill: Dirent): readonly MisnamedFile[] {
  const path = join(folder, skill.name);
  const files = skill.isDirectory() ? entriesIn(path) : [];
  const text = files.find(({ name }) => SKILL.test(name));
  if (text === undefined) return [];
  if (!isFoundName(skill.name, { directory: true })) return [misnamed(path, foundName(skill))];
  if (!files.some(({ name }) => name === "SKILL.md")) return [misnamed(join(path, text.name), "SKILL.md")];
  return misnamedWithin(path, files);
}

function misnamedWithin(folder: string, entries: readonly Dirent[]): readonly MisnamedFile[] {
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    const directory = entry.isDirectory();
    if (!directory && LICENSE.test(entry.name)) return [];
    if (!isFoundName(entry.name, { directory })) return [misnamed(path, foundName(entry))];
    return directory ? misnamedWithin(path, entriesIn(path)) : [];
  });
}

function misnamed(path: string, better: string): MisnamedFile {
  const what = "is not read because of its name";
  return { what: printable(`${path} ${what}`), remedy: printable(`rename it, for example to ${better}`) };
}

/** A similar name that the store finds. */
function foundName(entry: Dirent): string {
  const directory = entry.isDirectory();
  const small = entry.name.toLowerCase().replaceAll(/[^a-z0-9.\u4e00-\u9fff]+/g, "-");
  if (isFoundName(small, { directory })) return small;
  const withoutDots = small.replaceAll(".", "-");
  return directory ? withoutDots : `${withoutDots}.txt`;
}

/** Entries whose names do not begin with a dot. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return []; // missing, or the doctor's storage row reports the problem
  }
}

function yamlFiles(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/i.test(entry.name))
    .map(({ name }) => name);
}
