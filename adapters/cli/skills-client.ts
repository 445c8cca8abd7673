import type { ApiCall } from "./approvals-client.ts";

/** A skill as the API lists it. */
export interface SkillRow {
  readonly name: string;
  readonly description: string;
  readonly place: "workspace" | "given" | "global" | "built-in";
  readonly source?: string;
  readonly priority: number;
  readonly has_triggers: boolean;
  /** Reasons why it is not offered; empty when it is. */
  readonly missing: readonly string[];
  /** It is installed and waits for `enable`. */
  readonly disabled?: boolean;
  readonly people?: readonly string[];
  readonly origin?: { readonly registry: string; readonly slug: string; readonly version: string };
}

/** A complete skill. */
export interface SkillDetailRow extends SkillRow {
  readonly text: string;
  readonly path?: string;
  readonly files: readonly string[];
  readonly stats: SkillStatsRow;
}

/** How often a skill was active and whether it helped. Times are ISO 8601 texts. */
export interface SkillStatsRow {
  readonly name: string;
  readonly activations: number;
  readonly helpful: number;
  readonly not_helpful: number;
  readonly last_at?: string;
}

/** A problem of a file. */
export interface SkillProblemRow {
  readonly skill?: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
  readonly message: string;
  /** `warning`: the skill is still loaded; `note`: it may be intended. Default `error`. */
  readonly level?: "error" | "warning" | "note";
}

/** Whether a message would activate a skill. */
export interface SkillMatchRow {
  readonly name: string;
  readonly score: number;
  readonly signals: readonly { readonly kind: string; readonly matched: string; readonly weight: number }[];
  readonly left_out?: string;
}

/** Repeated work that could become a skill. */
export interface SuggestionRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly description: string;
  readonly tool_sequence: readonly string[];
  readonly occurrences: number;
  readonly success_rate: number;
  readonly confidence: number;
  readonly state: "open" | "accepted" | "declined";
}

/** Skills found in the registries. */
export interface RegistryRows {
  readonly found: readonly {
    readonly registry: string;
    readonly slug: string;
    readonly name: string;
    readonly description: string;
    readonly version?: string;
    readonly score: number;
  }[];
  readonly failed: readonly { readonly registry: string; readonly reason: string }[];
}

/** The result of an installation. */
export interface InstalledRow {
  readonly name: string;
  readonly registry: string;
  readonly slug: string;
  readonly version: string;
  readonly verdict: string;
  readonly disabled: boolean;
  readonly findings: readonly { readonly file: string; readonly line: number; readonly what: string }[];
}

/** Differences between an installed skill and its original. */
export interface VerificationRow {
  readonly name: string;
  readonly ok: boolean;
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** Identifies a skill of a registry. */
export interface WantedSkill {
  readonly slug: string;
  readonly registry?: string | undefined;
  readonly version?: string | undefined;
  readonly force?: boolean | undefined;
}

/** The skills of a store or of a server. */
export interface SkillsClient {
  list(): Promise<readonly SkillRow[]>;
  show(name: string): Promise<SkillDetailRow>;
  problems(): Promise<readonly SkillProblemRow[]>;
  check(text: string, path: string): Promise<readonly SkillProblemRow[]>;
  match(text: string, user: string | undefined): Promise<readonly SkillMatchRow[]>;
  write(text: string): Promise<SkillRow>;
  remove(name: string): Promise<void>;
  stats(): Promise<readonly SkillStatsRow[]>;
  suggestions(): Promise<readonly SuggestionRow[]>;
  /** @returns The name of the skill that an accepted suggestion became. */
  answer(id: string, answer: "accept" | "decline"): Promise<string | undefined>;
  find(query: string): Promise<RegistryRows>;
  install(wanted: WantedSkill): Promise<InstalledRow>;
  /** @returns `null` when it is already the newest. */
  update(name: string, force: boolean): Promise<InstalledRow | null>;
  verify(name: string): Promise<VerificationRow>;
  enable(name: string): Promise<void>;
}

const ROOT = "/api/v1/skills";
/** Names of list routes at the same path. */
const LISTS = ["stats", "problems", "suggestions", "registry"];
/** A registry may be slow, and an archive can have 10 MiB. */
const REGISTRY_TIMEOUT_MS = 2 * 60_000;

/** Uses the API's routes. */
export function skillsClient(call: ApiCall): SkillsClient {
  const at = (name: string) => `${ROOT}/${LISTS.includes(name) ? "@" : ""}${encodeURIComponent(name)}`;
  const post = async <T>(path: string, body: object, timeoutMs?: number) =>
    (await call(path, { method: "POST", body, ...(timeoutMs !== undefined && { timeoutMs }) })) as T;
  const listed = async <T>(path: string, name: string) => ((await call(path))?.[name] ?? []) as readonly T[];
  return {
    list: () => listed<SkillRow>(ROOT, "skills"),
    show: async (name) => (await call(at(name))) as unknown as SkillDetailRow,
    problems: () => listed<SkillProblemRow>(`${ROOT}/problems`, "problems"),
    check: async (text, path) =>
      (await post<{ problems: readonly SkillProblemRow[] }>(`${ROOT}/check`, { text, path })).problems,
    match: async (text, user) =>
      (await post<{ matches: readonly SkillMatchRow[] }>(`${ROOT}/match`, given({ text, user }))).matches,
    write: (text) => post<SkillRow>(ROOT, { text }),
    async remove(name) {
      await call(at(name), { method: "DELETE" });
    },
    stats: () => listed<SkillStatsRow>(`${ROOT}/stats`, "stats"),
    suggestions: () => listed<SuggestionRow>(`${ROOT}/suggestions`, "suggestions"),
    answer: async (id, answer) =>
      (await post<{ skill?: string }>(`${ROOT}/suggestions/${encodeURIComponent(id)}`, { answer })).skill,
    find: async (query) =>
      (await call(`${ROOT}/registry?query=${encodeURIComponent(query)}`, {
        timeoutMs: REGISTRY_TIMEOUT_MS,
      })) as unknown as RegistryRows,
    install: (wanted) => post<InstalledRow>(`${ROOT}/install`, given(wanted), REGISTRY_TIMEOUT_MS),
    update: async (name, force) =>
      (await post<{ installed: InstalledRow | null }>(`${at(name)}/update`, { force }, REGISTRY_TIMEOUT_MS)).installed,
    verify: (name) => post<VerificationRow>(`${at(name)}/verify`, {}),
    async enable(name) {
      await call(`${at(name)}/enable`, { method: "POST" });
    },
  };
}

/** The fields that are set. */
function given(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
