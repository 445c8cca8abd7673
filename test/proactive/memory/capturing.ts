import type { MemoryEntry } from "../../../src/memory/index.ts";
import { createMemoryCapture } from "../../../src/proactive/memory/capture.ts";
import { KEY, type SetUp, replied, said, setUp, stepped } from "./support.ts";

export const WAKE = `memory:capture:${KEY}`;

/** A session whose turns are captured. */
export async function withCapture(given: SetUp = {}) {
  const at = setUp(given);
  const capture = createMemoryCapture(at.parts, { likenessTo: at.likeness });
  await capture.recover();
  at.hooks.add(capture.hook);
  await at.sessions.open(KEY);
  return {
    ...at,
    capture,
    /** One turn, as the log has it. */
    async turn(
      id: string,
      text: string,
      out: Parameters<typeof replied>[1] = {},
      input: Parameters<typeof said>[2] = {},
    ) {
      await at.sessions.append(KEY, said(id, text, input));
      await at.sessions.append(KEY, [stepped(`turn-${id}`, 0), replied(id, out)]);
    },
    texts: async (userId?: string) => (await at.saved(userId)).map(({ content }) => content),
  };
}

export const plain = ({ id, content, slots, createdAt }: MemoryEntry) => ({
  id,
  content,
  slots,
  at: createdAt.getTime(),
});
