import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { SendInput, StreamEvent } from "../reply.ts";
import type { Hub } from "./hub.ts";
import type { Inbox } from "./inbox.ts";

/**
 * Sends a message and yields what happens until its reply, then `end`. A message that was answered before yields its reply at once.
 * A consumer that leaves early stops watching; the turn goes on and its reply is in the log.
 */
export async function* watchReply(
  input: SendInput & { readonly asOwner?: boolean },
  inbox: Inbox,
  hub: Hub,
  clock: Clock,
): AsyncGenerator<StreamEvent> {
  const message = { ...input, id: input.id ?? newId(clock) };
  const events: StreamEvent[] = [];
  let arrived = () => {};
  const push = (event: StreamEvent) => {
    events.push(event);
    arrived();
  };
  const unwatch = hub.watch(inbox.watchKey(message), push);
  try {
    const accepted = await inbox.submit(message);
    if (accepted.outcome === "duplicate") {
      // Somebody else's turn may be in its middle: half a text followed by all of it would be told twice.
      unwatch();
      events.length = 0;
    }
    let done = false;
    accepted
      .reply(input.signal ?? new AbortController().signal)
      .then(
        (reply) => {
          if (reply.error) push({ type: "error", ...reply.error });
          push({ type: "reply", reply });
        },
        (error: unknown) =>
          push({ type: "error", code: AssistantError.is(error) ? error.code : "ABORTED", message: messageOf(error) }),
      )
      .finally(() => {
        done = true;
        arrived();
      });
    while (!done || events.length > 0) {
      const next = events.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (arrived = resolve));
    }
    yield { type: "end" };
  } finally {
    unwatch();
  }
}
