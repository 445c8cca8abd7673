import { type Mutant, planted } from "./mutant.ts";

const HTTP = "src/http/memory/calls.ts";
const HTTP_WHOLE = "src/http/memory/whole.ts";
const FILES = "src/memory/person-files.ts";
const FORGET = "src/assembly/forget/forget.ts";
const TOOLS = "src/tools/built-in/memory-tools.ts";
const WORDS = "src/assembly/forget/words.ts";
const CONVERSATIONS = "src/assembly/forget/conversations.ts";
const SAID_BY = "src/assembly/forget/said-by.ts";
const TRACES = "src/assembly/forget/traces.ts";

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
  ...planted({ threat: 13, promise: "a forgotten person is gone", test: "test/assembly/forget/forget.host.test.ts" }, [
    [FORGET, "await forgetApprovals(store, person, words);", ""],
    [FORGET, "await sweep(person, words);", ""],
    [FORGET, "await sweepAudit(person, words);", ""],
    [CONVERSATIONS, "for (const group of groups) await forgetInGroup(group, found);", ""],
    [FORGET, "await parts.engine.compact?.((key) => wakes.has(key) || words.isNamed(key));", ""],
    [FORGET, "await store.scrub?.((text) => words.isNamed(text));", ""],
  ]),
  ...planted(
    { threat: 13, promise: "a forgotten person is gone from groups", test: "test/assembly/forget/session.test.ts" },
    [
      [TRACES, "if (!isOwn) return kept;", "if (!isOwn) return undefined;"],
      [TRACES, 'return { ...record, summary: "", prose: "", facts: [] };', "return undefined;"],
    ],
  ),
  ...planted({ threat: 13, promise: "an import takes back no edit", test: "test/memory/transfer.test.ts" }, [
    ["src/memory/export.ts", "there.updatedAt.getTime() > Date.parse(updatedAt ?? createdAt)", "false"],
    ["src/assembly/memory-part.ts", "plain.write(canonicalUser(userId), file", "plain.write(userId, file"],
  ]),
  ...planted(
    { threat: 13, promise: "nothing is kept behind forgetting", test: "test/assembly/forget/at-work.test.ts" },
    [
      [
        "src/assembly/forget/forget.ts",
        "return parts.alone(() => forgetNow(userId, given.trim()));",
        "return forgetNow(userId, given.trim());",
      ],
      ["src/assembly/memory-gate.ts", "while (waiting > 0) await last;", ""],
      ["src/assembly/memory-gate.ts", "await Promise.allSettled(running);", ""],
    ],
  ),
  ...planted({ threat: 13, promise: "overheard is not told", test: "test/memory/capture/flush.test.ts" }, [
    ["src/memory/capture/flush.ts", "(context|note|data)", "(context|note)"],
  ]),
  ...planted({ threat: 11, promise: "whose memory an id means", test: "test/memory/memory-people.test.ts" }, [
    ["src/assembly/memory-people.ts", "/^(?:@|group:|cli$)/", "/^(?:@|group:)/"],
    ["src/assembly/memory-people.ts", "GROUP_PREFIX + plain(userId.slice(GROUP_PREFIX.length))", "userId"],
  ]),
  ...planted({ threat: 13, promise: "the memory tools", test: "test/tools/memory-tools.test.ts" }, [
    [TOOLS, "...redact({ content, keywords }),", "content, keywords,"],
    [TOOLS, "aMinute.hit(userId).hits > MOST_A_MINUTE || ", ""],
    [TOOLS, " || aDay.hit(userId).hits > MOST_A_DAY", ""],
    [TOOLS, "idempotent: true, untrusted: true }", "idempotent: true }"],
  ]),
  ...planted(
    { threat: 13, promise: "whose id is like a forgotten one stays", test: "test/assembly/forget/others.test.ts" },
    [
      [
        WORDS,
        "if (whole.has(name) || whole.has(bare)) return true;",
        "if ([...whole].some((one) => bare.includes(one))) return true;",
      ],
      [WORDS, " && TELLING_ID.test(rest)", ""],
      [SAID_BY, "const beside = Math.max(FEWEST_BESIDE, words.length * 2);", "const beside = Infinity;"],
      [WORDS, " && !shared.has(rest.toLowerCase())", ""],
      [WORDS, "(?:${source})${NO_ID_BEHIND}", "(?:${source})"],
      [WORDS, "{ within: FREE_TEXT }", "{}"],
    ],
  ),
  ...planted(
    { threat: 13, promise: "who is being forgotten waits at the door", test: "test/assembly/forget/live.test.ts" },
    [[FORGET, "await work?.catch(() => undefined);", ""]],
  ),
];
