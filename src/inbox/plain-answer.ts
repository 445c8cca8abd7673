/** The meaning of a short answer to an offer. */
export type PlainAnswer = "yes" | "no" | "later" | "less";

/**
 * Complete messages in lower case, without punctuation and without a polite word at the end. Any
 * longer message goes to the model.
 */
const WORDS: Readonly<Record<PlainAnswer, readonly string[]>> = {
  yes: [
    ...["y", "yes", "yep", "yeah", "yup", "sure", "ok", "okay", "please", "please do", "do it", "go ahead", "👍"],
    ...["好", "好的", "好呀", "好啊", "行", "行吧", "可以", "是", "是的", "对", "嗯", "要", "来吧", "同意"],
  ],
  no: [...["n", "no", "nope", "nah", "never", "👎"], ...["不", "不用", "不用了", "不要", "不行", "算了", "不必", "别"]],
  later: ["later", "not now", "maybe later", "以后", "以后再说", "回头再说", "晚点", "晚点再说", "现在不"],
  less: ["less of this", "less of these", "fewer of these", "less", "少发", "少发点", "少发这类", "少提醒"],
};
const ANSWERS: ReadonlyMap<string, PlainAnswer> = new Map(
  (Object.keys(WORDS) as PlainAnswer[]).flatMap((answer) => WORDS[answer].map((word) => [word, answer] as const)),
);
const MAX_CHARS = 24;
const POLITE = /(?<=.)[\s,，]*(?:please|thanks|thank you|谢谢)$/iu;
const END = /[\s.!,;。！，；~～]+$/u;

/** Reads a message that is only an answer; pure. `null`: it is something else. */
export function readPlainAnswer(text: string): PlainAnswer | null {
  if (text.length > MAX_CHARS) return null;
  return ANSWERS.get(text.trim().replace(END, "").replace(POLITE, "").toLowerCase()) ?? null;
}
