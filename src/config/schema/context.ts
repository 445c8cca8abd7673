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

/** Of the assistant and of a channel. */
const promptKeys = {
  strategy: choice(["full", "lite", "custom"], {
    what: "How much goes into the prompt: everything, the least for quick replies, or the parts named here",
    inCode: "`lite`: instructions, time, message and the last 4 turns.",
    default: DEFAULT_STRATEGY,
  }),
  historyTokens: whole(0, {
    what: "Tokens of earlier turns in the prompt; older turns stay in the log",
    default: DEFAULT_HISTORY_TOKENS,
  }),
  injectionTokens: whole(0, {
    what: "Tokens that hooks may add at one place of the prompt; 0 is none",
    default: DEFAULT_INJECTION_TOKENS,
  }),
  includeParts: list(text({ what: "Name of a part", example: "house-rules" }), {
    what: "For custom: the parts of rooms and of the host that go in; all when left out",
    inSample: false,
  }),
  includeMemory: flag({
    what: "For custom: whether what is remembered goes in",
    inCode: "That is MEMORY.md, digests, context files and what is recalled.",
    default: true,
  }),
  includeRuntime: flag({ what: "For custom: the block with time, channel and peer", default: true }),
  excludeTools: list(
    text({ what: "Name of a tool, or the beginning of names with `*` after it", example: "file_write" }),
    { what: "Tools left out of the prompt; `*` at the end means all that begin so" },
  ),
  includeSkills: list(text({ what: "Name of a skill", example: "deep-research" }), {
    what: "For custom: the skills that may come and are named; all when left out",
    inSample: false,
  }),
};

/** The options that a channel may set for itself. */
export const promptOptions = section(promptKeys, {
  what: "What goes into the prompt",
  inCode: "Source: docs/context.md.",
  type: "channel-options.ts#ContextOptions",
});

const contextKeys = {
  ...promptKeys,
  contextWindow: whole(1024, {
    what: "Tokens that a model takes in all, prompt and answer, where nothing else is known of it",
    default: DEFAULT_CONTEXT_WINDOW,
  }),
  parts: made(
    "readonly HostPart[]",
    { HostPart: "context/index.ts" },
    {
      what: "Parts of your own: `{ name, text, tokens, data }`",
      only: "sdk",
      inCode: 'Source: docs/context.md, "Parts".',
    },
  ),
};

export const context = section(contextKeys, { what: "What goes into the prompt", base: promptOptions });

export const compaction = section(
  {
    enabled: flag({
      what: "Whether older turns are put into a summary; false: what does not fit leaves the prompt without a word",
      default: true,
    }),
    triggerRatio: share({ what: "Part of the model's window that a prompt may fill", default: DEFAULT_TRIGGER_RATIO }),
    reserveTokens: whole(0, {
      what: "Tokens of the window that stay free for the answer",
      default: DEFAULT_RESERVE_TOKENS,
    }),
    keepLastTurns: whole(1, { what: "Newest turns that stay as they are", default: DEFAULT_KEEP_LAST_TURNS }),
    summaryTokens: whole(200, {
      what: "Tokens that a summary may have; never more than a quarter of the window",
      default: DEFAULT_SUMMARY_TOKENS,
    }),
    flush: flag({ what: "Whether what matters is kept in the memory first", default: true }),
    flushTurn: flag({
      what: "Whether the model itself may write to the memory first, with a call or two; never the offline model",
      default: true,
    }),
  },
  {
    what: "Summaries of long conversations",
    inCode: "Source: docs/compaction.md.",
    type: "turn/options.ts#CompactionSettings",
  },
);
