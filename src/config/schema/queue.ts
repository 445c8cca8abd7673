import { CHAT_DEBOUNCE_MS, DEFAULT_MAX_CONCURRENT, DEFAULT_QUEUE_RULES, QUEUE_MODES } from "../../session/index.ts";
import { choice, section, whole } from "../../settings/index.ts";

/** Options of the assistant that a channel can override. */
export const queueKeys = {
  mode: choice(QUEUE_MODES, {
    what: "What happens to messages that arrive during a turn: they form one next turn, each gets a turn of its own, they join the turn before its next step, or they interrupt it at once",
    default: DEFAULT_QUEUE_RULES.mode,
  }),
  debounceMs: whole(0, {
    what: "Milliseconds without a message that end a burst, so that its turn starts; default: 1000 on chat platforms, 0 elsewhere",
    inCode: "A burst lasts at most five times as long.",
    example: CHAT_DEBOUNCE_MS,
  }),
  cap: whole(1, { what: "Maximum messages that may wait in a session", default: DEFAULT_QUEUE_RULES.cap }),
  overflow: choice(["summarize", "old", "new"], {
    what: "What happens above the cap: the oldest are listed in one line each, the oldest are dropped, or new ones are refused",
    default: DEFAULT_QUEUE_RULES.overflow,
  }),
};

export const queue = section(
  {
    ...queueKeys,
    maxConcurrent: whole(0, {
      what: "Maximum turns that run at once, over all sessions; 0: no limit",
      default: DEFAULT_MAX_CONCURRENT,
    }),
  },
  {
    what: "What happens to messages that arrive faster than they are answered",
    inCode: 'A channel can override it. Source: docs/sessions.md, "While it is busy".',
    type: "session/options.ts#QueueOptions",
  },
);
