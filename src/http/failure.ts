import type { Reply, StreamEvent } from "../reply.ts";
import type { Caller } from "./auth.ts";

/**
 * Hides the reason of a failed turn from everyone but the owner, since it may name models, providers and keys. Others
 * get the text that the person was told.
 */
export function failureFor<T extends Pick<Reply, "text" | "error">>({ role }: Pick<Caller, "role">, told: T): T {
  const { text, error } = told;
  if (!error || role === "owner" || text === "") return told;
  return { ...told, error: { ...error, message: text } };
}

/** Applies `failureFor` to replies. An error event needs no change: the reply that follows overrides it. */
export async function* eventsFor(
  caller: Pick<Caller, "role">,
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  for await (const event of events)
    yield event.type === "reply" ? { ...event, reply: failureFor(caller, event.reply) } : event;
}
