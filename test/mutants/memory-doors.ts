import { type Mutant, planted } from "./mutant.ts";

const HTTP = "src/http";
const MEMORY = "src/memory";
const OUTBOX = "src/outbox";
const ASSEMBLY = "src/assembly";
const ERASURE = "src/erasure";
const SESSION = "src/session";
const TOOLS = "src/tools";

/** The doors of memory: whose it is (11, 13), and what goes when a person is forgotten (13). */
export const MEMORY_DOORS: readonly Mutant[] = [
  ...planted({ threat: 11, promise: "a user's token has its own memory", test: "test/http/memory.test.ts" }, [
    [
      HTTP,
      "userOf",
      "if (wanted === undefined || memory.canonicalUser(wanted) === own) return own;",
      "return wanted ?? own;",
    ],
    [
      HTTP,
      "wholeMemoryRoutes.handle",
      'const everybody = caller.role === "owner" && wanted === undefined;',
      "const everybody = wanted === undefined;",
    ],
  ]),
  ...planted({ threat: 11, promise: "nobody is not whose memory it is", test: "test/http/memory.test.ts" }, [
    [HTTP, "Named", 'v.check((text) => text.trim() !== "", "Expected the user whose memory is meant"),', ""],
  ]),
  ...planted({ threat: 13, promise: "an edit is not written over", test: "test/http/memory.test.ts" }, [
    [MEMORY, "createMemoryFiles.write", "expect === undefined ? {} : { expect }", "{}"],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person is gone", test: "test/erasure/erasure.host.test.ts" }, [
    [ASSEMBLY, "wireErasure", "const keepers = [approvals,", "const keepers = ["],
    [ERASURE, "erase", "await keeper.forget(forgotten).catch((error: unknown) => failures.push(error));", ""],
    [ASSEMBLY, "wireErasure", "createAuditErasure({ store, audit }),", ""],
    [ERASURE, "onFound", "await memory.forgetSaid(group, traces);", ""],
    [ERASURE, "erase", "await engine.compact?.(isWakeOf(person, words.isNamed));", ""],
    [ERASURE, "erase", "await store.scrub?.((text) => words.isNamed(text));", ""],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person's work is gone", test: "test/erasure/live.test.ts" }, [
    [ERASURE, "whoseIs", "own === 0 && foreign === 0 && keyPartsOf(ids, keepsCapitals)(key, [])", "false"],
    [
      "src/tools",
      "createToolErasure",
      'isOver: (value) => person.isUser((value as { readonly user?: string } | null)?.user ?? ""),',
      "",
    ],
    ["src/usage", "createUsageErasure", ", words.isNamed", ""],
  ]),
  ...planted({ threat: 13, promise: "each room forgets a person", test: "test/erasure/rooms.test.ts" }, [
    [ASSEMBLY, "wireErasure", "createUsageErasure(usage),", ""],
    ["src/schedule", "createJobErasure.forget", ", { rewriting: { idOf: idOfLine } }", ""],
    [ASSEMBLY, "wireErasure", "ofSessions, ofMemory,", "ofMemory,"],
    [ASSEMBLY, "wireErasure", "ofSessions, ofMemory,", "ofSessions,"],
    [ASSEMBLY, "wireErasure", "createCaptureErasure({ store }),", ""],
    [ASSEMBLY, "wireErasure", "persona, ofArtifacts,", "persona,"],
    [ASSEMBLY, "wireErasure", "createOutboxErasure({ store }),", ""],
    [ASSEMBLY, "wireErasure", "ofTools, notifications,", "notifications,"],
    [
      ASSEMBLY,
      "wireErasure",
      "notifications, attention, goals, jobs, workflows, subagents, skills, createLearningErasure",
      "attention, goals, jobs, workflows, subagents, skills, createLearningErasure",
    ],
    [
      ASSEMBLY,
      "wireErasure",
      "notifications, attention, goals, jobs, workflows, subagents, skills, createLearningErasure",
      "notifications, attention, jobs, workflows, subagents, skills, createLearningErasure",
    ],
    [
      ASSEMBLY,
      "wireErasure",
      "notifications, attention, goals, jobs, workflows, subagents, skills, createLearningErasure",
      "notifications, attention, goals, workflows, subagents, skills, createLearningErasure",
    ],
    [
      ASSEMBLY,
      "wireErasure",
      "notifications, attention, goals, jobs, workflows, subagents, skills, createLearningErasure",
      "notifications, goals, jobs, workflows, subagents, skills, createLearningErasure",
    ],
    [
      ASSEMBLY,
      "wireErasure",
      "jobs, workflows, subagents, skills, createLearningErasure",
      "jobs, workflows, subagents, createLearningErasure",
    ],
    [ASSEMBLY, "wireErasure", "createLearningErasure({ store }), buttons,", "buttons,"],
    [ASSEMBLY, "wireErasure", "createLearningErasure({ store }), buttons,", "createLearningErasure({ store }),"],
    ["src/skills", "createSkillErasure", "await workspace.forget(person);", ""],
    ["src/skills", "createSkillErasure", "await activations.forget(person);", ""],
    ["src/skills", "createSkillErasure", "await suggestions.forget(person);", ""],
  ]),
  ...planted({ threat: 13, promise: "undelivered texts go with a person", test: "test/erasure/others.test.ts" }, [
    [OUTBOX, "change", "if (isLetter(record) && isFor(record)) return FILLER;", ""],
    [
      OUTBOX,
      "isFor",
      "(session !== undefined && sessions.has(session)) || isTheirs(outboxLog(target))",
      "isTheirs(outboxLog(target))",
    ],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person is gone from groups", test: "test/session/traces.test.ts" }, [
    [SESSION, "blanked", "if (!isOwn) return kept;", "if (!isOwn) return undefined;"],
    [SESSION, "blanked", 'return { ...record, summary: "", prose: "", facts: [] };', "return undefined;"],
  ]),
  ...planted({ threat: 13, promise: "an import takes back no edit", test: "test/memory/transfer.test.ts" }, [
    [MEMORY, "importMemory", "there.updatedAt.getTime() > Date.parse(updatedAt ?? createdAt)", "false"],
    [MEMORY, "createMemoryPart.write", "plain.write(await whose(userId), file", "plain.write(userId, file"],
  ]),
  ...planted({ threat: 13, promise: "nothing is kept behind forgetting", test: "test/erasure/at-work.test.ts" }, [
    [
      ERASURE,
      "forgetAfter",
      "return lock.exclusive(() => eraser.erase(userId, given.trim()));",
      "return eraser.erase(userId, given.trim());",
    ],
  ]),
  ...planted({ threat: 13, promise: "exclusive work runs alone", test: "test/memory/read-write-lock.test.ts" }, [
    [MEMORY, "shared", "while (waiting > 0) await last;", ""],
    [MEMORY, "exclusive", "await Promise.allSettled(running);", ""],
  ]),
  ...planted({ threat: 13, promise: "overheard is not told", test: "test/memory/capture/flush.test.ts" }, [
    [
      MEMORY,
      "NOTES",
      '/<wakeful-(context|note|data)(?: source="[^\\n]*")?>\\n[\\s\\S]*?\\n<\\/wakeful-\\1>\\s*/g',
      '/<wakeful-(context|note)(?: source="[^\\n]*")?>\\n[\\s\\S]*?\\n<\\/wakeful-\\1>\\s*/g',
    ],
  ]),
  ...planted({ threat: 11, promise: "whose memory an id means", test: "test/session/memory-users.test.ts" }, [
    [SESSION, "RESERVED", "/^(?:@|group:|cli$)/", "/^(?:@|group:)/"],
    [SESSION, "canonicalUser", "GROUP_PREFIX + plain(userId.slice(GROUP_PREFIX.length))", "userId"],
  ]),
  ...planted({ threat: 13, promise: "the memory tools", test: "test/tools/memory-tools.test.ts" }, [
    [TOOLS, "memoryTools.execute", "...redact({ content, keywords }),", "content, keywords,"],
    [TOOLS, "memoryTools.execute", "aMinute.hit(userId).hits > MAX_A_MINUTE ||", ""],
    [TOOLS, "memoryTools.execute", "|| aDay.hit(userId).hits > MAX_A_DAY", ""],
    [TOOLS, "FOUND", "idempotent: true, untrusted: true }", "idempotent: true }"],
  ]),
  ...planted({ threat: 13, promise: "whose id is like a forgotten one stays", test: "test/erasure/others.test.ts" }, [
    [
      ERASURE,
      "foldedPartsOf",
      "if (whole.has(name) || whole.has(bare)) return true;",
      "if ([...whole].some((one) => bare.includes(one))) return true;",
    ],
    [ERASURE, "wordsOf", "&& TELLING_ID.test(rest)", ""],
    [MEMORY, "saidBy", "const beside = Math.max(MIN_BESIDE, words.length * 2);", "const beside = Infinity;"],
    [ERASURE, "wordsOf", "&& !shared.has(rest.toLowerCase())", ""],
    [ERASURE, "whole", "`${NO_ID_BEFORE}(?:${source})${NO_ID_BEHIND}`", "`${NO_ID_BEFORE}(?:${source})`"],
    ["src/erasable", "quotesOf", "{ within: FREE_TEXT }", "{}"],
  ]),
  ...planted({ threat: 13, promise: "who is being forgotten waits at the door", test: "test/erasure/live.test.ts" }, [
    [ERASURE, "passed", "await work?.catch(() => undefined);", ""],
  ]),
];
