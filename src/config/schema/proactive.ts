import { type Schemas, between, flag, made, section } from "../../settings/index.ts";

/** What the assistant does on its own. In the file, `proactive` also accepts other names of sections. */
export const proactiveKeys: Schemas = {
  patterns: section(
    {
      enabled: flag({
        what: "Whether habits, failing tools and stale commitments are found, and people are told about them",
        default: true,
      }),
      detectors: made(
        "readonly PatternDetector[]",
        { PatternDetector: "proactive/index.ts" },
        { only: "sdk", what: "Your own detectors, besides the built-in ones" },
      ),
    },
    { what: "Patterns in what people say and do" },
  ),
  initiative: section(
    {
      enabled: flag({
        what: "Whether the model is told which goals, drives and open findings a message touches",
        default: true,
      }),
    },
    { what: "What a message touches" },
  ),
  holdout: between(0, 1, {
    what: "Share of tasks that run without initiative, so that its effect can be measured",
    default: 0,
  }),
};
