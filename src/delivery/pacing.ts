import type { ChannelLimits } from "../channel.ts";
import type { Clock } from "../clock.ts";

/** Longest wait that the handler sleeps through; for a longer one the chat is woken again. */
export const MAX_SLEEP_MS = 1_000;
/** Above this number of chats, those whose wait is over are dropped. */
const MAX_CHATS = 1_000;

export interface Pacer {
  /**
   * Returns the wait until the next message to this chat may be sent. Reserves the slot if the wait is at most
   * `MAX_SLEEP_MS`.
   */
  reserve(account: string, chat: string, limits: ChannelLimits): { waitMs: number };
}

/** Rate limits messages per chat and per account, as a platform requires. In this process only. */
export function createPacer(clock: Pick<Clock, "now">): Pacer {
  const freeAt = new Map<string, number>();

  function slot(key: string, spacingMs: number, nowMs: number): number {
    const at = freeAt.get(key) ?? 0;
    // Further ahead than any reservation: the host's clock was set back.
    return at > nowMs + MAX_SLEEP_MS + spacingMs ? nowMs : Math.max(at, nowMs);
  }

  function reserve(account: string, chat: string, limits: ChannelLimits): { waitMs: number } {
    const nowMs = clock.now();
    const spacings: [string, number][] = [];
    if (limits.perSecond !== undefined) spacings.push([account, 1000 / limits.perSecond]);
    if (limits.perChatPerSecond !== undefined) spacings.push([`${account}\n${chat}`, 1000 / limits.perChatPerSecond]);
    const at = Math.max(nowMs, ...spacings.map(([key, spacingMs]) => slot(key, spacingMs, nowMs)));
    const waitMs = Math.ceil(at - nowMs);
    if (waitMs <= MAX_SLEEP_MS) for (const [key, spacingMs] of spacings) freeAt.set(key, at + spacingMs);
    if (freeAt.size > MAX_CHATS) for (const [key, free] of freeAt) if (free <= nowMs) freeAt.delete(key);
    return { waitMs };
  }

  return { reserve };
}
