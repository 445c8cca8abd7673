import type { Store } from "../store/index.ts";
import { type DeadLetter, isLetter } from "./records.ts";

/** The log of what was given up. */
export const DEAD_LOG = "outbox/dead.jsonl";
const DEFAULT_LIMIT = 100;

/**
 * Reads the parts of messages that were given up, oldest first.
 *
 * Source: docs/http-manage.md, "What could not be delivered".
 *
 * @param options.limit The newest so many. Default 100.
 */
export async function readDeadLetters(
  store: Pick<Store, "read">,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number } = {},
): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for await (const { record } of store.read(DEAD_LOG)) {
    if (!isLetter(record)) continue; // of somebody who was forgotten
    const { v: _format, ...letter } = record;
    letters.push(letter);
    if (letters.length > limit) letters.shift();
  }
  return letters;
}
