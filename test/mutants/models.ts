import { type Mutant, planted } from "./mutant.ts";

const DATA = { threat: 15, promise: "what is shown, or written by others, calls nothing" };
const SPENT = { threat: 6, promise: "a budget holds" };

/** Calls that are read from a model's text, and what models may use. */
export const MODELS: readonly Mutant[] = [
  ...planted({ ...DATA, test: "test/agent/call-blocks.test.ts" }, [
    ["src/agent/call-blocks.ts", "if (isQuoted === true || (!isFenced && QUOTE.test(last)))", "if (isQuoted === true)"],
    [
      "src/agent/call-blocks.ts",
      "if (isQuoted === true || (!isFenced && QUOTE.test(last)))",
      "if (!isFenced && QUOTE.test(last))",
    ],
    ["src/agent/call-blocks.ts", "(?!tool_call\\b)", ""],
  ]),
  ...planted({ ...DATA, test: "test/agent/text-protocol.test.ts" }, [
    ["src/agent/text-protocol.ts", '.replace(/<(?=\\/?tool_(?:call|result)\\b)/gi, "&lt;")', ""],
    ["src/agent/text-protocol.ts", '.replace(/<(?=\\/?tool_)/gi, "\\\\u003c")', ""],
  ]),
  ...planted({ ...SPENT, test: "test/usage/usage.test.ts" }, [
    ["src/usage/usage.ts", "requirePrices(budget, options.models ?? [], prices);", ""],
    ["src/usage/usage.ts", "return used >= limit * share * (1 - 1e-9);", "return used > limit * share;"],
    ["src/usage/usage.ts", "costOf(counted, price)", "costOf(usage, price)"],
    ["src/usage/usage.ts", "if (isNewMonth) keep(readMonth);", ""],
    ["src/usage/usage.ts", "if (isStale) await readMonth();", ""],
    ["src/usage/day-store.ts", "{ flush: false }", "{}"],
  ]),
];
