import type { Artifacts } from "../../artifacts/index.ts";
import { AssistantError } from "../../errors.ts";
import { type MemoryApi, createMemoryFiles } from "../../memory/index.ts";
import type { Sessions } from "../../session/index.ts";
import { type Store, rewriteLog } from "../../store/index.ts";
import type { MemoryPeople } from "../memory-people.ts";
import { type Person, namesOf } from "./person.ts";
import { FILLER, idOf } from "./records.ts";
import { saidBy } from "./said-by.ts";
import { type Traces, findTraces } from "./traces.ts";
import { NOBODY } from "./words.ts";

export interface ConversationsParts {
  readonly store: Store;
  readonly sessions: Sessions;
  /** Ends a turn at work. */
  readonly running: { of(sessionKey: string): { stop(reason: AssistantError): void } | undefined };
  readonly artifacts: Pick<Artifacts, "list" | "remove" | "removeSession">;
  readonly memory: Pick<MemoryApi, "list" | "remove">;
  readonly people: MemoryPeople;
  /** Lets go of somebody's index. */
  dropIndex(userId: string): Promise<void>;
}

/** What goes of conversations: those of the person alone wholly, of shared ones what is theirs. */
export function createForgottenConversations(parts: ConversationsParts) {
  const { store, sessions, people } = parts;

  async function removeSession(key: string): Promise<void> {
    // The same as /stop: the turn ends, and what waits is not begun.
    await sessions.append(key, { type: "stop", by: NOBODY });
    parts.running.of(key)?.stop(new AssistantError("ABORTED", "The conversation was removed"));
    await parts.artifacts.removeSession(key);
    await sessions.alone(key, async (logs) => {
      for (const log of logs) await store.remove(log);
    });
    // Of a turn that was at work until now.
    await parts.artifacts.removeSession(key);
  }

  async function rewriteSession(key: string, person: Person): Promise<void> {
    for (const { id, user } of await parts.artifacts.list(key))
      if (person.isUser(user)) await parts.artifacts.remove(key, id);
    const groups = new Set<string>();
    for await (const record of sessions.scan(key))
      if (record.type === "in" && record.peer.kind !== "direct") groups.add(people.memoryUserOf(record));
    await sessions.alone(key, async ([summaries = "", log = ""]) => {
      const found = await findTraces(sessions.scan(key), person.isTheirs, person.isUser, namesOf(person.ids, person));
      // What the group remembers goes first: afterwards nobody can tell which of it was theirs.
      for (const group of groups) await forgetInGroup(group, found);
      if (!found.found) return;
      await rewriteLog(store, log, found.without, { idOf, filler: FILLER });
      // Rebuilt from the log when they are listed.
      await store.remove(summaries);
    });
  }

  /** What a group remembers of what they said. */
  async function forgetInGroup(group: string, traces: Traces): Promise<void> {
    const isOfThem = saidBy(traces);
    const gone: string[] = [];
    for (const archived of [false, true]) {
      for await (const { id, content, slots } of parts.memory.list(group, { archived })) {
        const named = Object.values(slots).some((value) => typeof value === "string" && traces.ids.has(value));
        if (named || content.split("\n").some(isOfThem)) gone.push(id);
      }
    }
    if (gone.length > 0) await parts.memory.remove(group, gone);
    await parts.dropIndex(group);
    const files = createMemoryFiles({ store });
    for (const name of ["MEMORY.md", ...(await files.days(group))]) {
      for (;;) {
        const found = await files.read(group, name);
        const kept = found?.text.split("\n").filter((line) => !isOfThem(line));
        if (!found || !kept || kept.length === found.text.split("\n").length) break;
        try {
          await files.write(group, name, kept.join("\n"), { expect: found.version });
          break;
        } catch (error) {
          if (!AssistantError.is(error, "CONFLICT")) throw error;
        }
      }
    }
  }

  return { removeSession, rewriteSession };
}
