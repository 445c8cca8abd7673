import type { GuardedFetch } from "../guard/index.ts";

/** What a registry found. */
export interface FoundSkill {
  /** Its name there, by which it is installed. */
  readonly slug: string;
  /** What people call it. */
  readonly name: string;
  /** What it does, in the words of whoever published it. */
  readonly description: string;
  /** The newest version. */
  readonly version?: string;
  /** 0 to 1: how well it fits the query. */
  readonly score: number;
}

/** What a registry says of one skill. */
export interface SkillMeta {
  /** Its name there now; after the slash that which was asked for, unless it is called something else since. */
  readonly slug: string;
  /** What people call it. */
  readonly name: string;
  /** What it does, in the words of whoever published it. */
  readonly description: string;
  /** The version that is downloaded when none is named. */
  readonly version: string;
  /** What its moderation found. `unknown`: it has none, or did not look yet. */
  readonly verdict: "clean" | "suspicious" | "malicious" | "unknown";
  /** Why, in the registry's words. */
  readonly reason?: string;
  /** Hash of the archive in lower-case hexadecimal, where the registry tells it. */
  readonly sha256?: string;
}

/** Where skills are found and installed from. Source: docs/skills-install.md, "Registries". */
export interface SkillRegistry {
  /** Names the registry in results and origin files, as `clawhub`. Default: its place among the registries, as `registry-1`. */
  readonly name?: string;
  /** Where it sends requests, as `https://clawhub.ai`: these origins come from configuration and are not checked by the URL guard. Default none. */
  readonly origins?: readonly string[];
  /** Its tokens, taken out of logs, audit lines, errors and what tools give. Contract: never changes. Default none. */
  readonly secrets?: readonly string[];
  /**
   * The same registry with all of its requests sent by a fetch of the assistant's, which is limited in time and size and follows no redirect unchecked.
   * Contract: changes nothing of this object. Absent: it makes no requests over HTTP.
   */
  connect?(fetch: GuardedFetch): SkillRegistry;
  /** The skills that fit a query, best first. Contract: at most 20; rejects when the registry cannot be asked. */
  search(query: string, signal?: AbortSignal): Promise<readonly FoundSkill[]>;
  /** What is known of one skill. Contract: null when there is no such skill. */
  meta(slug: string, signal?: AbortSignal): Promise<SkillMeta | null>;
  /** Its ZIP archive, unchecked. Contract: rejects over 10 MiB, best with `BODY_TOO_LARGE`. Default version: the newest. */
  download(slug: string, version?: string, signal?: AbortSignal): Promise<Uint8Array>;
}
