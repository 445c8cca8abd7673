import type { Slots } from "./entry.ts";

/** The slot that says which messages an entry was made from: of a statement each of them said it, of a turn all of them together. */
const MESSAGE_IDS = "message_ids";
/** A slot for more would not leave room for the others. */
const MAX_CHARS = 4000;

/** The newest of these ids as a slot; none of them is no slot. */
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

/** The slots with these ids of messages and no others. */
export function withMessageIds({ [MESSAGE_IDS]: _ids, ...slots }: Slots, ids: readonly string[]): Slots {
  return { ...slots, ...messageSlot(ids) };
}
