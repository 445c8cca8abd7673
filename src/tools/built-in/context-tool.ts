import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import {
  type ContextFile,
  type PeopleNotes,
  appendEntry,
  entriesOf,
  entryText,
  patchSection,
} from "../../people/index.ts";
import { messageOf } from "../../errors.ts";
import type { Peer } from "../../message.ts";
import {
  CONTEXT_ACTIONS,
  CONTEXT_SCOPES,
  type ContextAction,
  type ContextScopeName,
  OWNER_ROLE,
  decideContextAccess,
} from "../../policy/index.ts";
import { parseUser, userOf } from "../../session/index.ts";
import type { Audit, Logger, ModelRedactor } from "../../telemetry/index.ts";
import { checkInput, toolJsonSchema } from "../schema.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import { createWriteLimits } from "./context-limits.ts";

export interface ContextToolOptions {
  readonly notes: Pick<PeopleNotes, "read" | "edit">;
  readonly clock: Pick<Clock, "now">;
  readonly audit: Pick<Audit, "write">;
  readonly logger: Pick<Logger, "warn">;
  /** Replaces secrets in text that is written. */
  readonly redact: ModelRedactor;
  /** The memory user that owns a conversation's files. */
  memoryUserOf(speaker: {
    readonly user: string;
    readonly channel: string;
    readonly peer: Peer;
    readonly roles: readonly string[];
    readonly account?: string;
  }): string;
  /** The user whose files a `channel:id`, or the name of a linked person, means. */
  canonicalUser(userId: string): string;
  /** The current day in a person's time zone, as `2026-02-01`. */
  today(user: string): string;
}

const MAX_CONTENT_BYTES = 2048;
const MAX_SHOWN_CHARS = 12_000;
const MAX_ID_CHARS = 200;
const GROUP_PREFIX = "group:";
/** Section of the identity file that holds entries. Other sections of that file are replaced; this one only grows. */
const ENTRIES_SECTION = "Memory";

type FileName = ContextFile["file"];

const MEMORY_OF: Readonly<Record<ContextScopeName, FileName>> = {
  peer: "peers/MEMORY",
  group: "groups/MEMORY",
  identity: "identity/MEMORY",
};

/** Actions on one file: their scope, their file, and the sections that it may have. */
const ON_A_FILE: Readonly<
  Partial<Record<ContextAction, readonly [scope: ContextScopeName, file: FileName, sections?: string]>>
> = {
  read_peer: ["peer", "peers/PEER"],
  read_peer_memory: ["peer", "peers/MEMORY"],
  read_group: ["group", "groups/GROUP"],
  read_group_memory: ["group", "groups/MEMORY"],
  read_group_role: ["group", "groups/MY_ROLE"],
  read_identity_memory: ["identity", "identity/MEMORY"],
  update_peer: ["peer", "peers/PEER", "Profile, Preferences, Relationship, Notes"],
  update_group: ["group", "groups/GROUP", "Purpose, Members, Norms, Notes"],
  update_group_role: ["group", "groups/MY_ROLE", "Role, Duties, Limits"],
  update_identity: ["identity", "identity/MEMORY", "About, Facts"],
};

const id = v.optional(v.pipe(v.string(), v.trim(), v.description("Default: of this conversation")));
const schema = v.strictObject({
  action: v.picklist(CONTEXT_ACTIONS),
  scope: v.picklist(CONTEXT_SCOPES),
  aid: v.pipe(v.string(), v.description("Your own identity")),
  peer_id: id,
  group_id: id,
  section: v.optional(
    v.pipe(
      v.string(),
      v.description(
        `What an update replaces. ${Object.entries(ON_A_FILE)
          .flatMap(([action, [, , sections]]) => (sections === undefined ? [] : `${action}: ${sections}`))
          .join("; ")}`,
      ),
    ),
  ),
  content: v.optional(v.pipe(v.string(), v.description(`At most ${MAX_CONTENT_BYTES} bytes`))),
  entry: v.optional(v.pipe(v.string(), v.description("promote_memory: the entry's text"))),
});

type Input = v.InferOutput<typeof schema>;

type Outcome =
  | { readonly ok: true; readonly content?: string; readonly changed?: boolean; readonly note?: string }
  | { readonly ok: false; readonly error: string };

/** State of a call for the audit line. */
interface Trace {
  readonly isRead: boolean;
  target: string;
  /** Bytes to be written. */
  bytes: number;
  /** Set once the call has passed all checks: a later error is a failure, not a denial. */
  admitted?: true;
}

/**
 * `acp_context`: the files that the model keeps about people, groups and itself. Every error is a result, `{ ok:
 * false, error }`.
 *
 * Source: docs/context-tool.md.
 */
export function contextTool(options: ContextToolOptions): Readonly<Record<string, AnyTool>> {
  const { notes, clock, audit, logger, redact } = options;
  const limits = createWriteLimits({ clock });

  const acp_context = defineTool({
    description:
      "Your notes about the person or group that you talk with, and about yourself. read_*: shows one. append_memory: adds a dated line. update_*: replaces one section. promote_memory: copies an entry of a peer or group to your identity.",
    // Accepts any input: `execute` checks it in a fixed order, reports the first error, and audits it.
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "wakeful",
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => toolJsonSchema("acp_context", { inputSchema: schema }) },
      },
    } as StandardSchemaV1,
    async execute(given: unknown, context): Promise<Outcome> {
      const fields = withoutBlanks(given);
      const { action = "", scope = "" } = fields as { readonly action?: unknown; readonly scope?: unknown };
      const trace: Trace = {
        isRead: String(action).startsWith("read_"),
        target: `${String(action)} ${String(scope)}`.slice(0, MAX_ID_CHARS),
        bytes: 0,
      };
      const outcome = await answer(fields, context, trace);
      const { callId, taskId, sessionKey, user } = context;
      audit.write({
        who: user,
        what: trace.isRead ? "context.read" : "context.write",
        target: trace.target,
        bytes: outcome.ok && trace.isRead ? byteLength(outcome.content ?? "") : trace.bytes,
        verdict: outcome.ok ? "ok" : trace.admitted ? "failed" : "denied",
        ...(!outcome.ok && { reason: outcome.error, denied_reason: outcome.error }),
        callId,
        taskId,
        sessionKey,
      });
      return outcome;
    },
    // Idempotent: a section is replaced, and an existing entry is not added again.
    meta: { category: "memory", idempotent: true, untrusted: true },
  });

  async function answer(fields: object, context: ToolContext, trace: Trace): Promise<Outcome> {
    try {
      if (!("aid" in fields)) return refuse("aid is required");
      const checked = await checkInput({ inputSchema: schema }, fields);
      if (!checked.ok) return refuse(checked.message);
      const input = checked.input as Input;
      const { content, entry } = input;
      return await handle({ ...input, ...redact({ content, entry }) }, context, trace);
    } catch (error) {
      // A store's error can contain a path, so it is only logged.
      logger.warn("A context file could not be read or written", { action: trace.target, error: messageOf(error) });
      return refuse("the context files are not available now: go on without them");
    }
  }

  /**
   * Runs the checks in order. Nothing is awaited between the limits and their count, so that concurrent calls cannot
   * pass together.
   */
  async function handle(input: Input, context: ToolContext, trace: Trace): Promise<Outcome> {
    const { action, scope, aid, content, entry } = input;
    const group = groupOf(context);
    const own = { peer: group ? undefined : context.speaker.peer.id, group: group?.id };
    const peerId = input.peer_id ?? own.peer;
    const groupId = input.group_id ?? own.group;
    const wanted = scope === "peer" ? peerId : scope === "group" ? groupId : "";
    trace.bytes = byteLength(content ?? entry ?? "");
    trace.target = [action, scope, wanted].join(" ").trim();

    const folder = (of: ContextScopeName) => folderOf(of, (of === "peer" ? peerId : groupId) ?? "", context);
    const isOwn = (of: "peer" | "group") => own[of] !== undefined && folder(of) === folderOf(of, own[of], context);
    const access = decideContextAccess({
      session: {
        kind: group ? "group" : "direct",
        owner: isOwner(context),
        aid: context.agentId,
        peerId: own.peer,
        groupId: own.group,
      },
      action,
      scope,
      aid,
      peerId: isOwn("peer") ? own.peer : peerId,
      groupId: isOwn("group") ? own.group : groupId,
    });
    if (!access.ok) return refuse(access.error);
    // Counted per person, so that one busy person does not lock out others.
    const call = { writer: `${aid} ${context.user}`, turn: context.taskId, call: context.callId };
    if (!trace.isRead && !limits.allows(call)) return refuse("rate limit exceeded");
    if (!trace.isRead && [content, entry].some((text = "") => byteLength(text) > MAX_CONTENT_BYTES))
      return refuse(`content over ${MAX_CONTENT_BYTES} bytes`);
    if (wanted === undefined || (scope !== "identity" && !isPlainId(wanted))) return refuse("invalid path");
    if (!trace.isRead) limits.count(call);
    trace.admitted = true;

    const fileOf = (file: FileName): ContextFile => {
      if (file === "identity/MEMORY") return { identity: aid, file };
      return { identity: aid, file, id: folder(file.startsWith("peers") ? "peer" : "group") };
    };
    const [ofScope, file, sections] = ON_A_FILE[action] ?? [scope, MEMORY_OF[scope]];
    if (ofScope !== scope) return refuse(`${action} takes scope=${ofScope}`);
    if (trace.isRead) return shown(await notes.read(fileOf(file)), file.endsWith("MEMORY"));
    const day = options.today(context.user);
    if (action === "promote_memory") {
      const from = scope !== "identity" ? scope : input.group_id !== undefined ? "group" : "peer";
      const id = from === "peer" ? peerId : groupId;
      if (id === undefined || !isPlainId(id)) return refuse(`${from}_id required for promote_memory`);
      return promote(fileOf(MEMORY_OF[from]), { identity: aid, file: "identity/MEMORY" }, entry ?? content ?? "");
    }
    const said = content ?? (action === "append_memory" ? entry : undefined);
    if (said === undefined) return refuse(`content is required for ${action}`);
    if (sections === undefined) return addEntry(fileOf(file), { day, text: entryText(said) });
    const section = sections.split(", ").find((name) => name.toLowerCase() === input.section?.trim().toLowerCase());
    if (section === undefined) return refuse(`section must be one of ${sections}`);
    return written(await notes.edit(fileOf(file), (text) => patchSection(text, section, said)));
  }

  async function addEntry(
    file: ContextFile,
    entry: { readonly day: string | undefined; readonly text: string },
  ): Promise<Outcome> {
    const section = file.file === "identity/MEMORY" ? ENTRIES_SECTION : undefined;
    return written(await notes.edit(file, (text) => appendEntry(text, entry, section)));
  }

  /** Promotes the entry with that text, or the only entry that contains it. */
  async function promote(from: ContextFile, to: ContextFile, wanted: string): Promise<Outcome> {
    const said = entryText(wanted);
    if (said === "") return refuse("entry is required for promote_memory");
    const entries = entriesOf(await notes.read(from));
    const exact = entries.filter(({ text }) => text === said);
    const [found, ...more] = exact.length > 0 ? exact : entries.filter(({ text }) => text.includes(said));
    if (!found) return refuse("there is no such entry: read the memory and give the entry's text");
    if (exact.length === 0 && more.length > 0) return refuse("several entries hold that text: give the whole entry");
    return addEntry(to, found);
  }

  /** The folder of a bare id on the session's channel. An owner may also name the channel, or a linked person. */
  function folderOf(of: ContextScopeName, id: string, context: ToolContext): string {
    const { user, channel, peer, account, roles } = context.speaker;
    const isNamed = isOwner(context) && (id.startsWith("@") || id.includes(":"));
    if (of === "group") {
      const group = groupOf(context);
      const place =
        isNamed && id !== group?.id ? parseUser(id) : { channel: group?.channel ?? parseUser(user).channel, id };
      const named = options.memoryUserOf({
        user,
        channel: place.channel,
        peer: { kind: "group", id: place.id },
        roles,
      });
      return named.slice(GROUP_PREFIX.length);
    }
    const speaker = parseUser(user);
    if (!groupOf(context) && (id === peer.id || id === speaker.id))
      return options.memoryUserOf({ user, channel, peer: { kind: "direct", id: peer.id }, roles, account });
    return options.canonicalUser(isNamed ? id : userOf(speaker.channel, id));
  }

  return { acp_context };
}

function isOwner({ speaker }: ToolContext): boolean {
  return speaker.roles.includes(OWNER_ROLE);
}

const GROUP_KEY = /^agent:[^:]+:([^:]+):(?:group|channel):([^:]+)/;

/** The group of the session. A host program may name a session by its key alone. */
function groupOf({ speaker: { peer, channel, sessionKey } }: ToolContext) {
  if (peer.kind !== "direct") return { channel, id: peer.id };
  const [, ofChannel, id] = GROUP_KEY.exec(sessionKey) ?? [];
  return ofChannel === undefined || id === undefined
    ? undefined
    : { channel: decodeURIComponent(ofChannel), id: decodeURIComponent(id) };
}

/** Whether an id can name a folder. Unusual characters are escaped; path segments such as `..` are refused. */
function isPlainId(id: string): boolean {
  return (
    id.length <= MAX_ID_CHARS &&
    !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(id) &&
    id.split(/[/\\]/).every((part) => !["", ".", ".."].includes(part.trim()))
  );
}

/** Removes blank fields: models give `null` or an empty text for absent ones, a host program `undefined`. */
function withoutBlanks(given: unknown): object {
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => (typeof value === "string" ? value.trim() !== "" : value != null)),
  );
}

/** Cuts a long text: sections keep their beginning, a file that grows at its end keeps its end. */
function shown(text: string, isNewestLast: boolean): Outcome {
  if (text.length <= MAX_SHOWN_CHARS) return { ok: true, content: text };
  const content = isNewestLast ? text.slice(-MAX_SHOWN_CHARS) : text.slice(0, MAX_SHOWN_CHARS);
  return { ok: true, content, note: `only ${MAX_SHOWN_CHARS} of ${text.length} characters are shown` };
}

function written(result: Awaited<ReturnType<PeopleNotes["edit"]>>): Outcome {
  if ("error" in result) return refuse(result.error);
  return result.changed ? { ok: true, changed: true } : { ok: true, changed: false, note: "already recorded" };
}

function refuse(error: string): Extract<Outcome, { ok: false }> {
  return { ok: false, error };
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}
