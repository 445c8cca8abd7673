import { tokensOf } from "../../memory/index.ts";
import type { InRecord, OutRecord } from "../../session/index.ts";
import { allTexts } from "../../store/index.ts";

/** Who says so may be who asked, whatever words the model looked with. */
const ASKS_TO_FORGET = /forget|delet|remov|eras|忘|[删刪]|抹/i;

/**
 * What may be kept of a turn in which somebody had something forgotten: what the others said. Who asked is whoever the turn was run for, everybody whose words
 * are in what was to be forgotten, and whoever asks to forget; in doubt somebody asked, and then nothing of theirs is kept. Where nobody has such words (the
 * call named ids alone), anybody may have asked.
 *
 * @returns The messages of the others, and whether a statement of theirs repeats what is not to be kept.
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
    // One word may be all of it: a number, a name. A single sign of Chinese stands everywhere.
    quotes: (statement) =>
      tokensOf(statement).some((word) => isForgotten(word) || (asked.has(word) && !ONE_SIGN.test(word))),
  };
}

const ONE_SIGN = /^\p{Script=Han}$/u;
