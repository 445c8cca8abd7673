import { tokensOf } from "../../memory/index.ts";
import type { InRecord, OutRecord } from "../../session/index.ts";
import { allTexts } from "../../store/index.ts";

/** A person who uses such words may be the one who asked, whatever words the model searched with. */
const ASKS_TO_FORGET = /forget|delet|remov|eras|忘|[删刪]|抹/i;

/**
 * Returns what may be stored of a turn that called `memory_forget`: only messages of people who did not ask for it.
 * These count as having asked: the person whose turn it was, people whose messages contain forgotten words, and people
 * who ask to forget something. If in doubt a person counts as having asked, and nothing of them is stored. If no
 * message has forgotten words (the call named only ids), every person may have asked.
 *
 * @returns The others' messages, and whether one of their statements repeats what must not be stored.
 */
export function othersThanWhoForgot(
  messages: readonly InRecord[],
  { toolCalls }: Pick<OutRecord, "toolCalls">,
): { readonly messages: readonly InRecord[]; quotes(statement: string): boolean } {
  const forgotten = new Set(
    toolCalls.flatMap(({ name, input, output }) =>
      name === "memory_forget" ? tokensOf(`${allTexts(input).join(" ")} ${allTexts(output).join(" ")}`) : [],
    ),
  );
  const isForgotten = (word: string) => forgotten.has(word);
  const mayAsk = ({ text }: InRecord) => ASKS_TO_FORGET.test(text) || tokensOf(text).some(isForgotten);
  const askers = new Set(messages.filter(mayAsk).map(({ user }) => user));
  const isKnown = askers.size > 0;
  const last = messages.at(-1);
  if (last) askers.add(last.user);
  const asked = new Set(messages.flatMap(({ user, text }) => (askers.has(user) ? tokensOf(text) : [])));
  return {
    messages: isKnown ? messages.filter(({ user }) => !askers.has(user)) : [],
    // A single word can be the whole secret, as a number or a name. A single Chinese character is too common to count.
    quotes: (statement) =>
      tokensOf(statement).some((word) => isForgotten(word) || (asked.has(word) && !ONE_SIGN.test(word))),
  };
}

const ONE_SIGN = /^\p{Script=Han}$/u;
