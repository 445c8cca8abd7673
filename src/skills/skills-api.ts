import { AssistantError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { ConfigError } from "../settings/index.ts";
import type {
  ExplainedMatch,
  SkillDetail,
  SkillIssue,
  SkillStats,
  SkillView,
  SkillsApi,
  SuggestedSkill,
} from "./api.ts";
import { checkSkill } from "./check-skill.ts";
import type { ShelvedSkill, SkillProblem } from "./loaded.ts";
import { explainMatch } from "./match.ts";
import type { OpenedSkills } from "./open-skills.ts";
import { parseSkill } from "./parse-skill.ts";
import { SKILL_FILE, skillKey } from "./skill-path.ts";
import type { Skill } from "./skill.ts";
import type { MatchInput } from "./signals.ts";
import type { KeptSuggestion } from "./suggestions.ts";

export interface SkillsApiDeps {
  readonly opened: OpenedSkills;
  /** Handles a person's answers to suggestions; `userId` is a user of memory. */
  readonly answers: {
    accept(userId: string, idOrName: string): Promise<string>;
    decline(userId: string, idOrName: string): Promise<string>;
  };
  /** Stores a person's verdict. @throws {AssistantError} `NOT_FOUND` if no such skill was activated for them. */
  giveFeedback(verdict: {
    readonly user: string;
    readonly skill: string;
    readonly helpful: boolean;
    readonly via: "api";
  }): Promise<unknown>;
  /** The user of memory of a `channel:id`. */
  canonicalUser(user: string): string;
  readonly yaml: Platform["yaml"];
  /** Limits on how many skills activate for a message, and on their tokens. */
  readonly limits: { readonly maxActivated?: number | undefined; readonly tokenBudget?: number | undefined };
  /** The slots for skills that a message itself gives. */
  slotsOf(text: string, channel: string | undefined): NonNullable<MatchInput["slots"]>;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
}

/** Creates `assistant.skills` over the opened skills. */
export function createSkillsApi(deps: SkillsApiDeps): SkillsApi {
  const { opened, answers, giveFeedback, canonicalUser, yaml, limits, slotsOf, start } = deps;
  const { shelf, offers, activations, suggestions, workspace, installer } = opened;

  async function find(name: string): Promise<ShelvedSkill> {
    const found = (await shelf.load()).skills.find(({ skill }) => skill.name === name);
    if (!found) throw unknown(name);
    return found;
  }

  async function statsOf(name: string): Promise<SkillStats> {
    await activations.load();
    const { activations: count = 0, helpful = 0, notHelpful = 0, lastAtMs } = activations.stats()[name] ?? {};
    return { name, activations: count, helpful, notHelpful, ...(lastAtMs !== undefined && { lastAtMs }) };
  }

  async function viewsOf(shelved: readonly ShelvedSkill[]): Promise<readonly SkillView[]> {
    const origins = new Map((await installer.list()).map(({ name, origin }) => [name, origin]));
    return shelved.map((one) => viewOf(one, one.kind === "workspace" ? origins.get(one.folder) : undefined));
  }

  /** Installed skills that are not loaded, because the owner has not enabled them or they have a mistake. */
  async function waiting(): Promise<readonly (SkillView & { readonly text: string })[]> {
    const { skills } = await shelf.load();
    const isLoaded = (name: string) => skills.some(({ kind, folder }) => kind === "workspace" && folder === name);
    const others = (await installer.list()).filter(({ name }) => !isLoaded(name));
    return Promise.all(
      others.map(async ({ name, origin: { registry, slug, version, disabled } }) => {
        const text = (await opened.stored.read(name)) ?? "";
        const { description = "", priority = 0, triggers } = readable(name, text) ?? {};
        return {
          name,
          description,
          place: "workspace",
          source: "workspace",
          priority,
          hasTriggers: triggers !== undefined,
          missing: [
            disabled
              ? "its registry calls it suspicious: read it, and enable it if you trust it"
              : "it is not loaded: see the problems of skills",
          ],
          ...(disabled && { disabled }),
          origin: { registry, slug, version },
          text,
        };
      }),
    );
  }

  /** `undefined` if an edit has made the text invalid. */
  function readable(folder: string, text: string): Skill | undefined {
    try {
      return parseSkill(text, { path: skillKey(folder) }, yaml);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return undefined;
    }
  }

  async function suggested(user: string | undefined): Promise<readonly KeptSuggestion[]> {
    return user === undefined ? suggestions.all() : suggestions.list(canonicalUser(user));
  }

  /** Checks that the suggestion belongs to the person who answers. */
  async function owned(id: string, user: string): Promise<string> {
    const userId = canonicalUser(user);
    const all = await suggestions.all();
    if (all.some((one) => one.id === id && one.userId === userId)) return userId;
    const isOthers = all.some((one) => one.id === id);
    throw new AssistantError(
      isOthers ? "FORBIDDEN" : "NOT_FOUND",
      isOthers
        ? "This suggestion belongs to another person"
        : `There is no suggestion ${JSON.stringify(id.slice(0, 64))}`,
    );
  }

  return {
    async list({ user } = {}) {
      if (user === undefined)
        return [...(await viewsOf((await shelf.load()).skills)), ...(await waiting()).map(withoutText)];
      await offers.prepare();
      return viewsOf(offers.of({ userId: canonicalUser(user) }).skills);
    },
    async show(name): Promise<SkillDetail> {
      const found = await find(name).catch(async (error: unknown) => {
        const one = (await waiting()).find((view) => view.name === name);
        if (one === undefined) throw error;
        return one;
      });
      if ("text" in found) {
        const [files, stats] = await Promise.all([opened.stored.files?.(name) ?? [], statsOf(name)]);
        const skill = readable(name, found.text);
        if (skill === undefined)
          throw new AssistantError("NOT_FOUND", `The skill ${name} is not loaded: see the problems of skills`);
        return { ...found, skill, files, stats };
      }
      const [view] = await viewsOf([found]);
      const [text, files, stats] = await Promise.all([opened.textOf(found), opened.filesOf(found), statsOf(name)]);
      return { ...(view as SkillView), skill: found.skill, text: text ?? "", files, stats }; // one view of one skill
    },
    async problems() {
      const { problems, hidden } = await shelf.load();
      await offers.prepare();
      const ofNames = hidden.map(({ name, source, path = source, by, byPath = by }) => ({
        skill: name,
        file: path,
        message: `it is not used, since ${byPath} has its name`,
        level: "note" as const,
      }));
      return [...[...problems, ...offers.problems()].map(issueOf), ...ofNames];
    },
    check(text, options) {
      if (typeof text !== "string")
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid text for skills.check(): expected a text, got ${JSON.stringify(text)}`,
        );
      return checkSkill(text, options?.path ?? SKILL_FILE, { yaml, linear: opened.linear });
    },
    async match({ text, user }): Promise<readonly ExplainedMatch[]> {
      await offers.prepare();
      await activations.load();
      const userId = user === undefined ? undefined : canonicalUser(user);
      const offered = offers.of({ userId });
      const channel = user?.includes(":") === true ? user.slice(0, user.indexOf(":")) : undefined;
      const input = { taskInput: text, slots: slotsOf(text, channel), ...(userId !== undefined && { userId }) };
      const options = {
        ...(limits.maxActivated !== undefined && { maxActivated: limits.maxActivated }),
        ...(limits.tokenBudget !== undefined && { tokenBudget: limits.tokenBudget }),
        feedback: activations.stats(),
        isOffered: ({ name }: { readonly name: string }) => offered.find(name) !== undefined,
      };
      const { results, leftOut } = explainMatch(offered.library, input, options);
      // One person must not learn the names of another's skills.
      const told = leftOut.filter(({ name }) => user === undefined || offered.find(name) !== undefined);
      return [
        ...results.map(({ name, score, signals }) => ({ name, score, signals })),
        ...told.map(({ name, score, signals, reason }) => ({ name, score, signals, leftOut: reason })),
      ];
    },
    async write(text) {
      const name = await workspace.write(text);
      const one = (await waiting()).find((view) => view.name === name);
      if (one !== undefined) return withoutText(one);
      const [view] = await viewsOf([await find(name)]);
      return view as SkillView; // one view of one skill
    },
    async remove(name) {
      const all = (await shelf.load()).skills;
      const found = all.find(({ skill }) => skill.name === name);
      const isOthers = all.some(({ kind, folder }) => kind === "workspace" && folder === name);
      // A skill that is not loaded, because it has a mistake or waits for the owner, is identified by its folder.
      const folder = found?.kind === "workspace" ? found.folder : isOthers ? undefined : name;
      if (folder !== undefined) {
        if ((await installer.list()).some((one) => one.name === folder)) return installer.remove(folder);
        if (await workspace.has(folder)) return workspace.remove(folder);
      }
      if (found === undefined) throw unknown(name);
      throw new AssistantError("FORBIDDEN", `The skill ${name} is not in the workspace, so it cannot be removed here`);
    },
    async feedback(name, { user, helpful }) {
      await start();
      await giveFeedback({ user: canonicalUser(user), skill: name, helpful, via: "api" });
      return statsOf(name);
    },
    async stats() {
      await activations.load();
      const all = Object.entries(activations.stats()).map(([name, counts]) => ({ name, ...counts }));
      return all.toSorted((one, other) => other.activations - one.activations || (one.name < other.name ? -1 : 1));
    },
    suggestions: async ({ user } = {}) => (await suggested(user)).map(suggestionOf),
    async accept(id, { user }) {
      await start();
      return answers.accept(await owned(id, user), id);
    },
    async decline(id, { user }) {
      await start();
      await answers.decline(await owned(id, user), id);
    },
    async find(query) {
      const { skills, failed } = await installer.find(query);
      return { found: skills, failed };
    },
    async install(wanted) {
      await start();
      const { name, registry, slug, version, verdict, disabled, findings } = await installer.install(wanted);
      return { name, registry, slug, version, verdict, disabled, findings };
    },
    async update(name, { force = false } = {}) {
      await start();
      const result = await installer.update(name, { force });
      if (!result.updated) return null;
      const { registry, slug, version, verdict, disabled, findings } = result;
      return { name, registry, slug, version, verdict, disabled, findings };
    },
    async verify(name) {
      const { ok, changed, missing, added } = await installer.verify(name);
      return { name, ok, changed, missing, added };
    },
    async enable(name) {
      await start();
      await installer.enable(name);
    },
    invalidate: shelf.invalidate,
  };
}

function unknown(name: string): AssistantError {
  return new AssistantError("NOT_FOUND", `There is no skill ${JSON.stringify(name.slice(0, 64))}`);
}

function withoutText(waiting: SkillView & { readonly text: string }): SkillView {
  const { text: _, ...view } = waiting;
  return view;
}

function viewOf(
  { skill, kind, source, missing }: ShelvedSkill,
  origin: { readonly registry: string; readonly slug: string; readonly version: string } | undefined,
): SkillView {
  const { name, description, priority, triggers, people } = skill;
  return {
    name,
    description,
    place: kind,
    source,
    priority,
    hasTriggers: triggers !== undefined,
    missing,
    ...(people && { people }),
    ...(origin && { origin: { registry: origin.registry, slug: origin.slug, version: origin.version } }),
  };
}

function issueOf({ skill, file, line, column, path, message, level }: SkillProblem): SkillIssue {
  // A problem of a source as a whole has no line.
  return { ...(skill !== "" && { skill, line, column }), file, ...(path !== "" && { path }), message, level };
}

function suggestionOf(kept: KeptSuggestion): SuggestedSkill {
  const { id, userId, name, description, toolSequence, occurrences, successRate, confidence, state } = kept;
  return { id, userId, name, description, toolSequence, occurrences, successRate, confidence, state };
}
