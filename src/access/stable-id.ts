import type { InboundMessage } from "../message.ts";

/** Longest stored id, in characters. No platform has longer ids. */
export const MAX_ID = 256;

/** Whether a platform could have given this id, and it can be stored. */
export function isUsableId(id: string): boolean {
  return id !== "" && id === id.trim() && id.length <= MAX_ID;
}

/** The user in the form of the owner's ids. Cut, because it can be a stranger's. */
export function userOf({ channel, sender }: InboundMessage): string {
  return `${channel}:${sender.id.slice(0, MAX_ID)}`;
}
