import type { Exportable, ExportedPerson } from "../erasable/index.ts";
import { type MemoryUsers, OWNER_MEMORY } from "../session/index.ts";
import type { Redactor } from "../telemetry/index.ts";
import type { Conversations } from "./conversations.ts";
import { personOf } from "./person.ts";

/** The format of the lines. */
const FORMAT = 1;

export interface PersonExportDeps {
  readonly users: MemoryUsers;
  readonly conversations: Pick<Conversations, "find">;
  /** By what their lines are called, in this order. */
  readonly rooms: Readonly<Record<string, Exportable>>;
  /** Takes out configured secrets. */
  readonly redact: Redactor;
}

/**
 * @returns What gives out all that is kept of a person besides what is remembered, as JSON lines, each with its line end. What `forget` removes as theirs
 * alone is in it.
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
