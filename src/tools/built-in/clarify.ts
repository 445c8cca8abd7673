import * as v from "valibot";
import { defineTool, toolOutcome } from "../tool.ts";
import type { AnyTool } from "../tool.ts";

const oneLine = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll(/\s+/gu, " ").trim()),
  v.minLength(1),
);

/**
 * `clarify`: asks the person a question. The question, with its options numbered, is the reply and ends the turn; the answer comes as the next message.
 *
 * Source: docs/tools.md, "Talking".
 */
export function clarifyTool(): Readonly<Record<string, AnyTool>> {
  const clarify = defineTool({
    description:
      "Asks the person one question and ends your turn; the answer comes as the next message. Use it when you cannot go on without the answer, not for what you can find out or decide yourself.",
    inputSchema: v.strictObject({
      question: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000), v.description("One question")),
      options: v.optional(
        v.pipe(
          v.array(oneLine),
          v.maxLength(10),
          v.description("Answers to choose from, shown with numbers; the person may also answer freely"),
        ),
      ),
    }),
    execute({ question, options = [] }) {
      const numbered = options.map((option, index) => `${index + 1}. ${option}`).join("\n");
      return toolOutcome({
        forModel: { asked: true, note: "The answer comes as the next message" },
        reply: numbered === "" ? question : `${question}\n\n${numbered}`,
      });
    },
    meta: { category: "ui", idempotent: true },
  });
  return { clarify };
}
