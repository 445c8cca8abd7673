import { idsIn } from "../../memory/index.ts";
import type { JsonValue } from "../../store/index.ts";
import type { FoundPattern, PatternEntry } from "./pattern.ts";
import { inOneLine, shortened } from "../../short-text.ts";

export const DAY_MS = 86_400_000;
const HAN = /\p{Script=Han}/u;

export function timeOf({ createdAt }: Pick<PatternEntry, "createdAt">): number {
  return typeof createdAt === "string" ? Date.parse(createdAt) : Number(createdAt);
}

/** Returns a slot if it is a non-empty string. */
export function textSlot({ slots }: Pick<PatternEntry, "slots">, name: string): string | undefined {
  const value: JsonValue | undefined = slots?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** How many entries this one stands for: itself and each entry merged into it. */
export function countOf({ id, slots = {} }: Pick<PatternEntry, "id" | "slots">): number {
  return new Set([id, ...idsIn(slots)]).size;
}

/** Returns `zh` if at least half of the texts contain Chinese, else `en`. */
export function languageOfAll(texts: readonly string[]): FoundPattern["language"] {
  return texts.filter((text) => HAN.test(text)).length * 2 >= Math.max(1, texts.length) ? "zh" : "en";
}

/** Shortens a text to one line of at most `most` characters. */
export function brief(text: string, most = 80): string {
  return shortened(inOneLine(text), most, most - 1);
}
