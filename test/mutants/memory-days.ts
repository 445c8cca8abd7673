import { type Mutant, planted } from "./mutant.ts";

const DIGEST = "src/memory/days/compose-digest.ts";
const FACTS = "src/memory/days/merge-facts.ts";
const DAYS = "src/memory/days/days.ts";
const STATE = "src/memory/days/state.ts";
const CLUSTERS = "src/memory/lifecycle/clusters.ts";
const PLAN = "src/memory/lifecycle/plan.ts";
const LIFECYCLE = "src/memory/lifecycle/lifecycle.ts";
const FLAT = "src/memory/migration/flat-layout.ts";
const IMPORT = "src/memory/migration/import-workspace.ts";

const TESTS = "test/memory";

/** What is remembered of people is neither lost nor written over: cross-talk (13), which a wrong join is too. */
export const MEMORY_DAYS: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a digest leaves what a person wrote", test: `${TESTS}/days/compose-digest.test.ts` },
    [
      [DIGEST, "const isTheirs = isTouched && standing?.text !== line;", "const isTheirs = false;"],
      [DIGEST, "const theirs = lines.slice(", "const theirs = lines.slice(0, 0).slice("],
    ],
  ),
  ...planted({ threat: 13, promise: "MEMORY.md keeps what a person did", test: `${TESTS}/days/merge-facts.test.ts` }, [
    [FACTS, "if (wasKnown || isThere) continue;", "if (isThere) continue;"],
    [FACTS, "if (wasKnown || isThere) continue;", "if (wasKnown) continue;"],
  ]),
  ...planted({ threat: 13, promise: "no edit is written over", test: `${TESTS}/days/days.test.ts` }, [
    [STATE, "{ expect: found?.version ?? null }", "{}"],
    [
      DAYS,
      "store.get(stateKey(userId, `digest-${day}`))) !== null",
      "store.get(stateKey(userId, `digest-${day}`))) === undefined",
    ],
  ]),
  ...planted(
    { threat: 13, promise: "only what says the same is joined", test: `${TESTS}/lifecycle/lifecycle.test.ts` },
    [
      [CLUSTERS, "if (!differsInSubstance(", "if (texts.length > 0 || !differsInSubstance("],
      [PLAN, 'rest[one]?.slots["type"] === rest[other]?.slots["type"]', "one !== other"],
      [PLAN, "const free = entries.filter(({ id }) => !restored.has(id));", "const free = entries;"],
      [PLAN, 'slots["type"] === ENTRY_TYPES.note || slots["lasting"] === true', 'slots["lasting"] === true'],
      [LIFECYCLE, "else if (contentHash(entry) === hash) ids.push(id);", "else ids.push(id);"],
      [LIFECYCLE, "if (journal.part) await run(journal.part);", ""],
    ],
  ),
  ...planted(
    { threat: 13, promise: "an entry is moved before it is removed", test: `${TESTS}/migration/flat-layout.test.ts` },
    [[FLAT, "if (!copy || !isSame(copy, entry))", "if (!copy)"]],
  ),
  ...planted(
    { threat: 13, promise: "what is taken in again adds nothing", test: `${TESTS}/migration/import-workspace.test.ts` },
    [[IMPORT, "made.has(id) || (await memory.get(userId, id))", "made.has(id)"]],
  ),
];
