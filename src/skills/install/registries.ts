import type { Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import { type GuardedFetch, withoutAddresses } from "../../guard/index.ts";
import { startDeadline } from "../../time-limit.ts";
import type { FoundSkill, SkillMeta, SkillRegistry } from "../registry.ts";
import { MAX_FOUND, REGISTRY_TIMEOUT_MS } from "./limits.ts";
import { isVersion, readSlug } from "./slug.ts";

/** A registry with its name in results and origin files. */
export interface NamedRegistry {
  readonly name: string;
  readonly registry: SkillRegistry;
}

/** A found skill, and its registry. */
export interface FoundInRegistry extends FoundSkill {
  /** The registry's name. */
  readonly registry: string;
}

/** Combined results of all registries. */
export interface FindResult {
  /** Best first, at most 20. */
  readonly skills: readonly FoundInRegistry[];
  /** Registries that did not answer, and why. */
  readonly failed: readonly { readonly registry: string; readonly reason: string }[];
}

/**
 * Names the registries, and makes them send their HTTP requests through the assistant's own fetch.
 *
 * @param fetchFor Creates the guarded fetch of one registry; the registry's own origins come from configuration and
 * pass unchecked.
 * @throws {AssistantError} `OPTION_INVALID` for two registries of one name, and for a value that is no registry.
 */
export function openRegistries(
  registries: readonly SkillRegistry[],
  fetchFor: (trustedOrigins: readonly string[]) => GuardedFetch,
): readonly NamedRegistry[] {
  const names = new Set<string>();
  return registries.map((given, index) => {
    const missing = (["search", "meta", "download"] as const).find((member) => typeof given?.[member] !== "function");
    if (missing !== undefined)
      throw new AssistantError("OPTION_INVALID", `Invalid option registries[${index}]: it has no function ${missing}`);
    const name = given.name ?? `registry-${index + 1}`;
    if (names.has(name))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option registries: two of them are named ${JSON.stringify(name)}`,
      );
    names.add(name);
    return { name, registry: given.connect?.(fetchFor(given.origins ?? [])) ?? given };
  });
}

/** Waits for a registry, at most `ms` milliseconds, even if it ignores its signal. */
export async function ask<T>(
  {
    clock,
    name,
    ms = REGISTRY_TIMEOUT_MS,
    signal,
  }: { clock: Clock; name: string; ms?: number; signal?: AbortSignal | undefined },
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () => new AssistantError("FETCH_FAILED", `The registry ${name} did not answer within ${ms} ms`);
  const deadline = startDeadline(clock, ms, late, signal);
  try {
    deadline.signal.throwIfAborted();
    return await deadline.within(question(deadline.signal));
  } finally {
    deadline.end();
  }
}

/**
 * Asks all registries concurrently. A registry that fails or is late is listed in `failed`, and does not affect the
 * others.
 */
export async function findSkills(
  registries: readonly NamedRegistry[],
  query: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<FindResult> {
  const failed: { registry: string; reason: string }[] = [];
  const answers = await Promise.all(
    registries.map(async ({ name, registry }) => {
      try {
        const found: unknown = await ask({ clock, name, signal }, (limited) => registry.search(query, limited));
        return foundOf(found).map((one) => ({ ...one, registry: name }));
      } catch (error) {
        signal?.throwIfAborted();
        // The model must not see the configured addresses.
        failed.push({ registry: name, reason: withoutAddresses(messageOf(error)) });
        return [];
      }
    }),
  );
  const skills = answers
    .flat()
    .toSorted((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0));
  return { skills: skills.slice(0, MAX_FOUND), failed };
}

/** The results of a registry, without skills that cannot be installed. */
function foundOf(found: unknown): readonly FoundSkill[] {
  if (!Array.isArray(found)) throw new TypeError("it answered with no list");
  return found.slice(0, MAX_FOUND).flatMap((one: Partial<FoundSkill> | null): readonly FoundSkill[] => {
    const { slug, name, description, version, score } = one ?? {};
    if (typeof slug !== "string" || readSlug(slug) === null) return [];
    return [
      {
        slug,
        name: typeof name === "string" ? name : slug,
        description: typeof description === "string" ? description : "",
        ...(typeof version === "string" && isVersion(version) && { version }),
        score: typeof score === "number" && score > 0 ? Math.min(1, score) : 0,
      },
    ];
  });
}

const VERDICTS = ["clean", "suspicious", "malicious", "unknown"] as const;

/**
 * Checks a registry's metadata of a skill. An unknown verdict counts as suspicious.
 *
 * @throws {AssistantError} `FETCH_FAILED` if it makes no sense.
 */
export function checkMeta(meta: SkillMeta, registry: string): SkillMeta {
  const nonsense = (what: string) =>
    new AssistantError("FETCH_FAILED", `The registry ${registry} answered with ${what} that is not valid`);
  const { slug, version, sha256 } = meta;
  if (typeof slug !== "string" || readSlug(slug) === null) throw nonsense("a slug");
  const verdict = VERDICTS.find((known) => known === meta.verdict) ?? "suspicious";
  if (verdict !== "malicious" && (typeof version !== "string" || !isVersion(version))) throw nonsense("a version");
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) throw nonsense("a hash");
  return { ...meta, verdict, ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }) };
}
