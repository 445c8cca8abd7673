import type { Exportable, ExportedPerson } from "../erasable/index.ts";
import { type MemoryUsers, OWNER_MEMORY } from "../session/index.ts";
import type { Redactor } from "../telemetry/index.ts";
import type { Conversations } from "./conversations.ts";
import { personOf } from "./person.ts";

/** Format version of the lines. */
const FORMAT = 1;

export interface PersonExportDeps {
  readonly users: MemoryUsers;
  readonly conversations: Pick<Conversations, "find">;
  /** Rooms by the name in their lines, in this order. */
  readonly rooms: Readonly<Record<string, Exportable>>;
  /** Redacts configured secrets. */
  readonly redact: Redactor;
}

/**
 * @returns A function that exports all that is stored about a person, except memories, as JSON lines, each with its
 * line end. Contains all that `forget` removes as theirs alone.
 *
 * Source: docs/privacy.md, "Everything of a person".
 */
export function createPersonExport({ users, conversations, rooms, redact }: PersonExportDeps) {
  async function known(userId: string): Promise<ExportedPerson> {
    const person = personOf(users, userId, userId, {});
    await conversations.find(person);
    const { isUser, sessions } = person;
    return { userId, isUser, sessions, isOwner: userId === users.canonicalUser(OWNER_MEMORY) };
  }

  return async function* exportPerson(of: string): AsyncGenerator<string> {
    const userId = users.canonicalUser(of);
    const person = await known(userId);
    for (const [room, { exportPerson: kept }] of Object.entries(rooms))
      for await (const data of kept(person))
        yield `${JSON.stringify({ v: FORMAT, type: "kept", user_id: userId, room, data: redact(data) })}\n`;
  };
}
