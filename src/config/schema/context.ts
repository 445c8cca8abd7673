import { DEFAULT_CONTEXT_WINDOW } from "../../agent/index.ts";
import {
  DEFAULT_HISTORY_TOKENS,
  DEFAULT_INJECTION_TOKENS,
  DEFAULT_KEEP_LAST_TURNS,
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_STRATEGY,
  DEFAULT_TRIGGER_RATIO,
} from "../../context/index.ts";
import { DEFAULT_SUMMARY_TOKENS } from "../../turn/index.ts";
import { choice, flag, list, made, section, share, text, whole } from "../../settings/index.ts";

/** Options of the assistant that a channel can override. */
const promptKeys = {
  strategy: choice(["full", "lite", "custom"], {
    what: "How much goes into the prompt: everything (full), the minimum for quick replies (lite), or chosen parts (custom)",
    inCode: "`lite`: instructions, time, message and the last 4 turns.",
    default: DEFAULT_STRATEGY,
  }),
  historyTokens: whole(0, {
    what: "Maximum tokens of earlier turns in the prompt; older turns stay in the log",
    default: DEFAULT_HISTORY_TOKENS,
  }),
  injectionTokens: whole(0, {
    what: "Maximum tokens that hooks may add at one place in the prompt; 0: none",
    default: DEFAULT_INJECTION_TOKENS,
  }),
  includeParts: list(text({ what: "Name of a part", example: "house-rules" }), {
    what: "For custom: parts of Wakeful and of your program that go into the prompt; default: all",
    inSample: false,
  }),
  includeMemory: flag({
    what: "For custom: whether memory goes into the prompt",
    inCode: "This is MEMORY.md, digests, context files and recalled memories.",
    default: true,
  }),
  includeRuntime: flag({
    what: "For custom: whether the block with time, channel and peer goes into the prompt",
    default: true,
  }),
  excludeTools: list(text({ what: "Name of a tool, or a prefix of names followed by `*`", example: "file_write" }), {
    what: "Tools left out of the prompt; a name that ends in `*` is a prefix",
  }),
  includeSkills: list(text({ what: "Name of a skill", example: "deep-research" }), {
    what: "For custom: skills that may be activated and listed; default: all",
    inSample: false,
  }),
};

export const promptOptions = section(promptKeys, {
  what: "What goes into the prompt",
  inCode: "Source: docs/context.md.",
  type: "channel-options.ts#ContextOptions",
});

const contextKeys = {
  ...promptKeys,
  contextWindow: whole(1024, {
    what: "Tokens of prompt and answer together that a model accepts, if nothing else is known about it",
    default: DEFAULT_CONTEXT_WINDOW,
  }),
  parts: made(
    "readonly HostPart[]",
    { HostPart: "context/index.ts" },
    {
      what: "Your own parts of the prompt: `{ name, text, tokens, data }`",
      only: "sdk",
      inCode: 'Source: docs/context.md, "Parts".',
    },
  ),
};

export const context = section(contextKeys, { what: "What goes into the prompt", base: promptOptions });

export const compaction = section(
  {
    enabled: flag({
      what: "Whether older turns are summarized; false: turns that do not fit leave the prompt silently",
      default: true,
    }),
    triggerRatio: share({ what: "Share of the model's window that a prompt may fill", default: DEFAULT_TRIGGER_RATIO }),
    reserveTokens: whole(0, {
      what: "Tokens of the window reserved for the answer",
      default: DEFAULT_RESERVE_TOKENS,
    }),
    keepLastTurns: whole(1, { what: "Newest turns that are kept as they are", default: DEFAULT_KEEP_LAST_TURNS }),
    summaryTokens: whole(200, {
      what: "Longest summary, in tokens; never more than a quarter of the window",
      default: DEFAULT_SUMMARY_TOKENS,
    }),
    flush: flag({ what: "Whether important facts are stored in memory before a summary is made", default: true }),
    flushTurn: flag({
      what: "Whether the model may itself write to memory before that, in one or two calls; never the offline model",
      default: true,
    }),
  },
  {
    what: "Summaries of long conversations",
    inCode: "Source: docs/compaction.md.",
    type: "turn/options.ts#CompactionSettings",
  },
);
