import type { InboundMessage } from "../message.ts";

/** No platform has longer ids, and they are kept. */
export const MAX_ID = 256;

/** One that a platform could have given, and that can be kept. */
export function isUsableId(id: string): boolean {
  return id !== "" && id === id.trim() && id.length <= MAX_ID;
}

/** As the owner's ids are written; cut, since it may be a stranger's. */
export function userOf({ channel, sender }: InboundMessage): string {
  return `${channel}:${sender.id.slice(0, MAX_ID)}`;
}
