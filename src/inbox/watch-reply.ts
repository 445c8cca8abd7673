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
  /** Waited for before the message is sent; what it throws is thrown to the reader. */
  begin(): Promise<void>;
}

/**
 * Sends a message when the first event is asked for, and tells what happens until its reply, then `end`. A message that was answered before tells its reply at once,
 * and one that is being answered what its turn has told so far.
 * A reader that leaves early stops watching; the turn goes on and its reply is in the log.
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

/** What ends a stream: the reply, or why none came. */
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
