import type { Language } from "../intent.ts";

/** A longer statement is quoted, since it may contain too much to convert safely. */
const MAX_CHARS = 200;
/** Addressed persons, several people, quotations, requests, numerals: changed words there could change the meaning. */
const UNSAFE_ENGLISH =
  /["“”«»`]|(?<![\p{L}])['‘]|\n|\?|\b(?:you|your|yours|yourself|we|us|our|ours|ourselves|myself|mine|im|ive|ill|id)\b|\b(?:type|phase|class|part|level|stage|grade|category|tier|act|volume|chapter|schedule|world war|vitamin|form|option|group|plan) I\b|\b(?!(?:And|But|So|Because|Since|When|While|Today|Yesterday|Now|Currently|Usually|Sometimes) )\p{Lu}\p{L}* I\b|\b[Ii][.,;:)/&+-]|[/&+-][Ii]\b|\bI$|\b(?:me|my) (?:and|or) I\b/u;
const UNSAFE_ENGLISH_ANY_CASE = /\b(?:you|your|yours|we|us|our|ours|myself|mine)\b/iu;
/** An instruction to the assistant has no subject and stays unchanged. */
const NO_SUBJECT =
  /^(?:call|address|answer|reply|always|never|please|use|do|don['’]t|stop|keep|make|send|avoid|speak|write|remind|remember|note|let|prefers|likes|loves|lives|works|has|is|hates|wants|user|the user)\b/iu;
const WORDS = new Map([
  ["i", "you"],
  ["me", "you"],
  ["my", "your"],
  ["i'm", "you are"],
  ["i've", "you have"],
  ["i'll", "you will"],
  ["i'd", "you’d"],
]);
const VERBS = new Map([
  ["am", "are"],
  ["was", "were"],
  ["wasn't", "weren't"],
]);
const ENGLISH_WORD = /\b(?:I(?:['’](?:m|ve|ll|d))?|i(?:['’](?:m|ve|ll|d))?|[Mm][ey])\b(?: (?:am|was|wasn['’]t)\b)?/gu;
const UNSAFE_CHINESE =
  /[“”"「」『』‘’\n?？你您]|我们|咱|自我|忘我|我国|我方|我校|我党|本我|我行我素|^(?:请|别|不要|叫我|记住|以后|用户)/u;
const HAN = /\p{Script=Han}/u;

/**
 * Converts a person's statement to the second person: "I am allergic" becomes "You are allergic". `undefined` where
 * that could change its meaning: the caller then quotes it.
 */
export function toSecondPerson(statement: string): string | undefined {
  const text = statement.trim();
  if (text.length > MAX_CHARS) return undefined;
  const language: Language = HAN.test(text) ? "zh" : "en";
  if (language === "zh") {
    if (UNSAFE_CHINESE.test(text) || /\b(?:I|my|me)\b/iu.test(text)) return undefined;
    return ended(text.replaceAll("我", "你"), "。");
  }
  if (UNSAFE_ENGLISH.test(text) || UNSAFE_ENGLISH_ANY_CASE.test(text) || NO_SUBJECT.test(text)) return undefined;
  const changed = text.replace(ENGLISH_WORD, (found) => {
    const [word = "", verb] = found.replace("’", "'").split(" ");
    const said = WORDS.get(word.toLowerCase()) ?? word;
    return verb === undefined ? said : `${said} ${VERBS.get(verb) ?? verb}`;
  });
  // "My sister and I am": a remaining "am" has another subject than the speaker.
  if (/\bam\b(?! ?\d)/u.test(changed.replace(/\d ?am\b/gu, ""))) return undefined;
  return ended(changed.charAt(0).toUpperCase() + changed.slice(1), ".");
}

function ended(text: string, stop: string): string {
  return /[.!?。！？…]$/u.test(text) ? text : text + stop;
}
