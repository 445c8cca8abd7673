import { type Mutant, planted } from "./mutant.ts";

const MERGE = "src/memory/merge-edits.ts";
const LAYERED = "src/memory/layered-store.ts";
const FOLDER = "src/memory/entry-folder.ts";
const FILES = "src/memory/index-files.ts";
const SEARCH = "src/memory/search-folder.ts";
const MEMORY = "src/memory/memory.ts";

const STORE_TEST = "test/memory/layered/layered-store.test.ts";
const RECALL_TEST = "test/memory/layered/recall.test.ts";

/** What people wrote stays, and what is gone is gone: cross-talk (13). */
export const MEMORY_ENTRIES: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "an entry that a person edited is not written over", test: STORE_TEST }, [
    [MERGE, "if (base === undefined) return ours;", "return ours;"],
    [LAYERED, "return await live.write(file, current?.version ?? null);", "return await live.write(file, undefined);"],
    [LAYERED, "await store.remove(from.keyOf(id), { expect: found.version });", "await store.remove(from.keyOf(id));"],
    [LAYERED, "if (current?.problem !== undefined) refuseDamaged(current.problem);", ""],
  ]),
  ...planted({ threat: 13, promise: "what was removed is in no index", test: STORE_TEST }, [
    [
      LAYERED,
      "if (known.length > 0) await folder.seal({ purge: true });",
      "if (known.length > 0) await folder.seal();",
    ],
    [FILES, "await store.remove(logKey(before.log));", ""],
  ]),
  ...planted({ threat: 13, promise: "a changed or damaged file is out of recall", test: STORE_TEST }, [
    [FOLDER, "if (known !== undefined) changes.push({ gone: id });", ""],
    [SEARCH, "({ expiresAtMs }: KeywordFind) => expiresAtMs <= nowMs;", "(_: KeywordFind) => false;"],
  ]),
  ...planted({ threat: 13, promise: "a workflow trace is never recalled", test: RECALL_TEST }, [
    [MEMORY, "withoutTypes: [ENTRY_TYPES.workflowTrace],", "withoutTypes: [],"],
  ]),
];
