import type { Session } from "./session.ts";

/** The languages that the runtime itself speaks. */
export type Language = "en" | "zh";

/** The language that the runtime answers a text in: Chinese when it holds a Chinese character. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

/** A command is English whoever gives it: what they said before tells their language. */
export function languageIn({ history, waiting }: Session, text: string): Language {
  if (languageOf(text) === "zh") return "zh";
  for (const inputs of [waiting, ...history.map((turn) => turn.inputs).reverse()]) {
    // What came of a request, or is due, says nothing of who reads the answer.
    const said = inputs.findLast((input) => input.type === "in" && input.source === undefined);
    if (said) return languageOf(said.text);
  }
  return "en";
}

/** A text, in the language of what it answers, with its `{names}` replaced; names without a value stay. */
export type Texts<Name extends string> = (
  name: Name,
  answers: string | { readonly language: Language },
  values?: Readonly<Record<string, string | number>>,
) => string;

/** What the runtime itself says to people, from a table with one text a language for each name. */
export function createTexts<Name extends string>(
  table: Readonly<Record<Language, Readonly<Record<Name, string>>>>,
): Texts<Name> {
  return (name, answers, values = {}) => {
    const language = typeof answers === "string" ? languageOf(answers) : answers.language;
    return table[language][name].replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
  };
}
