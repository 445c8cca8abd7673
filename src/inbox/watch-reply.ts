import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Reply, StreamEvent } from "../reply.ts";
import type { Waiters } from "../session/index.ts";
import { type EventQueue, createEventQueue } from "./event-queue.ts";
import type { Inbox } from "./inbox.ts";
import type { Submission, Submissions } from "./submissions.ts";

export interface WatchDeps {
  readonly inbox: Pick<Inbox, "submit">;
  readonly submissions: Pick<Submissions, "watchKey">;
  readonly waiters: Pick<Waiters, "watch">;
  readonly clock: Clock;
  /** Awaited before the message is sent. The reader receives its error. */
  begin(): Promise<void>;
}

/**
 * Sends a message when the first event is asked for. Yields events until the reply, then `end`. For a message that
 * was answered before, the reply comes at once; for one that is being answered, the turn's past events come first. A
 * reader that leaves early stops watching; the turn goes on and its reply is in the log.
 */
export function watchReply(
  input: Submission,
  { inbox, submissions, waiters, clock, begin }: WatchDeps,
): AsyncIterableIterator<StreamEvent> {
  let unwatch = () => {};
  let left = false;
  const queue = createEventQueue<StreamEvent>({
    onStart: () => void sendAndTell().then(queue.end, queue.fail),
    onEnd() {
      left = true;
      unwatch();
    },
  });

  async function sendAndTell(): Promise<void> {
    await begin();
    const message = { ...input, id: input.id ?? newId(clock) };
    if (!left) unwatch = waiters.watch(submissions.watchKey(message), queue.push);
    const accepted = await inbox.submit(message);
    await tellReply(queue, accepted.reply(input.signal));
  }

  return queue;
}

/** Ends a stream with the reply or with an error. */
export async function tellReply(queue: Pick<EventQueue<StreamEvent>, "push">, coming: Promise<Reply>): Promise<void> {
  try {
    const reply = await coming;
    if (reply.error) queue.push({ type: "error", ...reply.error });
    queue.push({ type: "reply", reply });
  } catch (error) {
    queue.push({
      type: "error",
      code: AssistantError.is(error) ? error.code : "ABORTED",
      message: messageOf(error),
    });
  }
  queue.push({ type: "end" });
}
