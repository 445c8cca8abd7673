import { type Mutant, planted } from "./mutant.ts";

const MEMORY = "src/memory";

const STORE_TEST = "test/memory/layered/layered-store.test.ts";
const RECALL_TEST = "test/memory/layered/recall.test.ts";

/** What people wrote stays, and what is gone is gone: cross-talk (13). */
export const MEMORY_ENTRIES: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "an entry that a person edited is not written over", test: STORE_TEST }, [
    [MEMORY, "mergeEdits", "if (base === undefined) return ours;", "return ours;"],
    [
      MEMORY,
      "saveOne",
      "return await live.write(file, current?.version ?? null);",
      "return await live.write(file, undefined);",
    ],
    [
      MEMORY,
      "createLayeredStore.move",
      "await store.remove(from.keyOf(id), { expect: found.version });",
      "await store.remove(from.keyOf(id));",
    ],
    [MEMORY, "saveOne", "if (current?.problem !== undefined) refuseDamaged(current.problem);", ""],
  ]),
  ...planted({ threat: 13, promise: "what was removed is in no index", test: STORE_TEST }, [
    [
      MEMORY,
      "removeIn",
      "if (known.length > 0) await folder.seal({ purge: true });",
      "if (known.length > 0) await folder.seal();",
    ],
    [MEMORY, "createIndexFiles.seal", "await store.remove(logKey(before.log));", ""],
  ]),
  ...planted({ threat: 13, promise: "a changed or damaged file is out of recall", test: STORE_TEST }, [
    [MEMORY, "changesOf", "if (known !== undefined) changes.push({ gone: id });", ""],
    [
      MEMORY,
      "searchFolder.isOver",
      "({ expiresAtMs }: KeywordFind) => expiresAtMs <= nowMs;",
      "(_: KeywordFind) => false;",
    ],
  ]),
  ...planted({ threat: 13, promise: "a workflow trace is never recalled", test: RECALL_TEST }, [
    [MEMORY, "findIn", "withoutTypes: [ENTRY_TYPES.workflowTrace],", "withoutTypes: [],"],
  ]),
];
