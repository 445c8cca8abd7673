import type { Notice } from "../notice.ts";
import type { Scorer } from "../notify/index.ts";
import { nextTask } from "./next-task.ts";
import type { TestApi } from "./test-api.ts";

/** A scorer created for one test. */
export interface OpenedScorer {
  /** The scorer under test. */
  readonly scorer: Scorer;
  /** Called after each test. */
  dispose?(): Promise<void>;
}

/** Options of `scorerContract`. */
export interface ScorerContractOptions {
  /** The scorer's name in the titles of the tests. */
  readonly name: string;
  /** Creates a scorer. Called once for each test. */
  open(): Promise<OpenedScorer>;
  /** Resolves when an aborted call may have ended. Called until it has. Default: the next task of the runtime. */
  settle?(): Promise<void>;
}

/** Typical notices, created again at each call. */
const notices = (): readonly Notice[] => [
  { id: "plain", type: "note", user: "telegram:42", sessionKey: "agent:main:main", text: "The parcel has arrived." },
  {
    id: "with-everything",
    type: "pattern",
    user: "telegram:42",
    channel: "telegram",
    account: "work",
    chat: "-100",
    thread: "7",
    replyTo: "12",
    sessionKey: "agent:main:telegram:group:-100",
    text: "You ask for the weather every morning. Shall I tell you at 8?",
    requested: false,
    urgent: false,
    priority: 0,
    expiresAtMs: 0,
    dedupeKey: "time_routine:weather",
    buttons: [{ id: "1", label: "Yes" }],
    offer: { kind: "pattern", choices: [{ id: "yes", label: "Yes" }], data: { finding: "f" }, language: "en" },
  },
  { id: "", type: "a-type-of-the-host", user: "app:Ada", sessionKey: "", text: "" },
  { id: "中", type: "alert", user: "lark:ou_1", sessionKey: "中", text: "磁盘快满了 💾", priority: 1 },
  { id: "long", type: "digest", user: "cli", sessionKey: "long", text: "Much has happened. ".repeat(5000) },
];
/** The minimum, the default of a notice, and the maximum. */
const PRIORITIES = [0, 0.7, 1];
/** Most calls of `settle` before an aborted call counts as still running. */
const MAX_TRIES = 500;

/**
 * Registers the contract of the `Scorer` port as tests. The same notice may have another score the next time.
 *
 * Source: the Contract lines of `Scorer`; docs/attention.md, "A scorer of your own".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * scorerContract({ describe, it, expect }, { name: "mine", open: async () => ({ scorer: mine() }) });
 * ```
 */
export function scorerContract(api: TestApi, { name, open, settle = nextTask }: ScorerContractOptions): void {
  const { expect } = api;

  function test(title: string, body: (scorer: Scorer) => Promise<void>): void {
    api.it(title, async () => {
      const { scorer, dispose } = await open();
      try {
        await body(scorer);
      } finally {
        await dispose?.();
      }
    });
  }

  /** Whether a call ends, with a score or an error. */
  async function ends(call: Promise<number>): Promise<boolean> {
    let hasEnded = false;
    const end = () => void (hasEnded = true);
    void call.then(end, end);
    for (let tries = 0; !hasEnded && tries < MAX_TRIES; tries += 1) await settle();
    return hasEnded;
  }

  const ask = async (scorer: Scorer, notice: Notice, more: { priority?: number; signal?: AbortSignal } = {}) =>
    scorer.score(notice, { priority: 0.7, signal: new AbortController().signal, ...more });
  const isScore = (score: unknown) => typeof score === "number" && score >= 0 && score <= 1;

  api.describe(`${name} as a scorer`, () => {
    test("gives any notice a number from 0 to 1", async (scorer) => {
      for (const notice of notices())
        for (const priority of PRIORITIES) {
          const score = await ask(scorer, notice, { priority });
          expect([notice.id, priority, isScore(score) || score]).toEqual([notice.id, priority, true]);
        }
    });

    test("gives one again for the same notice, and to several at once", async (scorer) => {
      const twice = [...notices(), ...notices()];
      const scores = await Promise.all(twice.map(async (notice) => ask(scorer, notice)));
      expect(scores.filter((score) => !isScore(score))).toEqual([]);
    });

    test("never changes the notice", async (scorer) => {
      const asked = notices();
      for (const notice of asked) await ask(scorer, notice);
      expect(asked).toEqual(notices());
    });

    test("ends when its signal aborts, or has aborted before", async (scorer) => {
      for (const notice of notices()) {
        expect(await ends(ask(scorer, notice, { signal: AbortSignal.abort() }))).toBe(true);
        const stop = new AbortController();
        const call = ask(scorer, notice, { signal: stop.signal });
        stop.abort();
        expect(await ends(call)).toBe(true);
      }
    });
  });
}
