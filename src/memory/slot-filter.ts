import type { Slots } from "./entry.ts";

/**
 * Whether slots hold the asked values. A list in the query means one of its values; a slot that is a list matches if
 * one of its values does.
 */
export function slotsMatch(slots: Slots, asked: Slots): boolean {
  for (const key in asked) {
    const want = asked[key];
    if (want === undefined) continue;
    const wanted = Array.isArray(want) ? want : [want];
    const has = slots[key];
    const held = Array.isArray(has) && !Array.isArray(want) ? [has, ...has] : [has];
    if (!wanted.some((value) => held.some((one) => isSame(one, value))) && !isSame(has, want)) return false;
  }
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}
