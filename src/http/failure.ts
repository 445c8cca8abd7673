import type { Reply, StreamEvent } from "../reply.ts";
import type { Caller } from "./auth.ts";

/** Why a turn failed may name models, providers and keys, which is for the owner to know and to mend. Others read what the person was told. */
export function failureFor<T extends Pick<Reply, "text" | "error">>({ role }: Pick<Caller, "role">, told: T): T {
  const { text, error } = told;
  if (!error || role === "owner" || text === "") return told;
  return { ...told, error: { ...error, message: text } };
}

/** What the event of an error says is said by the reply, which follows it and wins. */
export async function* eventsFor(
  caller: Pick<Caller, "role">,
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  for await (const event of events)
    yield event.type === "reply" ? { ...event, reply: failureFor(caller, event.reply) } : event;
}
