import { type Erasable, FORGOTTEN, eraseUnder, partsOf } from "../erasable/index.ts";
import { type LogRecord, type Store, keySegments } from "../store/index.ts";

const ROOM = "outbox/";

/** What waits to be sent to people, and what was given up. */
export function createOutboxErasure({ store }: { readonly store: Store }): Erasable {
  return {
    async forget(person) {
      const { words, sessions } = person;
      const requests = partsOf(person.requests);
      /** A message that answers them, or shows one of their requests, says nothing any more. */
      const change = (record: LogRecord): LogRecord => {
        const bare = words.scrub(record);
        const { text } = bare;
        const { thread = "" } = (record["target"] ?? {}) as { readonly thread?: string };
        const shows = (typeof record["id"] === "string" && requests.isNamed(record["id"])) || sessions.has(thread);
        return shows && text !== undefined && text !== FORGOTTEN ? { ...bare, text: FORGOTTEN } : bare;
      };
      await eraseUnder(store, ROOM, person, {
        // A channel may be called as its one person is: `sdk`.
        isTheirs(key) {
          if (person.chats.has(key)) return true;
          const [, ...before] = keySegments(key);
          const chat = before.pop() ?? "";
          return chat === person.userId || sessions.has(chat) || person.isNamedBy(chat, before);
        },
        change,
        rewriting: { idOf, filler: FILLER },
      });
    },
  };
}

/** Keeps the number of a record that cannot be read, and is none of the outbox's own. */
const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };

/** The ids with which records are appended. */
function idOf({ id, type, part, attempts }: LogRecord): string | undefined {
  if (typeof id !== "string") return undefined;
  // A dead letter.
  if (type === undefined && typeof part === "number" && attempts !== undefined) return `${id}.${part}`;
  return id;
}
