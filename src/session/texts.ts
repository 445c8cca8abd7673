import type { Session } from "./session.ts";

/** The languages that the runtime speaks. */
export type Language = "en" | "zh";

/** The language of the runtime's answer to a text: Chinese if the text contains a Chinese character. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

/** The language of the person who gave a command. A command itself is English, so their earlier messages decide. */
export function languageIn({ history, waiting }: Session, text: string): Language {
  if (languageOf(text) === "zh") return "zh";
  for (const inputs of [waiting, ...history.map((turn) => turn.inputs).reverse()]) {
    // The outcome of a request, or work that is due, does not show the reader's language.
    const said = inputs.findLast((input) => input.type === "in" && input.source === undefined);
    if (said) return languageOf(said.text);
  }
  return "en";
}

/** Returns a text in the language of what it answers, with its `{names}` replaced. Names without a value stay. */
export type Texts<Name extends string> = (
  name: Name,
  answers: string | { readonly language: Language },
  values?: Readonly<Record<string, string | number>>,
) => string;

/** Creates the runtime's texts for people from a table with one text per language and name. */
export function createTexts<Name extends string>(
  table: Readonly<Record<Language, Readonly<Record<Name, string>>>>,
): Texts<Name> {
  return (name, answers, values = {}) => {
    const language = typeof answers === "string" ? languageOf(answers) : answers.language;
    return table[language][name].replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
  };
}
