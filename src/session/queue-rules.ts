import type { Channels } from "../channels.ts";
import { HOOK_CHANNEL } from "../host-channels.ts";
import type { QueueOptions } from "./options.ts";
import type { QueueRules } from "./queue.ts";
import type { InRecord, SessionSettings } from "./records.ts";

export const DEFAULT_MAX_CONCURRENT = 4;
export const DEFAULT_QUEUE_RULES = { mode: "collect", cap: 20, overflow: "summarize" } as const;
/** People on chat platforms write in bursts; programs do not. */
export const CHAT_DEBOUNCE_MS = 1000;
const WITHOUT_BURSTS: readonly string[] = ["sdk", "cli", "web", "webhook", HOOK_CHANNEL];

/**
 * The queue rules for a message: the session's own setting wins, then the channel's,
 * the assistant's and the defaults.
 */
export function createQueueRules(options: QueueOptions, channels: Pick<Channels, "of">) {
  return function rulesFor(message: InRecord, { queueMode }: SessionSettings): QueueRules {
    const { mode, debounceMs, cap, overflow } = { ...options, ...channels.of(message)?.access.queue };
    const bursts = debounceMs ?? (WITHOUT_BURSTS.includes(message.channel) ? 0 : CHAT_DEBOUNCE_MS);
    return {
      mode: queueMode ?? mode ?? DEFAULT_QUEUE_RULES.mode,
      cap: cap ?? DEFAULT_QUEUE_RULES.cap,
      overflow: overflow ?? DEFAULT_QUEUE_RULES.overflow,
      // A message that a caller waits for is not debounced; only channels have bursts.
      debounceMs: message.target === undefined ? 0 : bursts,
    };
  };
}
