import { tokensOf } from "../../memory/index.ts";
import type { InRecord, OutRecord } from "../../session/index.ts";

/** From so many of its words in what is not to be kept, a statement quotes it. */
const QUOTED_SHARE = 0.5;

/**
 * What may be kept of a turn in which somebody had something forgotten: what the others said. Who asked is whoever the turn was run for, and everybody whose words
 * are in what was to be forgotten; in doubt somebody asked, and then nothing of theirs is kept.
 *
 * @returns The messages of the others, and whether a statement of theirs repeats what is not to be kept.
 */
export function othersThanWhoForgot(
  messages: readonly InRecord[],
  { toolCalls }: Pick<OutRecord, "toolCalls">,
): { readonly messages: readonly InRecord[]; quotes(statement: string): boolean } {
  const forgotten = new Set(
    toolCalls.flatMap(({ name, input, output }) =>
      name === "memory_forget" ? tokensOf(`${textsIn(input).join(" ")} ${textsIn(output).join(" ")}`) : [],
    ),
  );
  const isForgotten = (word: string) => forgotten.has(word);
  const askers = new Set(messages.filter(({ text }) => tokensOf(text).some(isForgotten)).map(({ user }) => user));
  const last = messages.at(-1);
  if (last) askers.add(last.user);
  const asked = new Set(messages.flatMap(({ user, text }) => (askers.has(user) ? tokensOf(text) : [])));
  return {
    messages: messages.filter(({ user }) => !askers.has(user)),
    quotes(statement) {
      const words = [...new Set(tokensOf(statement))];
      return words.some(isForgotten) || words.filter((word) => asked.has(word)).length > QUOTED_SHARE * words.length;
    },
  };
}

/** The texts of a call's input or output, wherever they stand in it. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
