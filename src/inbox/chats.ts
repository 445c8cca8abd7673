import type { StreamEvent } from "../reply.ts";
import {
  type InRecord,
  type Sequenced,
  type Session,
  type Sessions,
  type Waiters,
  isWithdrawn,
  waiterKey,
} from "../session/index.ts";
import type { Arrivals } from "./arrivals.ts";
import { createEventQueue } from "./event-queue.ts";
import type { Submission, Submissions } from "./submissions.ts";
import { tellReply } from "./watch-reply.ts";

/** Identifies a conversation by its speaker and its name. */
export type ChatPlace = Omit<Submission, "text">;

export interface ChatsDeps {
  readonly submissions: Pick<Submissions, "describe">;
  readonly sessions: Pick<Sessions, "load" | "read">;
  readonly arrivals: Pick<Arrivals, "replyTo">;
  readonly waiters: Pick<Waiters, "watch">;
  start(): Promise<void>;
}

/** Conversations for programs that show them and join later. */
export type Chats = ReturnType<typeof createChats>;

export function createChats({ submissions, sessions, arrivals, waiters, start }: ChatsDeps) {
  const keyOf = (place: ChatPlace) => submissions.describe({ ...place, text: "" }).sessionKey;

  return {
    /** The newest `count` records of a conversation, oldest first. */
    async read(place: ChatPlace, count: number) {
      const sessionKey = keyOf(place);
      return { sessionKey, records: await sessions.read(sessionKey, count) };
    },
    /**
     * Resumes watching the turn that answers the newest message of a conversation: its past events, further events,
     * its reply and `end`. Waits for the turn if the message still waits. `undefined` if no answer is due. If the
     * turn had no watcher when it began, only the reply is given.
     */
    async resume(place: ChatPlace): Promise<AsyncIterableIterator<StreamEvent> | undefined> {
      await start();
      const sessionKey = keyOf(place);
      const message = unanswered(await sessions.load(sessionKey));
      if (!message) return undefined;
      let unwatch = () => {};
      const queue = createEventQueue<StreamEvent>({
        onStart() {
          unwatch = waiters.watch(waiterKey(sessionKey, message.id), queue.push);
          void tellReply(queue, arrivals.replyTo(sessionKey, message.id, undefined)).then(queue.end);
        },
        onEnd: () => unwatch(),
      });
      return queue;
    },
  };
}

/** The newest message of a person that has no reply and will get one. */
function unanswered({ waiting, open, refusing, stoppedAt }: Session): Sequenced<InRecord> | undefined {
  const asked = [...(open?.inputs ?? []), ...waiting].filter((input) => input.type === "in");
  return asked.findLast(
    (message) =>
      message.source === undefined &&
      message.seq > stoppedAt &&
      !refusing.includes(message.id) &&
      !isWithdrawn(message),
  );
}
