import { readYaml } from "../../../src/settings/read-yaml.ts";
import {
  type SkillInstallerDeps,
  type SkillMeta,
  type SkillRegistry,
  createInstalledSkills,
  createSkillInstaller,
} from "../../../src/skills/index.ts";
import { type Store, type Value, memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { platform } from "../../support/this-platform.ts";
import { type RawArchive, type RawEntry, buildZip } from "./zip-builder.ts";

export const SKILL = (name = "greet", body = "Say hello.") =>
  `---\nname: ${name}\ndescription: Says hello\n---\n${body}\n`;
export const skillMd: RawEntry = { name: "SKILL.md", data: SKILL() };

/** An archive of the skill `greet` with more in it. */
export const greet = (more: readonly RawEntry[] = [], archive?: RawArchive): Uint8Array =>
  buildZip([skillMd, ...more], archive);

/** Reads the frontmatter as a parser of skills does. */
export function validate(text: string): { readonly name: string } {
  const [, frontmatter] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  if (frontmatter === undefined) throw new Error("it has no frontmatter");
  const { value, problems } = readYaml(frontmatter, platform.yaml());
  if (problems[0]) throw new Error(`line ${problems[0].line + 1}: ${problems[0].message}`);
  const { name, description } = value as { readonly name?: unknown; readonly description?: unknown };
  if (typeof name !== "string") throw new Error("name: expected a text");
  if (typeof description !== "string" || description === "") throw new Error("description: expected a text");
  return { name };
}

export interface Shelf {
  archive: Uint8Array;
  meta: Partial<SkillMeta>;
}

/** A registry of one archive for each slug, which a test may change. */
export function shelfRegistry(
  name: string,
  shelf: Record<string, Shelf>,
): SkillRegistry & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name,
    asked,
    search: async (query) => {
      asked.push(`search ${query}`);
      return Object.keys(shelf).map((slug, index) => ({
        slug,
        name: slug,
        description: `About ${slug}`,
        score: 1 - index / 10,
      }));
    },
    meta: async (slug) => {
      asked.push(`meta ${slug}`);
      const found = shelf[slug];
      return found ? { slug, name: slug, description: "", version: "1.0.0", verdict: "clean", ...found.meta } : null;
    },
    download: async (slug, version) => {
      asked.push(`download ${slug} ${version}`);
      const found = shelf[slug];
      if (!found) throw new Error("no such skill");
      return found.archive;
    },
  };
}

/** The rooms of installing, over a store and registries. */
export function setUp(
  registries: readonly SkillRegistry[],
  store: Store = memoryStore(),
  more: Partial<Pick<SkillInstallerDeps, "validate" | "changed" | "metrics">> = {},
) {
  const clock = fakeClock(Date.UTC(2026, 1, 1, 12));
  const installed = createInstalledSkills({ store, clock });
  const named = registries.map((registry, index) => ({ name: registry.name ?? `registry-${index + 1}`, registry }));
  const installer = createSkillInstaller({ registries: named, installed, clock, validate, ...more });
  return { store, clock, installed, installer };
}

/** Everything in a store: keys, contents, versions. */
export async function everythingIn(store: Store): Promise<Readonly<Record<string, { value: Value; version: string }>>> {
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  const all: Record<string, { value: Value; version: string }> = {};
  for (const key of keys) {
    const found = await store.get(key);
    if (found) all[key] = found;
  }
  return all;
}

/** What lies under a skill's name, as texts. */
export async function filesOf(store: Store, name: string): Promise<Readonly<Record<string, Value>>> {
  const prefix = `skills/${name}/`;
  const all = await everythingIn(store);
  const own = Object.entries(all).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, { value }]) => [key.slice(prefix.length), value]));
}
