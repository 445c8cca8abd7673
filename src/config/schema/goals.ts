import { DEFAULT_GOAL_TOKENS } from "../../proactive/index.ts";
import { flag, section, whole } from "../../settings/index.ts";

export const goals = section(
  {
    enabled: flag({
      what: "Whether people have goals; false: no tools, no reviews, nothing in prompts",
      default: true,
    }),
    maxTokens: whole(50, {
      what: "Maximum tokens of goals in the prompt, before a message",
      default: DEFAULT_GOAL_TOKENS,
    }),
  },
  { what: "Goals of people", inCode: "Source: docs/goals.md." },
);
