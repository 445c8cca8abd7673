import type { Channel } from "../channel.ts";
import type { QueueRules } from "./queue.ts";
import type { SessionSettings } from "./records.ts";
import type { QueueOptions } from "./options.ts";

export const DEFAULT_MAX_CONCURRENT = 4;
export const DEFAULT_QUEUE_RULES = { mode: "collect", cap: 20, overflow: "summarize" } as const;
/** People on chat platforms write in bursts; programs do not. */
export const CHAT_DEBOUNCE_MS = 1000;
const WITHOUT_BURSTS: readonly string[] = ["sdk", "cli", "web", "webhook"];

/** The rules for messages of one channel in one session: the session's own, then the channel's, then the assistant's, then the defaults. */
export function queueRules(
  options: QueueOptions,
  channelName: string,
  channel: Channel | undefined,
  { queueMode }: SessionSettings = {},
): QueueRules {
  const { mode, debounceMs, cap, overflow } = { ...options, ...channel?.access.queue };
  return {
    mode: queueMode ?? mode ?? DEFAULT_QUEUE_RULES.mode,
    cap: cap ?? DEFAULT_QUEUE_RULES.cap,
    overflow: overflow ?? DEFAULT_QUEUE_RULES.overflow,
    debounceMs: debounceMs ?? (WITHOUT_BURSTS.includes(channelName) ? 0 : CHAT_DEBOUNCE_MS),
  };
}
