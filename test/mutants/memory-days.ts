import { type Mutant, planted } from "./mutant.ts";

const MEMORY = "src/memory";

const TESTS = "test/memory";

/** What is remembered of people is neither lost nor written over: cross-talk (13), which a wrong join is too. */
export const MEMORY_DAYS: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a digest leaves what a person wrote", test: `${TESTS}/days/compose-digest.test.ts` },
    [
      [MEMORY, "bulletsOf", "const isTheirs = isTouched && standing?.text !== line;", "const isTheirs = false;"],
      [MEMORY, "frontmatterOf", "const theirs = lines.slice(", "const theirs = lines.slice(0, 0).slice("],
    ],
  ),
  ...planted({ threat: 13, promise: "MEMORY.md keeps what a person did", test: `${TESTS}/days/merge-facts.test.ts` }, [
    [MEMORY, "mergeFacts", "if (wasKnown || isThere()) continue;", "if (isThere()) continue;"],
    [MEMORY, "mergeFacts", "if (wasKnown || isThere()) continue;", "if (wasKnown) continue;"],
  ]),
  ...planted({ threat: 13, promise: "no edit is written over", test: `${TESTS}/days/days.test.ts` }, [
    [MEMORY, "rewrite", "{ expect: found?.version ?? null }", "{}"],
    [
      MEMORY,
      "digestMissing",
      "store.get(stateKey(userId, `digest-${day}`))) !== null",
      "store.get(stateKey(userId, `digest-${day}`))) === undefined",
    ],
  ]),
  ...planted(
    { threat: 13, promise: "only what says the same is joined", test: `${TESTS}/lifecycle/lifecycle.test.ts` },
    [
      [MEMORY, "clustersOf.nearest", "if (!differsInSubstance(", "if (texts.length > 0 || !differsInSubstance("],
      [MEMORY, "mayJoin", 'rest[one]?.slots["type"] === rest[other]?.slots["type"]', "one !== other"],
      [MEMORY, "planLifecycle", "const free = entries.filter(({ id }) => !restored.has(id));", "const free = entries;"],
      [
        MEMORY,
        "isOver",
        'slots["type"] === ENTRY_TYPES.note || slots["lasting"] === true',
        'slots["lasting"] === true',
      ],
      [MEMORY, "createLifecycle.join", "else if (contentHash(entry) === hash) ids.push(id);", "else ids.push(id);"],
      [MEMORY, "createLifecycle.tidy", "if (journal.part) await run(journal.part);", ""],
    ],
  ),
  ...planted(
    { threat: 13, promise: "an entry is moved before it is removed", test: `${TESTS}/migration/flat-layout.test.ts` },
    [[MEMORY, "migrateFlatLayout.move", "if (!copy || !isSameEntry(copy, entry))", "if (!copy)"]],
  ),
  ...planted(
    { threat: 13, promise: "what is taken in again adds nothing", test: `${TESTS}/migration/import-workspace.test.ts` },
    [[MEMORY, "addEntries", "made.has(id) || (await memory.get(userId, id))", "made.has(id)"]],
  ),
];
