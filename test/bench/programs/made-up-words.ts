// Text made from a seed, the same in every run: a few words are everywhere and most are rare, as in every language.

const VOCABULARY = 8000;
const SYLLABLES = "ba co di fu ga he ji ko la mo ne pi ra so tu ve wa xi yo za".split(" ");

export interface MadeUpWords {
  /** At least 0, below 1. */
  random(): number;
  sentence(words: number): string;
}

export function madeUpWords(seed = 20_260_101): MadeUpWords {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = (number: number) => {
    let text = "";
    for (let rest = number + 20; rest > 0; rest = Math.floor(rest / 20)) text += SYLLABLES[rest % 20];
    return text;
  };
  const anyWord = () => word(Math.floor(VOCABULARY ** random()) - 1);
  return { random, sentence: (words) => Array.from({ length: words }, anyWord).join(" ") };
}
