import { CHAT_DEBOUNCE_MS, DEFAULT_MAX_CONCURRENT, DEFAULT_QUEUE_RULES, QUEUE_MODES } from "../../session/index.ts";
import { choice, section, whole } from "../../settings/index.ts";

/** Of the assistant and of a channel. */
export const queueKeys = {
  mode: choice(QUEUE_MODES, {
    what: "What becomes of messages that arrive during a turn: joined into one next turn, each a turn of its own, taken into the turn before its next step, or at once by cutting off what it does",
    default: DEFAULT_QUEUE_RULES.mode,
  }),
  debounceMs: whole(0, {
    what: "Milliseconds of quiet that end a burst of messages before its turn starts; when left out 1000 on chat platforms and 0 elsewhere",
    inCode: "A burst ends after five times that at most.",
    example: CHAT_DEBOUNCE_MS,
  }),
  cap: whole(1, { what: "Waiting messages a session may have", default: DEFAULT_QUEUE_RULES.cap }),
  overflow: choice(["summarize", "old", "new"], {
    what: "What happens over the cap: the oldest are listed in one line each, the oldest are dropped, or new ones are turned away",
    default: DEFAULT_QUEUE_RULES.overflow,
  }),
};

export const queue = section(
  {
    ...queueKeys,
    maxConcurrent: whole(0, {
      what: "Turns that run at once, over all sessions; 0 is no limit",
      default: DEFAULT_MAX_CONCURRENT,
    }),
  },
  {
    what: "What happens to messages that arrive faster than they are answered",
    inCode: 'A channel may have its own. Source: docs/sessions.md, "While it is busy".',
    type: "session/options.ts#QueueOptions",
  },
);
