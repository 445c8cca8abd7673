import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { type PatternEngine, linearEngineOf } from "../patterns/index.ts";
import type { Machine, Platform } from "../platform.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import { createActivations } from "./activations.ts";
import { builtInSkillSource } from "./built-in-source.ts";
import { createInstalledSkills, withoutHidden } from "./install/installed.ts";
import { createSkillInstaller } from "./install/installer.ts";
import type { NamedRegistry } from "./install/registries.ts";
import { createLessons } from "./lessons.ts";
import { objectionsTo } from "./links.ts";
import { parseSkill } from "./parse-skill.ts";
import { MAX_SKILL_FILE_BYTES, SKILL_FILE } from "./skill-path.ts";
import { createSuggestions } from "./suggestions.ts";
import { createWorkspaceSkills } from "./workspace-skills.ts";
import { folderSkillSource } from "./folder-source.ts";
import { createSkillGate } from "./gating.ts";
import type { ShelvedSkill, SkillKind } from "./loaded.ts";
import { createSkillOffers } from "./offered-skills.ts";
import type { SkillsOptions } from "./options.ts";
import { type SkillShelf, createSkillShelf } from "./shelf.ts";
import type { SkillSource } from "./source.ts";
import { storeSkillSource } from "./store-source.ts";

/** The skills folder that all programs of a person share, in their home. */
const GLOBAL_FOLDER = ".wakeful/skills";

export interface OpenSkillsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
  /** Default: no metrics. */
  readonly metrics?: Pick<Metrics, "increment"> | undefined;
  readonly platform: Pick<Platform, "yaml" | "machine" | "linearPatterns">;
  /** The linear engine that the host gave; `undefined`: the runtime's. */
  readonly patterns: PatternEngine | undefined;
  /** Names of the connected channels. */
  readonly channels: readonly string[];
  /** Registries that skills are installed from. */
  readonly registries: readonly NamedRegistry[];
}

/** The skills of an assistant. */
export type OpenedSkills = ReturnType<typeof openSkills>;

/**
 * Opens the sources of skills. Nothing is read before the first use.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a folder on a runtime without folders, and for a source without the
 * required members.
 */
export function openSkills(options: SkillsOptions, deps: OpenSkillsDeps) {
  const { store, clock, logger, metrics, platform, patterns, registries } = deps;
  const { yaml, machine } = platform;
  const installed = createInstalledSkills({ store, clock });
  const stored = storeSkillSource(store);
  const sources = sourcesOf(options, withoutHidden(stored, installed), machine);
  let toolNames: () => readonly string[] = () => [];
  const shelf: SkillShelf = createSkillShelf({
    sources,
    yaml,
    clock,
    logger,
    gate: createSkillGate({ machine, channels: () => deps.channels, tools: () => toolNames() }),
    validate: objectionsTo,
  });
  const linear = patterns === undefined ? linearEngineOf(platform) : () => patterns;
  const offers = createSkillOffers({ shelf, logger, linear });
  const workspace = createWorkspaceSkills({ store, shelf, yaml });
  const activations = createActivations({ store, clock, metrics });
  const installer = createSkillInstaller({
    registries,
    installed,
    clock,
    metrics,
    validate: (text) => parseSkill(text, { path: SKILL_FILE }, yaml),
    changed: shelf.invalidate,
  });

  const sourceOf = ({ source: name, kind }: Pick<ShelvedSkill, "source" | "kind">): SkillSource | undefined =>
    sources.find((one) => one.kind === kind && one.source.name === name)?.source;

  return {
    shelf,
    linear,
    /**
     * Called at start. Finishes installations that a process left when it died, and loads the skills and their
     * statistics, so that no turn waits for them.
     */
    async open(): Promise<void> {
      await installer.recover();
      await Promise.all([activations.load(), offers.prepare()]);
    },
    /** Called once tools exist: loading checks the names of tools that skills require. */
    seeTools(names: () => readonly string[]): void {
      toolNames = names;
    },
    offers,
    activations,
    suggestions: createSuggestions({ store, clock, metrics }),
    /** Skills that the assistant itself writes. */
    workspace,
    lessons: createLessons({ shelf, workspace }),
    installer,
    /** Everything in the store, including skills that are not offered because they wait for the owner. */
    stored,
    /** The text of a skill's `SKILL.md`; null if it is gone. */
    textOf: async (shelved: ShelvedSkill): Promise<string | null> =>
      (await sourceOf(shelved)?.read(shelved.folder)) ?? null,
    /** A text file next to a skill's `SKILL.md`; null if there is none, or it is not text. */
    async fileOf(shelved: ShelvedSkill, path: string): Promise<string | null> {
      const bytes = await sourceOf(shelved)?.readFile?.(shelved.folder, path);
      if (bytes === null || bytes === undefined) return null;
      try {
        // The size limit may have cut a character in two.
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes, {
          stream: bytes.length === MAX_SKILL_FILE_BYTES,
        });
      } catch {
        return null;
      }
    },
    /** Paths of the files next to a skill's `SKILL.md`; empty if its source cannot list them. */
    filesOf: async (shelved: ShelvedSkill): Promise<readonly string[]> =>
      (await sourceOf(shelved)?.files?.(shelved.folder)) ?? [],
  };
}

function sourcesOf(
  { sources = [], builtIn = true, global = false }: SkillsOptions,
  workspace: SkillSource,
  machine: Machine | undefined,
): readonly { readonly source: SkillSource; readonly kind: SkillKind }[] {
  const given = sources.map((one, index) => ({ source: givenSource(one, index, machine), kind: "given" as const }));
  const home = global ? machine?.home?.() : undefined;
  const folder = home === undefined ? undefined : machine?.folder?.(`${home}/${GLOBAL_FOLDER}`);
  return [
    { source: workspace, kind: "workspace" },
    ...given,
    ...(folder ? [{ source: folderSkillSource(folder), kind: "global" as const }] : []),
    ...(builtIn ? [{ source: builtInSkillSource(), kind: "built-in" as const }] : []),
  ];
}

function givenSource(given: string | SkillSource, index: number, machine: Machine | undefined): SkillSource {
  if (typeof given === "string") {
    const folder = machine?.folder?.(given);
    if (folder) return folderSkillSource(folder);
    throw invalid(`sources[${index}] names the folder ${given}, and this runtime has no folders: give a SkillSource`);
  }
  const { name, list, read } = Object(given) as Partial<SkillSource>;
  if (typeof name === "string" && typeof list === "function" && typeof read === "function") return given;
  throw invalid(`sources[${index}] must be a folder's path or a SkillSource with name, list and read`);
}

function invalid(problem: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid option skills: ${problem}`);
}
