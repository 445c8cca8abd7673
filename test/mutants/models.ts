import { type Mutant, planted } from "./mutant.ts";

const AGENT = "src/agent";
const USAGE = "src/usage";

const DATA = { threat: 15, promise: "what is shown, or written by others, calls nothing" };
const THEIRS = { threat: 13, promise: "the offline model tells people what is theirs" };
const OFFLINE = "adapters/models/offline/remembered";
const SPENT = { threat: 6, promise: "a budget holds" };

/** Calls that are read from a model's text, and what models may use. */
export const MODELS: readonly Mutant[] = [
  ...planted({ ...DATA, test: "test/agent/call-blocks.test.ts" }, [
    [AGENT, "readText", "if (isQuoted === true || (!isFenced && QUOTE.test(last)))", "if (isQuoted === true)"],
    [
      AGENT,
      "readText",
      "if (isQuoted === true || (!isFenced && QUOTE.test(last)))",
      "if (!isFenced && QUOTE.test(last))",
    ],
    [
      AGENT,
      "OPEN",
      "/(```(?!tool_call\\b)[a-z_]{0,12}\\s{1,8})?<tool_call>|```tool_call\\b/i",
      "/(```[a-z_]{0,12}\\s{1,8})?<tool_call>|```tool_call\\b/i",
    ],
  ]),
  ...planted({ ...DATA, test: "test/agent/text-protocol.test.ts" }, [
    [AGENT, "asText", '.replace(/<(?=\\/?tool_(?:call|result)\\b)/gi, "&lt;")', ""],
    [AGENT, "block", '.replace(/<(?=\\/?tool_)/gi, "\\\\u003c")', ""],
  ]),
  ...planted({ ...THEIRS, test: "test/models/offline-own-life.test.ts" }, [
    [OFFLINE, "ofWhom", 'name === speaker.replace(/ \\([^()]*\\)$/, "")', "name !== undefined"],
    [OFFLINE, "ofSpeaker", "return [{ ...known, isOfOthers: true }];", "return [known];"],
    [OFFLINE, "readResults", "for (const content of contents) drop(content);", ""],
    [OFFLINE, "isAnswer", "&& isOfSubject(text)", ""],
    [OFFLINE, "saysIt", "|| UNCERTAIN_ENGLISH.test(text)", ""],
    [OFFLINE, "saysIt", "|| UNCERTAIN_CHINESE.test(text)", ""],
    [OFFLINE, "toSecondPerson", "UNSAFE_ENGLISH.test(text) ||", ""],
    [OFFLINE, "statementOf", "!QUESTION.test(said) &&", ""],
  ]),
  ...planted({ ...SPENT, test: "test/usage/usage.test.ts" }, [
    [USAGE, "createUsage", "requirePrices(budget, options.models ?? [], prices);", ""],
    [USAGE, "reaches", "return used >= limit * share * (1 - 1e-9);", "return used > limit * share;"],
    [USAGE, "record", "costOf(counted, price)", "costOf(usage, price)"],
    [USAGE, "turnOver", "if (isNewMonth) keep(readMonth);", ""],
    [USAGE, "write", "if (isStale) await readMonth();", ""],
    [USAGE, "append", "{ flush: false }", "{}"],
  ]),
];
