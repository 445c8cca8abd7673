import type { GuardedFetch } from "../guard/index.ts";

/** A skill that a registry found. */
export interface FoundSkill {
  /** Its name in the registry, by which it is installed. */
  readonly slug: string;
  /** Its display name. */
  readonly name: string;
  /** What it does, in the publisher's words. */
  readonly description: string;
  /** The newest version. */
  readonly version?: string;
  /** 0 to 1: how well it fits the query. */
  readonly score: number;
}

/** What a registry knows about one skill. */
export interface SkillMeta {
  /**
   * Its current name in the registry. The part after the slash is the requested one, unless the skill was renamed
   * since.
   */
  readonly slug: string;
  /** Its display name. */
  readonly name: string;
  /** What it does, in the publisher's words. */
  readonly description: string;
  /** The version that is downloaded by default. */
  readonly version: string;
  /** The verdict of the registry's moderation. `unknown`: it has no moderation, or has not looked yet. */
  readonly verdict: "clean" | "suspicious" | "malicious" | "unknown";
  /** The reason, in the registry's words. */
  readonly reason?: string;
  /** Hash of the archive in lower-case hexadecimal, if the registry gives it. */
  readonly sha256?: string;
}

/** A place where skills are found and installed from. Source: docs/skills-install.md, "Registries". */
export interface SkillRegistry {
  /**
   * Names the registry in results and origin files, as `clawhub`. Default: its position among the registries, as
   * `registry-1`.
   */
  readonly name?: string;
  /**
   * Origins of its requests, as `https://clawhub.ai`. They come from configuration, so the URL guard does not check
   * them. Default none.
   */
  readonly origins?: readonly string[];
  /** Its tokens, redacted in logs, audit lines, errors and tool output. Contract: never changes. Default none. */
  readonly secrets?: readonly string[];
  /**
   * Returns the same registry with all requests sent by the assistant's fetch, which is limited in time and size and
   * follows no redirect unchecked. Contract: does not change this object. Absent: it makes no requests over HTTP.
   */
  connect?(fetch: GuardedFetch): SkillRegistry;
  /** Searches skills, best first. Contract: at most 20; rejects if the registry cannot be asked. */
  search(query: string, signal?: AbortSignal): Promise<readonly FoundSkill[]>;
  /** Reads one skill's metadata. Contract: null if there is no such skill. */
  meta(slug: string, signal?: AbortSignal): Promise<SkillMeta | null>;
  /**
   * Downloads its ZIP archive, unchecked. Contract: rejects over 10 MiB, preferably with `BODY_TOO_LARGE`. Default
   * version: the newest.
   */
  download(slug: string, version?: string, signal?: AbortSignal): Promise<Uint8Array>;
}
