import { type Mutant, planted } from "./mutant.ts";

const BELONGING = "src/belonging";
const MEMORY = "src/memory";
const MOVED = "test/belonging/belonging.test.ts";
const KILLED = "test/belonging/belonging.stress.test.ts";

/** Whose a memory is when names change: cross-talk (13), and what must not be lost. */
export const BELONGING_MUTANTS: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "nothing moves but what is the person's", test: MOVED }, [
    [BELONGING, "keptNow", "owned.some((from) => now.get(from) !== name)", "false"],
    [MEMORY, "folderOf", '`${storeKey("memory", userId)}/`', 'storeKey("memory", userId)'],
    ["src/people", "createPeopleMove.moveUser", "&& id === from", ""],
  ]),
  ...planted({ threat: 13, promise: "another person's entry of the same id stays", test: MOVED }, [
    [MEMORY, "tryEntry", "if (!copied) continue;", ""],
  ]),
  ...planted({ threat: 13, promise: "another person's entry of the same id stays", test: KILLED }, [
    [MEMORY, "copy", "if (known && !isSameEntry(known, entry)) continue;", ""],
  ]),
  ...planted({ threat: 13, promise: "who is forgotten is forgotten under every name", test: MOVED }, [
    [MEMORY, "createMemoryErasure.forget", "if (person.isUser(userId)) others.push(userId);", ""],
    [BELONGING, "createBelongingErasure.forget", "[...state.links].filter(([from]) => !isUser(from))", "state.links"],
  ]),
  ...planted(
    { threat: 13, promise: "a memory that moves is not asked before", test: "test/belonging/person.test.ts" },
    [[BELONGING, "moved", "await passed(userId);", ""]],
  ),
  ...planted(
    { threat: 13, promise: "an original goes once its copy was read", test: "test/erasable/move-document.test.ts" },
    [
      ["src/erasable", "moveDocument", "copy === null || !isSameValue(copy.value, value)", "false"],
      ["src/erasable", "moveDocument", "store.remove(from, { expect: moved.version })", "store.remove(from)"],
    ],
  ),
];
