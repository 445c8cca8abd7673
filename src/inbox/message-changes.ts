import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { createRateCounter } from "../guard/index.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { type Sessions, userOf } from "../session/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { Refused } from "./admission.ts";
import type { Kept } from "./overheard.ts";

export interface MessageChangesDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly engine: Pick<Engine, "wake">;
  /** Wake key for what memory captured from a session's messages. Default: nothing is captured. */
  memoryWakeKey?(sessionKey: string): string;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Changes per session and minute that are kept. A shared live location changes every few seconds. */
const MAX_A_MINUTE = 120;
const MAX_TEXT_CHARS = 32_768;

/** Records edits and deletions of messages. */
export interface MessageChanges {
  take(sessionKey: string, id: string, message: InboundMessage): Promise<Kept | Refused>;
}

/**
 * Journals an edit or a deletion like a message, so that it survives, but begins no turn. The session's fold and
 * the memory read it from the log.
 */
export function createMessageChanges(deps: MessageChangesDeps): MessageChanges {
  const { sessions, owners, engine, memoryWakeKey, clock, metrics } = deps;
  const rate = createRateCounter({ clock, windowMs: 60_000, limit: MAX_A_MINUTE });

  async function take(sessionKey: string, id: string, message: InboundMessage): Promise<Kept | Refused> {
    const { channel, account = DEFAULT_ACCOUNT, peer, sender, messageId, mentioned, sentAtMs, text } = message;
    if (messageId === undefined) return { outcome: "refused", reason: "a change to an unknown message" };
    if (rate.hit(sessionKey).hits > MAX_A_MINUTE) {
      metrics.increment("inbox.message_total", { channel, outcome: "not_kept" });
      return { outcome: "refused", reason: "more changes than are kept per minute" };
    }
    const user = userOf(channel, sender.id);
    const isDeletion = message.kind === "deletion";
    // Issued in one tick, as a message and its wake are.
    const [appended] = await Promise.all([
      sessions.append(
        sessionKey,
        {
          type: "change",
          id,
          messageId,
          change: isDeletion ? "deleted" : "edited",
          text: isDeletion ? "" : text.slice(0, MAX_TEXT_CHARS),
          user,
          roles: owners.rolesOf(user),
          channel,
          account,
          peer,
          sender: { id: sender.id, ...(sender.name !== undefined && { name: sender.name }) },
          ...(mentioned !== undefined && { mentioned }),
          ...(sentAtMs !== undefined && { changedAtMs: sentAtMs }),
        },
        { id },
      ),
      memoryWakeKey && engine.wake(memoryWakeKey(sessionKey)),
    ]);
    metrics.increment("inbox.message_total", { channel, outcome: appended.duplicate ? "duplicate" : "changed" });
    return { outcome: "kept", sessionKey };
  }

  return { take };
}
