import type { Clock } from "../clock.ts";
import { createRateCounter } from "../guard/index.ts";
import type { InboundMessage } from "../message.ts";
import { type Sessions, userOf } from "../session/index.ts";
import type { Audit, Metrics } from "../telemetry/index.ts";
import type { Refused } from "./admission.ts";

export interface OverheardDeps {
  readonly sessions: Pick<Sessions, "append" | "addNote">;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A message that is kept without an answer. */
export interface Kept {
  readonly outcome: "kept";
  readonly sessionKey: string;
}

/** Messages per group and minute that are kept although they do not address the assistant. */
const MAX_HEARD_A_MINUTE = 120;
const MAX_HEARD_CHARS = 4000;

/** Records context for the next turn, without waking the session. */
export type Overheard = ReturnType<typeof createOverheard>;

export function createOverheard({ sessions, audit, clock, metrics }: OverheardDeps) {
  const heardRate = createRateCounter({ clock, windowMs: 60_000, limit: MAX_HEARD_A_MINUTE });

  /** Records a group message that does not address the assistant. */
  async function hear(sessionKey: string, id: string, message: InboundMessage): Promise<Kept | Refused> {
    const { channel, peer, sender, kind = "message" } = message;
    if (kind !== "message") return { outcome: "refused", reason: "not addressed in a group" };
    const { hits } = heardRate.hit(sessionKey);
    if (hits > MAX_HEARD_A_MINUTE) {
      // The counter stops at limit + 1, so the audit line is written once a minute.
      metrics.increment("inbox.message_total", { channel, outcome: "not_kept" });
      return { outcome: "refused", reason: "the group wrote more than is kept per minute" };
    }
    if (hits === MAX_HEARD_A_MINUTE) {
      const reason = `more than ${MAX_HEARD_A_MINUTE} messages in a minute: the rest is not kept`;
      audit.write({ who: "group", what: "group.flood", target: `${channel}:${peer.id}`, verdict: "refused", reason });
    }
    const { messageId, attachments = [] } = message;
    const { name } = sender;
    const files = attachments.map((file) => file.name ?? file.mediaType).join(", ");
    const text = files === "" ? message.text : `${message.text} [not kept: ${files}]`.trimStart();
    await sessions.append(
      sessionKey,
      {
        type: "heard",
        id,
        ...(messageId !== undefined && { messageId }),
        text: text.slice(0, MAX_HEARD_CHARS),
        user: userOf(channel, sender.id),
        sender: { id: sender.id, ...(name !== undefined && { name }) },
      },
      { id, flush: false },
    );
    metrics.increment("inbox.message_total", { channel, outcome: "heard" });
    return { outcome: "kept", sessionKey };
  }

  /** Records a platform's note about a conversation, such as a join. */
  async function note(sessionKey: string, id: string, { channel, text }: InboundMessage): Promise<Kept> {
    await sessions.addNote(sessionKey, { id, source: `${channel} edit`, text });
    return { outcome: "kept", sessionKey };
  }

  return { hear, note };
}
