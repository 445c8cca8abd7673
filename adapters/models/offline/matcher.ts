import type { Intent, Language, Match } from "./intent.ts";
import { bareLength, compilePhrasing, firstWord } from "./phrasing.ts";
import type { Phrasing } from "./phrasing.ts";

/** A request with its intent. */
export interface Understood extends Match {
  readonly intent: Intent;
}

interface Candidate {
  readonly order: number;
  readonly intent: Intent;
  readonly language: Language;
  readonly phrasing: Phrasing;
}

/** Text of others that a prompt includes: it requests nothing. Its content cannot close it. */
const DATA = /<wakeful-data source="[^\n]{0,2000}">\n[\s\S]*?\n<\/wakeful-data>/g;

/** Polite words before a request. They are removed one after the other. */
const POLITE_BEGINNING =
  /^(?:@[\w-]{1,64}[,:，：]?\s{1,3}|(?:hi|hello|hey|ok|okay|so|well|please|pls|kindly|just)(?: there| wakeful)?[,!.:]?\s{1,3}|(?:can|could|would|will) you\s{1,3}|i(?: want|'d like|’d like| would like| need) you to\s{1,3}|(?:你好|您好|嗨|嘿|请问|请|麻烦你|麻烦|劳驾|帮我|帮忙|给我|替我|你能不能|你能|能不能|你可以|可以|能否|可否|我想让你|我要你|我想)[，,！!。]?\s{0,3})/iu;
const POLITE_ENDING =
  /(?:(?:,\s{0,3}|\s{1,3})(?:please|pls|thanks|thank you|for me|right now)|[,，]?\s{0,3}(?:谢谢你|谢谢您|谢谢|好吗|好不好|可以吗|行吗|吗|吧|呢|呀|啊|一下))$/iu;
/** Most polite words removed from each end. */
const POLITE_WORDS = 4;

/** Matches requests to intents. Phrasings are indexed by their first word, so that a request is compared with few of them. */
export function createMatcher(intents: readonly Intent[]): (text: string) => Understood | undefined {
  const byBeginning = new Map<string, Candidate[]>();
  const anywhere: Candidate[] = [];
  let order = 0;
  for (const intent of intents) {
    for (const language of ["en", "zh"] as const) {
      for (const template of intent.phrasings[language]) {
        const candidate = { order: order++, intent, language, phrasing: compilePhrasing(template, language) };
        if (candidate.phrasing.beginnings === undefined) anywhere.push(candidate);
        for (const word of candidate.phrasing.beginnings ?? []) {
          const list = byBeginning.get(word);
          if (list === undefined) byBeginning.set(word, [candidate]);
          else list.push(candidate);
        }
      }
    }
  }
  for (const list of byBeginning.values()) {
    list.push(...anywhere);
    list.sort((one, other) => one.order - other.order);
  }

  function matchAsItIs(text: string): Understood | undefined {
    for (const { intent, language, phrasing } of byBeginning.get(firstWord(text)) ?? anywhere) {
      const groups = phrasing.match(text);
      if (groups === undefined) continue;
      const understood = { intent, language, groups, text };
      if (intent.accepts?.(understood) ?? true) return understood;
    }
    return undefined;
  }

  function matchPolite(trimmed: string): Understood | undefined {
    const direct = matchAsItIs(trimmed);
    if (direct !== undefined) return direct;
    const begun = withoutBeginning(trimmed);
    if (begun !== trimmed) {
      const match = matchAsItIs(begun);
      if (match !== undefined) return match;
    }
    const ended = withoutEnding(begun);
    return ended === begun ? undefined : matchAsItIs(ended);
  }

  return (text) => {
    const words = text.replaceAll(DATA, "…").trim();
    const found = words === "" ? undefined : matchPolite(words);
    return found && words !== text.trim() ? { ...found, text } : found;
  };
}

function withoutBeginning(text: string): string {
  let rest = text;
  for (let word = 0; word < POLITE_WORDS; word++) {
    const polite = POLITE_BEGINNING.exec(rest);
    if (polite === null || polite[0].length === rest.length) break;
    rest = rest.slice(polite[0].length);
  }
  return rest;
}

function withoutEnding(text: string): string {
  let rest = text;
  for (let word = 0; word < POLITE_WORDS; word++) {
    const bare = rest.slice(0, bareLength(rest));
    const start = Math.max(0, bare.length - 20);
    const polite = POLITE_ENDING.exec(bare.slice(start));
    if (polite === null || start + polite.index === 0) break;
    rest = bare.slice(0, start + polite.index);
  }
  return rest;
}
