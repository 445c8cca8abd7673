import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessions, decideNextTurn } from "../../src/session/index.ts";
import type { NewRecord, Session } from "../../src/session/index.ts";
import { MAX_HEARD, QUEUE_FULL, standingOf } from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { compact, message, out, step } from "./support.ts";
import { THOROUGH } from "../support/thorough.ts";

const KEY = "agent:main:telegram:direct:42";
/** Turns that a prompt may show here, and how far back what they answer may stand. */
const SHOWN_TURNS = 3;
const REACH_TURNS = 6;

type Op =
  | { readonly kind: "in"; readonly command: boolean; readonly file: boolean }
  | { readonly kind: "begin" | "finish" | "fail"; readonly all: boolean }
  | { readonly kind: "step" | "retry" | "heard" | "note" | "stop" | "reset" | "edit" | "refuse" }
  | { readonly kind: "setting"; readonly mode: "steer" | "collect" | null }
  | { readonly kind: "compact"; readonly keep: number }
  | { readonly kind: "turns" | "marks"; readonly count: number };

const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("in" as const), command: rarely(), file: rarely() }) },
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constantFrom("begin" as const, "finish" as const), all: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fail" as const), all: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("step", "retry", "heard", "note", "stop", "reset", "edit", "refuse" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("setting" as const),
      mode: fc.constantFrom("steer" as const, "collect" as const, null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("compact" as const), keep: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("turns" as const), count: fc.integer({ min: 1, max: 12 }) }),
  },
  // What makes logs long: marks of replies that are long forgotten.
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("marks" as const), count: fc.constantFrom(1, 90, 140, 260, 600) }),
  },
);

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 9 }).map((number) => number === 0);
}

/** Writes what the rooms write, from what they see of the session at that moment. */
async function write(ops: readonly Op[]) {
  const store = memoryStore();
  const clock = fakeClock();
  const sessions = createSessions({ store, clock });
  const session = await sessions.open(KEY);
  let count = 0;
  const append = (record: NewRecord | readonly NewRecord[]) => sessions.append(KEY, record);
  /** A turn that was begun and has no step yet. */
  let begun: { turn: string; of: readonly string[]; seen: number } | undefined;
  let steps = 0;

  for (const one of ops) {
    count += 1;
    const id = `m${count}`;
    const free = session.waiting.filter((waiting) => !begun?.of.includes(waiting.id));
    switch (one.kind) {
      case "in":
        if (session.waiting.length >= 4) break;
        await append(message(id, one.command ? { command: "compact" } : {}));
        if (one.file)
          await append({ type: "files", id: `f${id}`, of: id, attachments: [{ mediaType: "text/plain", name: id }] });
        break;
      case "begin": {
        if (begun || session.open || free.length === 0) break;
        const stopped = free.filter(({ seq }) => seq < session.stoppedAt);
        const from = stopped.length > 0 ? stopped : one.all && free[0]?.command === undefined ? free : free.slice(0, 1);
        begun = { turn: from[0]!.turn, of: from.map((waiting) => waiting.id), seen: session.seq };
        steps = 0;
        break;
      }
      case "step": {
        if (!begun && !session.open) break;
        if (session.waiting.some(({ id: other, command }) => command && begun?.of.includes(other))) break;
        const turn = session.open?.id ?? begun!.turn;
        const joined = steps > 0 && free.length > 0 && count % 2 === 0 ? [free[0]!.id] : undefined;
        const first = begun && { of: begun.of, seen: begun.seen };
        const { of: _of, seen: _seen, ...plain } = step(turn, []) as Extract<NewRecord, { type: "step" }>;
        await append([
          { ...plain, ...first, step: steps, text: `step ${steps}`, ...(joined && { joined }) },
          { type: "tool", turn, step: steps, index: 0, name: "t", state: "started" },
        ]);
        await append({ type: "tool", turn, step: steps, index: 0, name: "t", state: "done", output: "ok" });
        begun = undefined;
        steps += 1;
        break;
      }
      case "finish":
      case "fail": {
        const of = session.open
          ? session.open.inputs.flatMap((input) => (input.type === "in" ? [input.id] : []))
          : (begun?.of ?? []);
        const turn = session.open?.id ?? begun?.turn;
        if (turn === undefined) break;
        const standing = standingOf({ ...session, open: undefined }, of);
        const isCommand =
          of.length === 1 && session.waiting.some(({ id: other, command }) => other === of[0] && command);
        const withoutModel = begun && (one.kind === "fail" || one.all || isCommand);
        const ends = out(turn, [...of], {
          ...standing,
          steps: withoutModel ? 0 : steps + 1,
          ...(withoutModel && { seen: begun!.seen }),
        });
        const { of: _of, seen: _seen, ...plain } = step(turn, []) as Extract<NewRecord, { type: "step" }>;
        const last = begun ? { ...plain, of: begun.of, seen: begun.seen } : { ...plain, step: steps };
        await append(withoutModel ? [ends] : [last, ends]);
        begun = undefined;
        break;
      }
      case "retry": {
        const last = session.history.at(-1);
        const asked = last?.inputs.find((input) => input.type === "in");
        if (begun || session.open || session.waiting.length > 0 || !last || !asked) break;
        await append(message(id, { retries: last.id }));
        break;
      }
      case "heard":
        await append({ type: "heard", id, text: id, user: "telegram:7", sender: { id: "7" } });
        break;
      case "note":
        await append({ type: "note", id, text: id, source: "edit" });
        break;
      case "stop":
        // The turn that runs ends at once.
        await append({ type: "stop", id, by: "telegram:42" });
        break;
      case "reset":
        await append({ type: "reset", id, by: "telegram:42" });
        break;
      case "edit": {
        const { summary } = session;
        if (!summary) break;
        const { seq: _seq, v: _v, at: _at, ...before } = summary;
        await append({ ...before, summary: id, prose: id, reason: "edit" });
        break;
      }
      case "refuse": {
        const refused = free.at(-1);
        if (!refused) break;
        await append(
          out(refused.turn, [refused.id], {
            steps: 0,
            error: { code: QUEUE_FULL, message: "full" },
            ...standingOf(session, [refused.id]),
          }),
        );
        break;
      }
      case "setting":
        await append({ type: "setting", id, settings: { queueMode: one.mode }, by: "telegram:42" });
        break;
      case "compact": {
        const { history } = session;
        const kept = history.slice(-one.keep);
        const lastOut = history.at(-one.keep - 1)?.out;
        if (!lastOut) break;
        const starts = kept.flatMap(({ inputs, steps: taken, out: reply }) =>
          [...inputs, ...taken, ...(reply ? [reply] : [])].map(({ seq }) => seq),
        );
        await append(
          compact(lastOut.seq + 1, { summary: id, readFrom: Math.min(session.seq + 1, ...starts), turns: count }),
        );
        break;
      }
      case "turns":
        if (begun || session.open || session.waiting.length > 0) break;
        for (let number = 0; number < one.count; number += 1) {
          const of = [`${id}.${number}`];
          await append(message(of[0]!));
          const seen = session.seq;
          const standing = standingOf(session, of);
          await append([step(`turn-${of[0]}`, of, { seen }), out(`turn-${of[0]}`, of, standing)]);
        }
        break;
      case "marks":
        await append(
          Array.from({ length: one.count }, (): NewRecord => ({
            type: "mark",
            of: 0,
            part: 0,
            delivery: "sent",
            platformId: "p",
          })),
        );
        break;
    }
  }
  return { store, clock, session };
}

/** What the next turn depends on. */
function nextTurnOf(session: Session, nowMs: number) {
  const rules = { mode: "collect", debounceMs: 0, cap: 20, overflow: "summarize" } as const;
  const { waiting, notes, heard, settings, summary, open, history } = session;
  return {
    waiting,
    notes,
    heard: heard.slice(-MAX_HEARD),
    settings,
    summary,
    open,
    shown: history.slice(-SHOWN_TURNS),
    next: decideNextTurn(session, rules, nowMs),
  };
}

describe("a session that is read from the end of its log", () => {
  it("owes and shows the same as one that is read whole", async () => {
    let partly = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 20, maxLength: 120 }), async (ops) => {
        const { store, clock, session: whole } = await write(ops);
        const filled = ({ history }: Session) => history.length >= SHOWN_TURNS + REACH_TURNS;
        const loaded = await createSessions({ store, clock, filled }).load(KEY);
        if (loaded.seq > 300 && !loaded.complete) partly += 1;
        expect(nextTurnOf(loaded, clock.now())).toEqual(nextTurnOf(whole, clock.now()));
      }),
      { numRuns: THOROUGH ? 400 : 80 },
    );
    expect(partly, "many of them were not read from the beginning").toBeGreaterThan(THOROUGH ? 50 : 10);
  });
});
