import { constants } from "node:fs";
import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { AssistantError } from "../../../mod.ts";
import { type FoundSkill, MAX_ARCHIVE_BYTES, type SkillMeta, skillTextOf, type SkillRegistry } from "../../../kit.ts";

/** Options of `folder`. */
export interface FolderOptions {
  /** The folder that holds the archives. Its subfolders are ignored. */
  readonly root: string;
}

/** Cached facts about an archive, valid while the file stays the same. */
interface Known {
  readonly stamp: string;
  readonly meta: SkillMeta;
}

const MAX_FOUND = 20;
/** Only this many archives are searched. Every archive can still be installed by its name. */
const MAX_SEARCHED = 1000;
const ARCHIVE = /^([a-z0-9][a-z0-9-]{0,63})\.zip$/;

/**
 * A folder of archives as a registry: `<slug>.zip` for each skill. It has no verdicts, since anyone who can write to the
 * folder can publish. An archive's version is the beginning of its SHA-256.
 *
 * Source: docs/skills-install.md, "A folder".
 *
 * @example
 * ```ts
 * const assistant = await createAssistant({ model, registries: [folder({ root: "./skill-archives" })] });
 * ```
 */
export function folder({ root }: FolderOptions): SkillRegistry {
  if (typeof root !== "string" || root.trim() === "")
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot use folder() as root must be the path of a folder: current value is ${JSON.stringify(root)}`,
    );
  const known = new Map<string, Known>();

  /** Reads an archive that is a plain file; `null` when there is none. */
  async function read(slug: string): Promise<{ readonly bytes: Uint8Array; readonly stamp: string } | null> {
    if (!ARCHIVE.test(`${slug}.zip`)) return null;
    let file;
    try {
      // Refuses links, which could lead anywhere.
      file = await open(
        join(root, `${slug}.zip`),
        constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
      );
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === "ENOENT" || code === "ELOOP" || code === "EMLINK" || code === "ENXIO") return null;
      throw unreadable(error);
    }
    try {
      const { size, mtimeMs, isFile } = await describe(file);
      if (!isFile) return null;
      if (size > MAX_ARCHIVE_BYTES)
        throw new AssistantError(
          "BODY_TOO_LARGE",
          `Cannot read ${slug}.zip: it is larger than ${MAX_ARCHIVE_BYTES} bytes`,
        );
      const bytes = new Uint8Array(size);
      let filled = 0;
      while (filled < size) {
        const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return { bytes: bytes.subarray(0, filled), stamp: `${size} ${mtimeMs}` };
    } finally {
      await file.close();
    }
  }

  async function metaOf(slug: string): Promise<SkillMeta | null> {
    const found = await read(slug);
    if (found === null) return null;
    const sha256 = createHash("sha256").update(found.bytes).digest("hex");
    const before = known.get(slug);
    if (before?.meta.sha256 === sha256) return before.meta;
    // An archive that cannot be installed has a name and no description; an installation reports why.
    const description = await skillTextOf(found.bytes)
      .then(descriptionIn)
      .catch(() => "");
    const meta: SkillMeta = { slug, name: slug, description, version: sha256.slice(0, 12), verdict: "unknown", sha256 };
    known.set(slug, { stamp: found.stamp, meta });
    return meta;
  }

  async function slugs(): Promise<readonly string[]> {
    try {
      const names = await readdir(root);
      return names
        .flatMap((name) => ARCHIVE.exec(name)?.[1] ?? [])
        .toSorted()
        .slice(0, MAX_SEARCHED);
    } catch (error) {
      throw unreadable(error);
    }
  }

  return {
    name: "folder",

    async search(query, signal) {
      const words = wordsOf(query);
      const found: FoundSkill[] = [];
      for (const slug of await slugs()) {
        signal?.throwIfAborted();
        const meta = await metaOf(slug).catch(() => null);
        if (meta === null) continue;
        const score = scoreOf(words, slug, meta.description);
        const { name, description, version } = meta;
        if (score > 0) found.push({ slug, name, description, version, score });
      }
      return found.toSorted((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : 1)).slice(0, MAX_FOUND);
    },

    async meta(slug, signal) {
      signal?.throwIfAborted();
      try {
        return await metaOf(slug);
      } catch (error) {
        if (!AssistantError.is(error, "BODY_TOO_LARGE")) throw error;
        // The archive exists, and its download reports why it cannot be used.
        return { slug, name: slug, description: "", version: "too-large", verdict: "unknown" };
      }
    },

    async download(slug, version, signal) {
      signal?.throwIfAborted();
      const found = await read(slug);
      if (found === null)
        throw new AssistantError("NOT_FOUND", `There is no archive ${JSON.stringify(`${slug}.zip`)} in the folder`);
      const now = createHash("sha256").update(found.bytes).digest("hex").slice(0, 12);
      if (version !== undefined && version !== now)
        throw new AssistantError(
          "NOT_FOUND",
          `There is no version ${JSON.stringify(version)} of ${slug} in the folder, only ${now}`,
        );
      return found.bytes;
    },
  };
}

async function describe(file: Awaited<ReturnType<typeof open>>) {
  const stat = await file.stat();
  return { size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile() };
}

function unreadable(cause: unknown): AssistantError {
  const { code = "error" } = cause as { readonly code?: string };
  return new AssistantError("FETCH_FAILED", `Cannot read the folder of skills (${code})`, { cause });
}

/** The description in the frontmatter, on one line. */
function descriptionIn(text: string): string {
  const [, frontmatter = ""] = /^---\r?\n([^]*?)\r?\n---/.exec(text.slice(0, 65_536)) ?? [];
  const description: unknown = parseDocument(frontmatter).get("description");
  return typeof description === "string" ? description.replaceAll(/\s+/g, " ").trim().slice(0, 1024) : "";
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 32);
}

/** Share of the words that occur, at most 0.9. 1 if the words are the name. */
function scoreOf(words: readonly string[], slug: string, description: string): number {
  if (words.length === 0) return 0;
  const text = `${slug} ${description}`.toLowerCase();
  const found = words.filter((word) => text.includes(word)).length / words.length;
  return words.join("-") === slug ? 1 : found * 0.9;
}
