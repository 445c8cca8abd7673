import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SPEAKERS, type SpeakerName } from "./support/obedient-speakers.ts";
import {
  CARRIERS,
  FALSE_ANSWERS,
  KIND_NAMES,
  NEVER,
  OWNER_WAYS,
  RUNNERS,
  type RunnerName,
  TWISTS,
  type Scenario,
  play,
} from "./support/obedient-scenario.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";

const RUNS = THOROUGH ? 60 : WHOLE ? 12 : 6;

const PLAIN = { noNullPrototype: true } as const;
const call = fc.record({ kind: fc.constantFrom(...KIND_NAMES), twist: fc.constantFrom(...TWISTS) }, PLAIN);
const by = fc.constantFrom(...(Object.keys(SPEAKERS) as SpeakerName[]), ...(Object.keys(RUNNERS) as RunnerName[]));
const turn = fc.record(
  {
    by,
    carrier: fc.constantFrom(...CARRIERS),
    calls: fc.array(call, { minLength: 1, maxLength: 4 }),
    never: fc.array(fc.nat(NEVER.length - 1), { maxLength: 3 }),
  },
  PLAIN,
);
const scenario = fc.record(
  {
    policy: fc.constantFrom("shipped", "strict", "open"),
    mcp: fc.boolean(),
    turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
    falseAnswers: fc.array(fc.record({ how: fc.constantFrom(...FALSE_ANSWERS), deny: fc.boolean() }, PLAIN), {
      maxLength: 3,
    }),
    owner: fc.record(
      {
        answer: fc.constantFrom("once", "always", "deny"),
        way: fc.constantFrom(...OWNER_WAYS),
        again: fc.constantFrom(...OWNER_WAYS),
      },
      PLAIN,
    ),
  },
  { requiredKeys: ["policy", "turns"], ...PLAIN },
) as fc.Arbitrary<Scenario>;

describe("a model that obeys everybody", () => {
  it("does what policy and approvals allow, and nothing else, whoever speaks and whatever they bring", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const outcome = await play(one);
        expect({ wrong: outcome.wrong, violations: outcome.violations }).toEqual({ wrong: [], violations: [] });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 60_000);

  it("does everything that the owner asks for and approves", async () => {
    const calls = KIND_NAMES.map((kind) => ({ kind, twist: "plain" as const }));
    const owner = { answer: "once", way: "text", again: "text" } as const;
    const outcome = await play({
      policy: "open",
      mcp: true,
      turns: [{ by: "tools.run as the owner", carrier: "speech", calls }],
      owner,
    });
    expect(outcome).toEqual({ wrong: [], violations: [], effects: KIND_NAMES.length });
  });
});
