import type { Artifacts } from "../artifacts/index.ts";
import type { Target } from "../channel.ts";
import { NOBODY } from "../erasable/index.ts";
import { AUTOMATION } from "../host-channels.ts";
import { type MemoryErasure, saidBy } from "../memory/index.ts";
import { outboxLog } from "../outbox/index.ts";
import { type PeopleNotes, entryText } from "../people/index.ts";
import { type MemoryUsers, type SessionErasure, type Sessions, type Traces, userOf } from "../session/index.ts";
import type { ToolErasure } from "../tools/index.ts";
import { keyPartsOf } from "./person-words.ts";
import { type Person, namesOf } from "./person.ts";

export interface ConversationsDeps {
  readonly sessions: Pick<Sessions, "list" | "scan">;
  readonly erasure: Pick<SessionErasure, "stop" | "remove" | "rewrite">;
  /** Stops a turn. @param isUser Stops it only if it is for this person alone: others still get their answers. */
  stopTurn(sessionKey: string, isUser?: (user: string) => boolean): void;
  readonly artifacts: Pick<Artifacts, "removeSession">;
  readonly memory: Pick<MemoryErasure, "forgetSaid">;
  readonly notes: Pick<PeopleNotes, "forgetLines">;
  readonly tools: Pick<ToolErasure, "forgetPlanOf">;
  readonly users: MemoryUsers;
}

const GROUP_PREFIX = "group:";
const HEADING = /^ {0,3}#{1,2}(?!#)/;

/** Keys of the conversations in which a person spoke. */
export interface FoundConversations {
  readonly theirs: readonly string[];
  readonly shared: readonly string[];
}

export type Conversations = ReturnType<typeof createConversations>;

/** Erases conversations: those of the person alone completely, shared ones partly. */
export function createConversations(deps: ConversationsDeps) {
  const { sessions, erasure, stopTurn, artifacts, memory, notes, tools, users } = deps;

  /** Finds all that concerns the person and adds it to `person`. Changes nothing. */
  async function find(person: Person): Promise<FoundConversations> {
    const theirs: string[] = [];
    const shared: string[] = [];
    for (const { key } of await sessions.list({ limit: Infinity })) {
      const whose = await whoseIs(key, person);
      if (whose === "others") continue;
      (whose === "theirs" ? theirs : shared).push(key);
      if (whose === "theirs") person.sessions.add(key);
      for await (const record of sessions.scan(key)) {
        if (record.type !== "in" || !person.isTheirs(record)) continue;
        person.requests.add(record.id);
        if (whose === "theirs" && record.target) person.chats.add(outboxLog(record.target));
      }
    }
    return { theirs, shared };
  }

  /** A conversation is theirs when no other person speaks in it. */
  async function whoseIs(
    key: string,
    { isTheirs, isUser, userId, others, ids, keepsCapitals }: Person,
  ): Promise<"theirs" | "shared" | "others"> {
    let [own, foreign] = [0, 0];
    for await (const record of sessions.scan(key)) {
      if (record.type !== "in" && record.type !== "heard" && record.type !== "change") continue;
      if (record.user === NOBODY) continue;
      // An automation is no person: its messages belong to the recipient of the replies.
      if (record.user === AUTOMATION && record.type === "in") {
        if (goesTo(record.target, isUser)) own += 1;
        continue;
      }
      const isOwn = record.type === "heard" ? isUser(record.user) : isTheirs(record);
      // When a group is erased, all that was said in it goes.
      if (record.type === "in" && record.peer.kind !== "direct" && users.memoryUserOf(record) === userId)
        return "theirs";
      if (isOwn) own += 1;
      else foreign += 1;
      if (!isOwn) others.add(record.user);
      if (record.type === "in" && record.peer.kind !== "direct") others.add(users.memoryUserOf(record));
    }
    // Without a speaker, the log only has what was said to the person that its key names.
    if (own === 0 && foreign === 0 && keyPartsOf(ids, keepsCapitals)(key, [])) return "theirs";
    if (own === 0) return "others";
    return foreign === 0 && !/:(?:group|channel):/.test(key) ? "theirs" : "shared";
  }

  /** Whether a target is the chat of the person alone, or the host program on their behalf. */
  function goesTo(target: Target | undefined, isUser: (user: string) => boolean): boolean {
    return target !== undefined && (isUser(userOf(target.channel, target.chat)) || isUser(target.chat));
  }

  async function remove(key: string): Promise<void> {
    await erasure.stop(key);
    stopTurn(key);
    await artifacts.removeSession(key);
    await erasure.remove(key);
    // Again, for a turn that was still running.
    await artifacts.removeSession(key);
  }

  async function rewrite(key: string, person: Person): Promise<void> {
    stopTurn(key, person.isUser);
    const groups = new Set<string>();
    for await (const record of sessions.scan(key))
      if (record.type === "in" && record.peer.kind !== "direct") groups.add(users.memoryUserOf(record));
    await erasure.rewrite(key, {
      isTheirs: person.isTheirs,
      isUser: person.isUser,
      requests: person.requests,
      words: () => namesOf(person.ids, person),
      async onFound(traces) {
        await tools.forgetPlanOf(key, traces.ids);
        const isNoted = notedIn(traces);
        for (const group of groups) {
          await memory.forgetSaid(group, traces);
          await notes.forgetLines(group.slice(GROUP_PREFIX.length), isNoted);
        }
      },
    });
  }

  return { find, remove, rewrite };
}

/** Whether a line of a group's notes quotes the person, or was written by a turn that answered them. */
function notedIn(traces: Traces): (line: string) => boolean {
  const isSaid = saidBy(traces);
  // A call's text is stored as one entry, or as lines with headings one level below those of the file.
  const lines = traces.given.flatMap((text) => [
    text,
    ...text.split(/\r?\n/).map((line) => line.replace(HEADING, "###")),
  ]);
  const given = new Set(lines.map(entryText));
  return (line) => line !== "" && (isSaid(line) || given.has(line));
}
