/** Sentences as people write them to an assistant: what states something, by its kind, and what states nothing of them. */
export type Label = "preference" | "decision" | "commitment" | "fact";

export interface Labelled {
  readonly positive: readonly (readonly [readonly Label[], string])[];
  readonly negative: readonly string[];
}

const KINDS: Readonly<Record<string, Label>> = { p: "preference", d: "decision", c: "commitment", f: "fact" };

/** @param positive A line each: the letters of the kinds that are right for it, then the sentence. `\n` is a break within it. */
export function labelled(positive: string, negative: string): Labelled {
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => line.trim().replaceAll("\\n", "\n"));
  return {
    positive: lines(positive).map((line) => {
      const at = line.indexOf(" ");
      return [Array.from(line.slice(0, at), (letter) => KINDS[letter]!), line.slice(at + 1)];
    }),
    negative: lines(negative),
  };
}
