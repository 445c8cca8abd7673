import * as v from "valibot";
import type { Artifact, ArtifactInfo, Artifacts } from "../../artifacts/index.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";

export interface ArtifactToolsOptions {
  readonly artifacts: Artifacts;
}

/** Most characters that one `artifact_read` shows. */
const READ_CHARACTERS = 12_000;
/** Most artifacts that one `artifact_list` shows, newest first. */
const LIST_ITEMS = 100;

const id = v.pipe(
  v.string(),
  v.description("The artifact's id, as artifact_list or the mark in a long result tells it"),
);

/**
 * `artifact_write`, `artifact_read`, `artifact_list` and `artifact_delete`, on the artifacts of the calling
 * conversation. An owner may also read those of other conversations, from their own direct chat.
 *
 * Source: docs/artifacts.md.
 */
export function artifactTools({ artifacts }: ArtifactToolsOptions): Readonly<Record<string, AnyTool>> {
  const meta = { category: "ui", idempotent: true } as const;

  const artifact_write = defineTool({
    description:
      "Keeps a text as an artifact of this conversation (a report, a table, a draft) and gives its id. For files that shall be worked on use file_write.",
    inputSchema: v.strictObject({
      name: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.maxLength(200),
        v.description("What people call it, as report.md"),
      ),
      content: v.pipe(v.string(), v.description("The whole text")),
      media_type: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/, "must be a media type, as text/markdown"),
          v.description("As text/markdown. Default: text/plain"),
        ),
      ),
    }),
    async execute({ name, content, media_type }, { sessionKey, user, callId }) {
      const written = await artifacts.write(sessionKey, {
        name,
        content,
        user,
        callId,
        ...(media_type !== undefined && { mediaType: media_type }),
      });
      if (!written.ok) throw new ToolError(written.code, `Cannot keep ${JSON.stringify(name)}: ${written.reason}`);
      return shown(written.artifact);
    },
    meta,
  });

  const artifact_read = defineTool({
    description: `Reads an artifact of this conversation: an attached file, or the whole of a result that was too long. Text only. Shows at most ${READ_CHARACTERS} characters at once; go on with offset.`,
    inputSchema: v.strictObject({
      id,
      offset: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description("First character to show, counted from 0. Default 0"),
        ),
      ),
      limit: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.description(`How many characters. Default ${READ_CHARACTERS}`),
        ),
      ),
    }),
    async execute({ id, offset = 0, limit = READ_CHARACTERS }, context) {
      const artifact = await readFor(context, id);
      if (!artifact) throw notFound(id);
      return { ...shown(artifact), ...part(textOf(artifact), offset, Math.min(limit, READ_CHARACTERS)) };
    },
    // Artifacts can contain strangers' texts that tools fetched.
    meta: { ...meta, untrusted: true },
  });

  const artifact_list = defineTool({
    description: `Lists the artifacts of this conversation, the newest first; at most ${LIST_ITEMS}.`,
    inputSchema: v.strictObject({}),
    async execute(_input, { sessionKey }) {
      const all = (await artifacts.list(sessionKey)).toReversed();
      const note = `Only the newest ${LIST_ITEMS} of ${all.length} are shown`;
      return { artifacts: all.slice(0, LIST_ITEMS).map(shown), ...(all.length > LIST_ITEMS && { note }) };
    },
    meta,
  });

  const artifact_delete = defineTool({
    description: "Deletes an artifact of this conversation for good.",
    inputSchema: v.strictObject({ id }),
    async execute({ id }, { sessionKey }) {
      if (!(await artifacts.remove(sessionKey, id))) throw notFound(id);
      return { deleted: true, id };
    },
    meta: { category: "ui" },
  });

  async function readFor({ speaker: { sessionKey, roles } }: ToolContext, wanted: string): Promise<Artifact | null> {
    const own = await artifacts.read(sessionKey, wanted);
    if (own || !roles.includes("owner") || !isDirect(sessionKey)) return own;
    const elsewhere = await artifacts.sessionOf(wanted);
    return elsewhere === null ? null : artifacts.read(elsewhere, wanted);
  }

  return { artifact_write, artifact_read, artifact_list, artifact_delete };
}

/** `agent:<agent>:main` or `…:direct:<peer>`: no other person reads along. Ids in a key contain no `:`. */
function isDirect(sessionKey: string): boolean {
  const [, , ...parts] = sessionKey.split(":");
  return (parts.length === 1 && parts[0] === "main") || parts.at(-2) === "direct";
}

/** The same error for an unknown id, a deleted artifact and one of another conversation, so that it reveals nothing. */
function notFound(id: string): ToolError {
  return new ToolError("NOT_FOUND", `This conversation has no artifact ${JSON.stringify(id)}: look with artifact_list`);
}

function shown({ id, name, mediaType, bytes, createdAt }: ArtifactInfo) {
  return { id, name, media_type: mediaType, bytes, created: new Date(createdAt).toISOString() };
}

/** Types that are not text even if their bytes happen to be UTF-8. */
const NO_TEXT = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip)$)/;

function textOf({ name, content, bytes, mediaType }: Artifact): string {
  if (typeof content === "string") return content;
  if (!NO_TEXT.test(mediaType)) {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
      if (!text.includes("\0")) return text;
    } catch {
      // Not UTF-8: reported below, like text with NUL characters.
    }
  }
  throw new ToolError(
    "BINARY_FILE",
    `Cannot show ${JSON.stringify(name)} as it is no text in UTF-8: its type is ${mediaType}, its size ${bytes} bytes`,
  );
}

function part(text: string, offset: number, limit: number) {
  if (offset > text.length)
    throw new ToolError("BAD_INPUT", `Cannot start at ${offset} as the text has ${text.length} characters`);
  let end = Math.min(text.length, offset + limit);
  // Does not cut a surrogate pair in two; a pair that is all that was asked for is shown whole.
  if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end += end - offset > 1 ? -1 : 1;
  const characters = text.length;
  if (end === text.length) return { text: text.slice(offset, end), characters };
  return { text: text.slice(offset, end), characters, next_offset: end };
}
