import type { Clock } from "../clock.ts";
import { createRateCounter } from "../guard/index.ts";
import type { InboundMessage } from "../message.ts";
import type { Outbox } from "../outbox/index.ts";
import { type Sessions, languageIn, userOf } from "../session/index.ts";
import type { Audit, Metrics } from "../telemetry/index.ts";
import type { Refused } from "./admission.ts";
import { commandText } from "./command-texts.ts";
import { targetOf } from "./target-of.ts";

export interface CommandLimitDeps {
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly sessions: Pick<Sessions, "load">;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Commands of one person that are answered per minute. */
const MAX_COMMANDS_A_MINUTE = 20;

/**
 * @returns A function that refuses commands above the limit. The person and the audit log are told once a minute;
 * further commands get no answer.
 */
export function createCommandLimit({ outbox, sessions, audit, clock, metrics }: CommandLimitDeps) {
  const rate = createRateCounter({ clock, windowMs: 60_000, limit: MAX_COMMANDS_A_MINUTE + 1 });

  /**
   * @param id The message's id.
   * @returns `undefined` if the command is accepted.
   */
  return async function refuseFlood(
    sessionKey: string,
    id: string,
    message: InboundMessage,
  ): Promise<Refused | undefined> {
    const { channel, sender, text, kind = "message" } = message;
    const who = userOf(channel, sender.id);
    const { hits } = rate.hit(who);
    if (hits <= MAX_COMMANDS_A_MINUTE) return undefined;
    const reason = `more than ${MAX_COMMANDS_A_MINUTE} commands in a minute`;
    metrics.increment("inbox.message_total", { channel, outcome: "refused" });
    if (hits === MAX_COMMANDS_A_MINUTE + 1) {
      audit.write({ who, what: "command.flood", target: sessionKey, verdict: "refused", reason });
      if (kind !== "message") return { outcome: "refused", reason };
      const language = languageIn(await sessions.load(sessionKey), text);
      const told = { id: `answer:${id}`, text: commandText("TOO_MANY", { language }) };
      await outbox.enqueue(targetOf(message), { message: told });
    }
    return { outcome: "refused", reason };
  };
}
