import { AssistantError } from "../../../mod.ts";
import {
  CLAWHUB_URL,
  type FoundSkill,
  type GuardedFetch,
  type GuardedInit,
  MAX_ARCHIVE_BYTES,
  type SkillMeta,
  type SkillRegistry,
} from "../../../kit.ts";
import { type Fields, objectOf, textOf, verdictOf } from "./answers.ts";

/** Options of `clawhub`. */
export interface ClawHubOptions {
  /** Default `https://clawhub.ai`. */
  readonly baseUrl?: string;
  /** A token of ClawHub (`clh_…`), for higher rate limits. Default: none; requests then count for this machine's address. */
  readonly token?: string;
  /** Sends every request; made by `createGuardedFetch`. Default: the assistant's own, once the registry is passed to one. */
  readonly fetch?: GuardedFetch;
}

const MAX_FOUND = 20;
/** Limits of answers in JSON. */
const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };
const DOWNLOAD_LIMITS = { maxBytes: MAX_ARCHIVE_BYTES, timeoutMs: 60_000, maxRedirects: 3 };

/**
 * ClawHub: a public registry in which anyone can publish. A slug is `name`, or `owner/name` where several owners use a name.
 *
 * Source: https://github.com/openclaw/clawhub, "HTTP API"; docs/skills-install.md, "ClawHub".
 *
 * @example
 * ```ts
 * const assistant = await createAssistant({ model, registries: [clawhub()] });
 * ```
 */
export function clawhub(options: ClawHubOptions = {}): SkillRegistry {
  const { baseUrl = CLAWHUB_URL, token, fetch } = options;
  const api = new URL(`${baseUrl.replace(/\/+$/u, "")}/api/v1/`);

  function urlOf(path: string, query: Readonly<Record<string, string | undefined>>): URL {
    const url = new URL(path, api);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  async function get(url: URL, init: GuardedInit): Promise<Response> {
    if (fetch === undefined)
      throw new AssistantError(
        "OPTION_INVALID",
        "ClawHub cannot be asked: give it to an assistant, or give it the option fetch",
      );
    const headers = { accept: "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    return fetch(url, { headers, ...init });
  }

  async function json(url: URL, signal?: AbortSignal): Promise<Fields> {
    const response = await get(url, { ...LIMITS, ...(signal && { signal }) });
    if (!response.ok) throw await failureOf(response);
    try {
      return objectOf(await response.json());
    } catch (cause) {
      throw failed("answered with something that is no JSON", cause);
    }
  }

  return {
    name: "clawhub",
    origins: [api.origin],
    // A getter, so that printing the object does not show it.
    get secrets() {
      return token === undefined ? [] : [token];
    },
    connect: (own) => clawhub({ ...options, fetch: fetch ?? own }),

    async search(query, signal) {
      const { results } = await json(urlOf("search", { q: query, limit: String(MAX_FOUND) }), signal);
      if (!Array.isArray(results)) throw failed("answered without results");
      return foundIn(results);
    },

    async meta(slug, signal) {
      const { name, owner } = partsOf(slug);
      const path = `skills/${encodeURIComponent(name)}`;
      const [detail, scan] = await Promise.all([
        settled(json(urlOf(path, { ownerHandle: owner }), signal)),
        settled(json(urlOf(`${path}/scan`, { ownerHandle: owner }), signal)),
      ]);
      signal?.throwIfAborted();
      const blocked = [detail, scan].find(({ error }) => error instanceof Refused && error.isMalicious);
      if (blocked) return maliciousMeta(slug, name, blocked.error as Refused);
      if (isAbsent(detail.error)) return null;
      if (detail.value === undefined) throw detail.error;
      // An older ClawHub has no scans, so its moderation decides alone. Any other failure throws, since that scan may
      // have found something.
      if (scan.value === undefined && !isAbsent(scan.error)) throw scan.error;
      return metaIn(slug, detail.value, scan.value ?? {});
    },

    async download(slug, version, signal) {
      const { name, owner } = partsOf(slug);
      const url = urlOf("download", { slug: name, ownerHandle: owner, version });
      const response = await get(url, { ...DOWNLOAD_LIMITS, ...(signal && { signal }) });
      if (!response.ok) throw await failureOf(response);
      const type = (response.headers.get("content-type") ?? "").toLowerCase();
      if (type.includes("json")) {
        response.body?.cancel().catch(() => {});
        throw new AssistantError(
          "FETCH_FAILED",
          `ClawHub has no archive of ${slug}: its files lie elsewhere, from where it cannot be installed`,
        );
      }
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** ClawHub's scores have no upper bound: each is divided by the answer's best one, if that exceeds 1. */
function foundIn(results: readonly unknown[]): readonly FoundSkill[] {
  const native = results.map(objectOf).filter(({ source }) => source === undefined || source === "clawhub");
  const best = Math.max(
    1,
    ...native.map(({ score }) => (typeof score === "number" && Number.isFinite(score) ? score : 0)),
  );
  return native.slice(0, MAX_FOUND).flatMap((one): readonly FoundSkill[] => {
    const name = textOf(one["slug"]);
    if (name === undefined) return [];
    const version = textOf(one["version"]);
    const score = typeof one["score"] === "number" ? Math.max(0, one["score"]) / best : 0;
    return [
      {
        slug: qualified(name, ownerOf(one)),
        name: textOf(one["displayName"]) ?? name,
        description: textOf(one["summary"]) ?? "",
        ...(version !== undefined && { version }),
        score,
      },
    ];
  });
}

function ownerOf(one: Fields): string | undefined {
  return textOf(one["ownerHandle"]) ?? textOf(objectOf(one["owner"])["handle"]);
}

function metaIn(slug: string, detail: Fields, scan: Fields): SkillMeta {
  const skill = objectOf(detail["skill"]);
  const moderation = objectOf(detail["moderation"]);
  const name = textOf(skill["slug"]);
  const version = textOf(objectOf(detail["latestVersion"])["version"]);
  if (name === undefined) throw failed("answered without a skill");
  if (version === undefined) throw failed(`has no version of ${slug} that could be downloaded`);
  const codes = Array.isArray(moderation["reasonCodes"]) ? moderation["reasonCodes"].map(String).join(", ") : "";
  const reason = textOf(moderation["summary"]) ?? (codes === "" ? undefined : codes);
  return {
    slug: qualified(name, textOf(objectOf(detail["owner"])["handle"]) ?? partsOf(slug).owner),
    name: textOf(skill["displayName"]) ?? name,
    description: textOf(skill["summary"]) ?? "",
    version,
    verdict: verdictOf(moderation, scan),
    ...(reason !== undefined && { reason }),
  };
}

/** ClawHub no longer describes a blocked skill. */
function maliciousMeta(slug: string, name: string, { reason }: Refused): SkillMeta {
  return { slug, name, description: "", version: "blocked", verdict: "malicious", reason };
}

function partsOf(slug: string): { readonly name: string; readonly owner?: string } {
  const [first = "", second] = slug.replace(/^@/, "").split("/");
  return second === undefined ? { name: first } : { name: second, owner: first };
}

function qualified(name: string, owner: string | undefined): string {
  return owner === undefined || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(owner) ? name : `${owner}/${name}`;
}

/** A failed answer. `reason` quotes ClawHub, shortened. */
class Refused extends AssistantError {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(status === 404 || status === 410 ? "NOT_FOUND" : status === 409 ? "CONFLICT" : "FETCH_FAILED", message);
    this.status = status;
    this.reason = reason;
  }

  get isMalicious(): boolean {
    return this.status === 403 && /malicious|malware/i.test(this.reason);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Refused && (error.status === 404 || error.status === 410);
}

const REASON_CHARACTERS = 300;

async function failureOf(response: Response): Promise<Refused> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const reason = reasonIn(text).replaceAll(/\s+/g, " ").trim().slice(0, REASON_CHARACTERS);
  const wait = response.headers.get("retry-after");
  const hint =
    status === 401
      ? ": check the token"
      : status === 429
        ? `: too many requests${wait !== null && /^\d{1,6}$/.test(wait) ? `, again in ${wait} s` : ""}`
        : status === 423
          ? ": it is being scanned, try again in some minutes"
          : reason === ""
            ? ""
            : `: ${reason}`;
  return new Refused(status, reason, `ClawHub answered with status ${status}${hint}`);
}

/** The reason is a text, or JSON that lists the skills of one name. */
function reasonIn(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { message, matches } = objectOf(JSON.parse(text));
    const refs = Array.isArray(matches) ? matches.flatMap((one) => textOf(objectOf(one)["ref"]) ?? []) : [];
    return [textOf(message) ?? "", refs.slice(0, 10).join(", ")].join(" ");
  } catch {
    return text;
  }
}

function failed(what: string, cause?: unknown): AssistantError {
  return new AssistantError("FETCH_FAILED", `ClawHub ${what}`, cause === undefined ? undefined : { cause });
}

async function settled<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly error?: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}
