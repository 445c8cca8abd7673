import { type Schemas, between, flag, made, section } from "../../settings/index.ts";

/** What the assistant does of itself. The file has other names of sections beside these. */
export const proactiveKeys: Schemas = {
  patterns: section(
    {
      enabled: flag({
        what: "Whether habits, failing tools and stale commitments are found, and people told of them",
        default: true,
      }),
      detectors: made(
        "readonly PatternDetector[]",
        { PatternDetector: "proactive/index.ts" },
        { only: "sdk", what: "Your own detectors, besides those that come with Wakeful" },
      ),
    },
    { what: "What is found in what people say and do" },
  ),
  initiative: section(
    {
      enabled: flag({
        what: "Whether the model is told what a message touches of goals, drives and open findings",
        default: true,
      }),
    },
    { what: "What a message touches" },
  ),
  holdout: between(0, 1, {
    what: "Share of tasks that run without initiative, so that its worth can be measured",
    default: 0,
  }),
};
