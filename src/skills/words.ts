import { foldCase } from "../patterns/index.ts";

/** Most characters of a text from which words are taken. */
const MAX_TEXT = 2000;
/** Fewest letters of a content word. */
const MIN_LETTERS = 3;

/** Words without content for a task, including what people say to an assistant in every task. */
const STOP_WORDS = new Set(
  `about after again all also and any are because been before but can cannot could did does doing don for from get give
  had has have hello help her here him his how into its just let like make many may maybe more most much must need new not now
  off one only our out over own please really same see shall she should show some such tell than thank thanks that the their them
  then there these they this those through today too under use using very want was way were what when where which while who why will
  with would yes yesterday you your`.split(/\s+/),
);
/** Characters for grammar or politeness: no content word begins or ends with one. */
const STOP_SIGNS =
  /[的了吗呢吧啊呀我你您他她它们这那哪个一些和与及或在是有要请帮给把被对从到为并就也都还再又很把着过让能可以会想什么怎样谢]/u;
const HAN_RUN = /\p{Script=Han}+/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

/**
 * Returns the distinct content words of a text, case-folded. In scripts that write spaces: words of three letters or
 * more that are no stop words. In Chinese: pairs of characters without particles.
 */
export function contentWords(text: string): Set<string> {
  const plain = foldCase(text.slice(0, MAX_TEXT).normalize("NFKC"));
  const words = new Set<string>();
  for (const [run] of plain.matchAll(HAN_RUN)) {
    const signs = Array.from(run);
    for (let at = 0; at + 1 < signs.length; at += 1) {
      const pair = signs.slice(at, at + 2);
      if (!pair.some((sign) => STOP_SIGNS.test(sign))) words.add(pair.join(""));
    }
  }
  for (const [word] of plain.replace(HAN_RUN, " ").matchAll(WORD)) {
    const clean = word.replace(/['’]s$|['’-]+$/u, "");
    if (Array.from(clean).length >= MIN_LETTERS && !STOP_WORDS.has(clean) && !/^\d+$/.test(clean)) words.add(clean);
  }
  return words;
}

/**
 * Returns the content words that at least two of the texts and more than half of them contain, the most frequent
 * first, then the longest, then alphabetically. Chinese pairs that overlap in every text become one word.
 */
export function commonWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of contentWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const least = Math.max(2, Math.floor(texts.length / 2) + 1);
  const common = [...counts].filter(([, count]) => count >= least);
  const folded = texts.map((text) => foldCase(text.slice(0, MAX_TEXT).normalize("NFKC")));
  const countOf = (word: string) => folded.filter((text) => text.includes(word)).length;
  const joined = joinPairs(
    common.map(([word]) => word),
    (word) => countOf(word) >= least,
  );
  const weight = new Map(joined.map((word) => [word, counts.get(word) ?? countOf(word)]));
  return joined.sort(
    (one, other) => weight.get(other)! - weight.get(one)! || other.length - one.length || (one < other ? -1 : 1),
  );
}

/** Joins `竞品` and `品分` to `竞品分` if that is common too, and so on. */
function joinPairs(words: readonly string[], isCommon: (word: string) => boolean): string[] {
  let current = [...new Set(words)];
  for (;;) {
    const han = current.filter((word) => /^\p{Script=Han}/u.test(word));
    const longer = new Set<string>();
    const used = new Set<string>();
    for (const one of han) {
      for (const other of han) {
        const together = one + other.slice(-1);
        if (one === other || one.slice(1) !== other.slice(0, -1) || !isCommon(together)) continue;
        longer.add(together);
        used.add(one).add(other);
      }
    }
    if (longer.size === 0) return current;
    current = [...current.filter((word) => !used.has(word)), ...longer];
  }
}
