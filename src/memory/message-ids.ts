import type { Slots } from "./entry.ts";

/**
 * Slot with the ids of the messages that an entry was made from. Each message of a statement says it; those of a turn
 * belong together.
 */
const MESSAGE_IDS = "message_ids";
/** Most characters of all ids, which leaves room for other slots. */
const MAX_CHARS = 4000;

/** Puts the newest of these ids into a slot; without ids there is no slot. */
export function messageSlot(ids: readonly string[]): Slots {
  const distinct = [...new Set(ids)];
  let chars = 0;
  const fits = distinct.toReversed().filter((id) => (chars += id.length) <= MAX_CHARS);
  return fits.length === 0 ? {} : { [MESSAGE_IDS]: fits.toReversed() };
}

/** Ids of the messages that an entry was made from, as the conversation refers to them. */
export function messageIdsIn(slots: Slots): readonly string[] {
  const ids = slots[MESSAGE_IDS];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}

/** Replaces the message ids in slots. */
export function withMessageIds({ [MESSAGE_IDS]: _ids, ...slots }: Slots, ids: readonly string[]): Slots {
  return { ...slots, ...messageSlot(ids) };
}
