import { type Mutant, planted } from "./mutant.ts";

const HTTP = "src/http/memory/calls.ts";
const HTTP_WHOLE = "src/http/memory/whole.ts";
const FILES = "src/memory/person-files.ts";
const KEEPERS = "src/assembly/erasure.ts";
const ERASURE = "src/erasure/erasure.ts";
const ERASER = "src/erasure/erase-person.ts";
const TOOLS = "src/tools/built-in/memory-tools.ts";
const WORDS = "src/erasure/person-words.ts";
const CONVERSATIONS = "src/erasure/conversations.ts";
const SAID_BY = "src/memory/said-by.ts";
const TRACES = "src/session/traces.ts";
const LOCK = "src/memory/read-write-lock.ts";

/** The doors of memory: whose it is (11, 13), and what goes when a person is forgotten (13). */
export const MEMORY_DOORS: readonly Mutant[] = [
  ...planted({ threat: 11, promise: "a user's token has its own memory", test: "test/http/memory.test.ts" }, [
    [HTTP, "if (wanted === undefined || memory.canonicalUser(wanted) === own) return own;", "return wanted ?? own;"],
    [
      HTTP_WHOLE,
      'const everybody = caller.role === "owner" && wanted === undefined;',
      "const everybody = wanted === undefined;",
    ],
  ]),
  ...planted({ threat: 11, promise: "nobody is not whose memory it is", test: "test/http/memory.test.ts" }, [
    [HTTP, 'v.check((text) => text.trim() !== "", "Expected whose memory"),', ""],
  ]),
  ...planted({ threat: 13, promise: "an edit is not written over", test: "test/http/memory.test.ts" }, [
    [FILES, "expect === undefined ? {} : { expect }", "{}"],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person is gone", test: "test/erasure/erasure.host.test.ts" }, [
    [KEEPERS, "const keepers = [\n    approvals,", "const keepers = ["],
    [ERASER, "for (const keeper of keepers) await keeper.forget(forgotten);", ""],
    [KEEPERS, "createAuditErasure({ store, audit }),", ""],
    [CONVERSATIONS, "for (const group of groups) await memory.forgetSaid(group, traces);", ""],
    [ERASER, "await engine.compact?.(isWakeOf(person, words.isNamed));", ""],
    [ERASER, "await store.scrub?.((text) => words.isNamed(text));", ""],
  ]),
  ...planted({ threat: 13, promise: "each room forgets a person", test: "test/erasure/rooms.test.ts" }, [
    [KEEPERS, "createUsageErasure(usage),", ""],
    [KEEPERS, "    ofSessions,\n    ofMemory,", "    ofMemory,"],
    [KEEPERS, "    ofSessions,\n    ofMemory,", "    ofSessions,"],
    [KEEPERS, "createCaptureErasure({ store }),", ""],
    [KEEPERS, "createArtifactErasure({ store }),", ""],
    [KEEPERS, "createOutboxErasure({ store }),", ""],
    [KEEPERS, "createToolErasure({ store }),", ""],
    [KEEPERS, "    notifications,\n    createAuditErasure", "    createAuditErasure"],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person is gone from groups", test: "test/session/traces.test.ts" }, [
    [TRACES, "if (!isOwn) return kept;", "if (!isOwn) return undefined;"],
    [TRACES, 'return { ...record, summary: "", prose: "", facts: [] };', "return undefined;"],
  ]),
  ...planted({ threat: 13, promise: "an import takes back no edit", test: "test/memory/transfer.test.ts" }, [
    ["src/memory/export.ts", "there.updatedAt.getTime() > Date.parse(updatedAt ?? createdAt)", "false"],
    ["src/memory/part.ts", "plain.write(canonicalUser(userId), file", "plain.write(userId, file"],
  ]),
  ...planted({ threat: 13, promise: "nothing is kept behind forgetting", test: "test/erasure/at-work.test.ts" }, [
    [
      ERASURE,
      "return lock.exclusive(() => eraser.erase(userId, given.trim()));",
      "return eraser.erase(userId, given.trim());",
    ],
  ]),
  ...planted({ threat: 13, promise: "exclusive work runs alone", test: "test/memory/read-write-lock.test.ts" }, [
    [LOCK, "while (waiting > 0) await last;", ""],
    [LOCK, "await Promise.allSettled(running);", ""],
  ]),
  ...planted({ threat: 13, promise: "overheard is not told", test: "test/memory/capture/flush.test.ts" }, [
    ["src/memory/capture/flush.ts", "(context|note|data)", "(context|note)"],
  ]),
  ...planted({ threat: 11, promise: "whose memory an id means", test: "test/session/memory-users.test.ts" }, [
    ["src/session/memory-users.ts", "/^(?:@|group:|cli$)/", "/^(?:@|group:)/"],
    ["src/session/memory-users.ts", "GROUP_PREFIX + plain(userId.slice(GROUP_PREFIX.length))", "userId"],
  ]),
  ...planted({ threat: 13, promise: "the memory tools", test: "test/tools/memory-tools.test.ts" }, [
    [TOOLS, "...redact({ content, keywords }),", "content, keywords,"],
    [TOOLS, "aMinute.hit(userId).hits > MAX_A_MINUTE || ", ""],
    [TOOLS, " || aDay.hit(userId).hits > MAX_A_DAY", ""],
    [TOOLS, "idempotent: true, untrusted: true }", "idempotent: true }"],
  ]),
  ...planted({ threat: 13, promise: "whose id is like a forgotten one stays", test: "test/erasure/others.test.ts" }, [
    [
      WORDS,
      "if (whole.has(name) || whole.has(bare)) return true;",
      "if ([...whole].some((one) => bare.includes(one))) return true;",
    ],
    [WORDS, " && TELLING_ID.test(rest)", ""],
    [SAID_BY, "const beside = Math.max(MIN_BESIDE, words.length * 2);", "const beside = Infinity;"],
    [WORDS, " && !shared.has(rest.toLowerCase())", ""],
    [WORDS, "(?:${source})${NO_ID_BEHIND}", "(?:${source})"],
    ["src/erasable/words.ts", "{ within: FREE_TEXT }", "{}"],
  ]),
  ...planted({ threat: 13, promise: "who is being forgotten waits at the door", test: "test/erasure/live.test.ts" }, [
    [ERASURE, "await work?.catch(() => undefined);", ""],
  ]),
];
