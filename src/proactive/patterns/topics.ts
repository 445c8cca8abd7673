import { isEveryday, tokensOf } from "../../memory/index.ts";

/** The subject of a text, as tokens of the keyword index. */
export interface Topic {
  /** Words that carry the subject, without everyday words. */
  readonly core: ReadonlySet<string>;
  /** All words. Used if a text has only everyday words. */
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** Character pairs that begin with the last character of another pair: both may belong to one word. */
  readonly overlapping: ReadonlySet<string>;
  /**
   * Pairs across a word boundary, as 司税 in 公司税号, with the pairs before and after it. 公司的税号 does not have such a pair.
   */
  readonly bridges: ReadonlyMap<string, readonly [before: string, after: string]>;
}

const ONE_SIGN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}$/u;
const NUMBER = /^\p{N}/u;
/**
 * Words that say how something is asked, and in Chinese also on which day. Pairs across the edges of these words would
 * be noise.
 */
const ENGLISH_FILLERS =
  /\b(?:remind|tell|explain|show|means?|meaning|again|quick|question|steps?|procedure|know|forgot)\b/gi;
const CHINESE_FILLERS =
  /[今明昨]天|今日|今[早晚]|现在|目前|一下|一[份篇个]|帮我|给我|告诉我?|请问?|麻烦|看看|怎么样|怎[么样]|什么|多少|如何|哪[里个些儿]|几[个点号]|可以|能不能|可不可以|是不是|有没有|[的了啊呢吗吧呀]|来着|一共|来?说/g;
/** Pairs that contain one of these characters belong to the way of asking or span two words. */
const ASKING =
  /[我你您他她它们的了是有和跟与还把给着吗呢吧啊呀嘛么什哪谁怎这那个很也都就请帮想要能可以再又次下来去到没不多少几为问用在对]/;

/** Computes a text's topic once, for comparison with many others. */
export function topicOf(text: string): Topic {
  const core = new Set<string>();
  const words = new Set<string>();
  const numbers = new Set<string>();
  for (const token of tokensOf(text.replace(ENGLISH_FILLERS, " ").replace(CHINESE_FILLERS, " "))) {
    if (NUMBER.test(token)) numbers.add(token);
    else if (!ONE_SIGN.test(token) && !ASKING.test(token)) {
      words.add(token);
      if (!isEveryday(token)) core.add(token);
    }
  }
  const pairs = [...words].filter(isPair);
  const byLast = new Map(pairs.map((pair) => [pair[1], pair]));
  const byFirst = new Map(pairs.map((pair) => [pair[0], pair]));
  const overlapping = new Set(pairs.filter((pair) => byLast.has(pair[0])));
  const bridges = new Map<string, readonly [string, string]>();
  for (const pair of overlapping) {
    const [before, after] = [byLast.get(pair[0]), byFirst.get(pair[1])];
    if (before !== undefined && after !== undefined && before !== pair && after !== pair)
      bridges.set(pair, [before, after]);
  }
  return { core, words, numbers, overlapping, bridges };
}

function isPair(token: string): boolean {
  return PAIR.test(token);
}

/**
 * A word is frequent if it occurs in more than 6 items and in more than 2% of all. Frequent words and overlapping pairs
 * weigh 0.4.
 */
const MANY = 6;
const MANY_OF_ALL = 0.02;
const COMMON = 0.4;
const OVERLAPPING = 0.4;
/** Share of common words from which two texts have the same topic. */
const SAME = 0.6;
/** The same if all words of one text occur in the other. */
const CONTAINED = 0.5;

/** Weight of a word in a comparison. */
type Weight = (word: string) => number;

/**
 * Whether two texts have the same topic: they share most words, or one contains all words of the other. They must share
 * at least two words, or the only word that each has.
 */
export function isSameTopic(one: Topic, other: Topic, weightOf: Weight = () => 1): boolean {
  const words = [apartAs(other, one, one.words), apartAs(one, other, other.words)] as const;
  const cores = [apartAs(other, one, one.core), apartAs(one, other, other.core)] as const;
  const hasCore = cores[0].size > 0;
  if (hasCore !== cores[1].size > 0) return false;
  const [a, b] = hasCore ? cores : words;
  const shared = sharedBy(a, b);
  if (shared < 2 && !(shared === 1 && a.size === 1 && b.size === 1)) return false;
  if (!haveLikeWords(...words)) return false;
  const isContained = shared === Math.min(a.size, b.size);
  return [() => 1, weightOf].every((weight) => {
    const weigh = (word: string) =>
      weight(word) * (one.overlapping.has(word) || other.overlapping.has(word) ? OVERLAPPING : 1);
    let [both, ofOne, ofOther] = [0, 0, 0];
    for (const word of a) {
      ofOne += weigh(word);
      if (b.has(word)) both += weigh(word);
    }
    for (const word of b) ofOther += weigh(word);
    return both / (ofOne + ofOther - both) >= SAME || (isContained && both / Math.max(ofOne, ofOther) >= CONTAINED);
  });
}

/** Returns a topic's words without the bridge pairs whose two parts the other text has separately. */
function apartAs(other: Topic, { bridges }: Topic, own: ReadonlySet<string>): ReadonlySet<string> {
  if (bridges.size === 0) return own;
  const isApart = (word: string) =>
    !other.words.has(word) && bridges.get(word)?.every((side) => other.words.has(side)) === true;
  return new Set([...own].filter((word) => !isApart(word)));
}

/** Texts that share their few distinctive words must also share enough of their everyday words. */
function haveLikeWords(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = sharedBy(a, b);
  return shared === Math.min(a.size, b.size) || shared / (a.size + b.size - shared) > CONTAINED;
}

function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared;
}

/** Whether both topics have numbers and the numbers differ. */
function differInNumbers(one: Topic, other: Topic): boolean {
  if (one.numbers.size === 0 || other.numbers.size === 0) return false;
  return one.numbers.size !== other.numbers.size || [...one.numbers].some((number) => !other.numbers.has(number));
}

/** Names a group by the two or three words that most of its topics have. */
export function subjectOf(topics: readonly Topic[]): string {
  const counts = new Map<string, number>();
  for (const { core, words } of topics)
    for (const word of core.size > 0 ? core : words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = [...counts].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
  const common = most.filter(([, count]) => count * 3 >= topics.length * 2).slice(0, 3);
  return (common.length > 0 ? common : most.slice(0, 2))
    .map(([word]) => word)
    .sort()
    .join(" ");
}

/** Texts with the same words and numbers. Repeated requests are mostly such texts. */
interface Kind {
  readonly topic: Topic;
  /** Indexes of its texts, ascending. */
  readonly places: number[];
  /** Similar kinds, including itself. */
  readonly alike: Kind[];
}

/**
 * Groups similar items, the largest group first. Each group forms around the item with the most similar ones; an item
 * is in one group at most.
 * @param isAlike Contract: symmetric and reflexive. Called once for two distinct topics that share a word. Default: the
 * same topic and no different numbers.
 */
export function groupsOf<T extends { readonly topic: Topic }>(
  things: readonly T[],
  isAlike = (one: Topic, other: Topic, weightOf: Weight) =>
    !differInNumbers(one, other) && isSameTopic(one, other, weightOf),
): T[][] {
  const kinds = kindsOf(things);
  const times = new Map<string, number>();
  for (const { topic, places } of kinds)
    for (const word of topic.words) times.set(word, (times.get(word) ?? 0) + places.length);
  const isMany = (count = 0) => count > Math.max(MANY, MANY_OF_ALL * things.length);
  const weightOf = (word: string) => (isMany(times.get(word)) ? COMMON : 1);
  const byWord = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const words = [...kind.topic.words];
    for (const other of new Set(words.flatMap((word) => byWord.get(word) ?? [])))
      if (isAlike(kind.topic, other.topic, weightOf)) {
        kind.alike.push(other);
        other.alike.push(kind);
      }
    for (const word of words) {
      const having = byWord.get(word);
      if (having) having.push(kind);
      else byWord.set(word, [kind]);
    }
  }
  const taken = new Set<Kind>();
  const groups: T[][] = [];
  const placesOf = (some: readonly Kind[]) => some.flatMap(({ places }) => places).sort((a, b) => a - b);
  const sizeOf = ({ alike }: Kind) => alike.reduce((sum, { places }) => sum + places.length, 0);
  for (const kind of kinds.toSorted((one, other) => sizeOf(other) - sizeOf(one))) {
    if (taken.has(kind)) continue;
    const group = kind.alike.filter((one) => !taken.has(one));
    for (const one of group) taken.add(one);
    groups.push(placesOf(group).map((at) => things[at]!));
  }
  return groups;
}

function kindsOf(things: readonly { readonly topic: Topic }[]): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const [place, { topic }] of things.entries()) {
    const said = `${[...topic.words].join(" ")}\n${[...topic.numbers].join(" ")}`;
    const known = kinds.get(said);
    if (known) {
      known.places.push(place);
      continue;
    }
    const kind: Kind = { topic, places: [place], alike: [] };
    kind.alike.push(kind);
    kinds.set(said, kind);
  }
  return [...kinds.values()];
}
