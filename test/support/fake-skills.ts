import { AssistantError } from "../../src/errors.ts";
import { ConfigError } from "../../src/settings/index.ts";
import type {
  FoundSkill,
  InstalledSkill,
  SkillIssue,
  SkillStats,
  SkillView,
  SkillsApi,
  SuggestedSkill,
} from "../../src/skills/index.ts";

/** A skill as the fake keeps it. */
interface Kept extends SkillView {
  readonly text: string;
  readonly files: readonly string[];
}

/** The text of a `SKILL.md` for tests. */
export function skillText(name: string, description = `Does ${name}`, body = "Do it step by step."): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

export type FakeSkills = ReturnType<typeof fakeSkills>;

/** `assistant.skills` without anything behind it: it keeps what it is given, and what comes is what a test says came. */
export function fakeSkills() {
  const kept = new Map<string, Kept>();
  const verdicts = new Map<string, Map<string, boolean | undefined>>();
  const counts = new Map<string, number>();
  const suggested = new Map<string, SuggestedSkill>();
  const edited = new Set<string>();
  const registry: (FoundSkill & { readonly registry: string; readonly verdict?: InstalledSkill["verdict"] })[] = [];
  const failed: { readonly registry: string; readonly reason: string }[] = [];
  const broken: SkillIssue[] = [];

  function add(skill: Partial<Kept> & { readonly name: string }): void {
    const { name, place = "workspace" } = skill;
    kept.set(name, {
      description: `Does ${name}`,
      place,
      source: place === "workspace" ? "workspace" : `/srv/${place}`,
      priority: 5,
      hasTriggers: false,
      missing: [],
      text: skillText(name, skill.description),
      files: [],
      ...skill,
    });
  }

  function get(name: string): Kept {
    const found = kept.get(name);
    if (!found) throw new AssistantError("NOT_FOUND", `There is no skill ${JSON.stringify(name)}`);
    return found;
  }

  const viewOf = ({ text: _text, files: _files, ...view }: Kept): SkillView => view;

  function statsOf(name: string): SkillStats {
    const answers = [...(verdicts.get(name)?.values() ?? [])];
    const count = (wanted: boolean) => answers.filter((helpful) => helpful === wanted).length;
    return {
      name,
      activations: counts.get(name) ?? 0,
      helpful: count(true),
      notHelpful: count(false),
      ...(counts.has(name) && { lastAtMs: Date.UTC(2026, 0, 5, 8) }),
    };
  }

  function suggestionFor(id: string, { user }: { readonly user: string }): SuggestedSkill {
    const found = suggested.get(id);
    if (!found) throw new AssistantError("NOT_FOUND", `There is no suggestion ${JSON.stringify(id)}`);
    if (found.userId !== user) throw new AssistantError("FORBIDDEN", "This suggestion is another person's");
    return found;
  }

  const check: SkillsApi["check"] = (text, { path = "SKILL.md" } = {}) => {
    const missing = ["name", "description"].filter((field) => !new RegExp(`^${field}: *\\S`, "m").test(text));
    return missing.map((field) => ({
      file: path,
      line: 2,
      column: 1,
      path: field,
      message: `Expected ${field}, but it is missing: add ${field}: … to the frontmatter`,
    }));
  };

  const skills: SkillsApi = {
    async list({ user } = {}) {
      const isOffered = ({ missing, people }: Kept) =>
        missing.length === 0 && (people === undefined || people.includes(user ?? ""));
      return [...kept.values()].filter((skill) => user === undefined || isOffered(skill)).map(viewOf);
    },
    async show(name) {
      const found = get(name);
      const { description, priority, text, files } = found;
      const body = text.replace(/^---\n[^]*?\n---\n+/, "");
      const requires = { runtimes: [], channels: [], env: [], bins: [], tools: [] };
      const skill = { name, description, body, priority, prerequisites: [], maxTokens: 2000, cooldown: 0, requires };
      const path = `${found.source}/${name}/SKILL.md`;
      return { ...viewOf(found), skill: { ...skill, frontmatter: {}, path }, text, files, stats: statsOf(name) };
    },
    problems: async () => broken,
    check,
    async match({ text, user }) {
      const offered = await skills.list(user === undefined ? {} : { user });
      return offered
        .filter(({ name }) => text.includes(name))
        .map(({ name, priority }) => ({
          name,
          score: 0.5,
          signals: [{ kind: "intent", matched: name, weight: 0.5 }],
          ...(priority < 3 && { leftOut: "In cool-down for 40 more seconds" }),
        }));
    },
    async write(text) {
      const wrong = check(text);
      if (wrong.length > 0)
        throw new ConfigError(
          wrong.map(({ file, line = 1, column = 1, path = "", message }) => ({ file, line, column, path, message })),
        );
      const field = (name: string) => new RegExp(`^${name}: *(.*)$`, "m").exec(text)?.[1] ?? "";
      const name = field("name");
      add({ name, description: field("description"), text, hasTriggers: text.includes("\ntriggers:") });
      return viewOf(get(name));
    },
    async remove(name) {
      const mistake = broken.findIndex(({ skill }) => skill === name);
      if (mistake >= 0) return void broken.splice(mistake, 1);
      const { place } = get(name);
      if (place !== "workspace") throw new AssistantError("FORBIDDEN", `${name} does not lie in the workspace`);
      kept.delete(name);
    },
    async feedback(name, { user, helpful }) {
      get(name);
      const came = verdicts.get(name);
      if (!came?.has(user)) throw new AssistantError("NOT_FOUND", `${name} did not come for ${user} yet`);
      came.set(user, helpful);
      return statsOf(name);
    },
    stats: async () => [...counts.keys()].map(statsOf).toSorted((a, b) => b.activations - a.activations),
    suggestions: async ({ user } = {}) =>
      [...suggested.values()].filter(({ userId }) => user === undefined || userId === user),
    async accept(id, by) {
      const found = suggestionFor(id, by);
      suggested.set(id, { ...found, state: "accepted" });
      add({ name: found.name, description: found.description, people: [found.userId] });
      return found.name;
    },
    async decline(id, by) {
      suggested.set(id, { ...suggestionFor(id, by), state: "declined" });
    },
    find: async (query) => ({
      found: registry.filter(({ name, description }) => `${name} ${description}`.includes(query)),
      failed,
    }),
    async install({ slug, registry: wanted, version, force = false }) {
      const found = registry.find((one) => one.slug === slug && (wanted ?? one.registry) === one.registry);
      if (!found) throw new AssistantError("NOT_FOUND", `No registry has ${JSON.stringify(slug)}`);
      const { name, description, verdict = "clean" } = found;
      if (verdict === "malicious") throw new AssistantError("FORBIDDEN", `${found.registry} calls ${slug} malicious`);
      if (kept.has(name) && !force)
        throw new AssistantError("CONFLICT", `${name} is installed already: give force to replace it`);
      const origin = { registry: found.registry, slug, version: version ?? found.version ?? "1.0.0" };
      const disabled = verdict === "suspicious";
      add({ name, description, origin, ...(disabled && { disabled, missing: ["it waits for the owner's consent"] }) });
      const findings = disabled ? [{ file: "scripts/run.sh", line: 3, what: "downloads and runs a program" }] : [];
      return { name, ...origin, verdict, disabled, findings };
    },
    async update(name, { force = false } = {}) {
      const { origin } = get(name);
      if (!origin) throw new AssistantError("NOT_FOUND", `${name} was not installed`);
      const newest = registry.find(({ slug }) => slug === origin.slug)?.version ?? origin.version;
      if (newest === origin.version) return null;
      if (edited.has(name) && !force) throw new AssistantError("CONFLICT", `${name} was edited by hand`);
      return skills.install({ slug: origin.slug, force: true });
    },
    async verify(name) {
      if (!get(name).origin) throw new AssistantError("NOT_FOUND", `${name} was not installed`);
      const changed = edited.has(name) ? ["SKILL.md"] : [];
      return { name, ok: changed.length === 0, changed, missing: [], added: [] };
    },
    async enable(name) {
      const { disabled: _disabled, ...skill } = get(name);
      add({ ...skill, missing: [] });
    },
    invalidate() {},
  };

  return {
    skills,
    add,
    registry,
    failed,
    broken,
    /** Edited by hand after it was installed. */
    edit: (name: string) => void edited.add(name),
    /** The skill came for a person. */
    came(name: string, user: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      verdicts.set(name, (verdicts.get(name) ?? new Map<string, boolean | undefined>()).set(user, undefined));
    },
    suggest(id: string, userId: string): void {
      suggested.set(id, {
        id,
        userId,
        name: `suggested-${id}`,
        description: "Reads a page and writes a note",
        toolSequence: ["web_fetch", "file_write"],
        occurrences: 4,
        successRate: 1,
        confidence: 0.75,
        state: "open",
      });
    },
  };
}
