import { describe, expect, it } from "vitest";
import type { Scorer } from "../../src/notify/index.ts";
import { scorerContract } from "../../src/testing/index.ts";
import { abortable } from "../../src/time-limit.ts";

scorerContract(
  { describe, it, expect },
  {
    name: "a rule",
    open: async () => ({ scorer: { score: ({ type }, { priority }) => (type === "alert" ? 1 : priority / 2) } }),
  },
);

scorerContract(
  { describe, it, expect },
  {
    name: "what answers later, and otherwise each time,",
    async open() {
      let asked = 0;
      const answer = async () => 1 / (asked += 1);
      return { scorer: { score: async (_, { signal }) => abortable(Promise.resolve().then(answer), signal) } };
    },
  },
);

/** The titles of the tests that a scorer does not pass. */
async function failedBy(score: Scorer["score"]): Promise<readonly string[]> {
  const tests = new Map<string, () => Promise<void>>();
  const api = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string, body: () => Promise<void>) => void tests.set(title, body),
    expect,
  };
  scorerContract(api, { name: "it", open: async () => ({ scorer: { score } }) });
  const failed: string[] = [];
  for (const [title, body] of tests) await body().catch(() => failed.push(title));
  return failed;
}

const never = new Promise<number>(() => {});
const ANY = "gives any notice a number from 0 to 1";
const AGAIN = "gives one again for the same notice, and to several at once";
const SAME = "never changes the notice";
const ENDS = "ends when its signal aborts, or has aborted before";

describe("scorerContract()", () => {
  it.each<{ title: string; score: Scorer["score"]; failed: readonly string[] }>([
    { title: "keeps the contract", score: () => 0.4, failed: [] },
    { title: "gives no number", score: () => NaN, failed: [ANY, AGAIN] },
    { title: "gives more than 1", score: (_, { priority }) => priority + 0.1, failed: [ANY] },
    { title: "gives less than 0", score: async () => -0.1, failed: [ANY, AGAIN] },
    {
      title: "knows no text without words",
      score: ({ text }) => 1 / (text.length === 0 ? 0 : 1),
      failed: [ANY, AGAIN],
    },
    {
      title: "changes the notice",
      score: (notice) => Object.assign(notice, { text: notice.text.trim(), priority: 0.5 }).priority,
      failed: [SAME],
    },
    {
      title: "is asked with a signal that has aborted, and does not end",
      score: (_, { signal }) => (signal.aborted ? never : 0.4),
      failed: [ENDS],
    },
    {
      title: "does not end when its signal aborts",
      score: async (_, { signal }) => {
        const wasAborted = signal.aborted;
        await Promise.resolve();
        return signal.aborted && !wasAborted ? never : 0.4;
      },
      failed: [ENDS],
    },
  ])("judges a scorer that $title", async ({ score, failed }) => {
    expect(await failedBy(score)).toEqual(failed);
  });
});
