import { stem } from "porter2";
import { IRREGULAR } from "./irregular.ts";
import { findKey, grown, keyPlaces, placesOfKeys, putKey } from "./key-table.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { SPEAKER_MARK, keyOf } from "./term-key.ts";

/** Token and keys of a word in a script with spaces. */
export interface KnownWord {
  /** Empty for a stop word. */
  readonly token: string;
  /** `keyOf` the token. */
  readonly key: number;
  /** Key of the same word in a speaker's name. */
  readonly speakerKey: number;
}

/** Cache of words and their tokens, since stemming is most of the work. Emptied when full. */
export interface KnownWords {
  /** Looks up the word at these offsets of a normalised text; a cached word needs no substring. */
  of(text: string, from: number, to: number): KnownWord;
}

const NOTHING: KnownWord = { token: "", key: 0, speakerKey: 0 };
const LATIN = /^[a-z']+$/;
const MAX_KNOWN = 4000;
const FEWEST = 64;

export function createKnownWords(most: number = MAX_KNOWN): KnownWords {
  let words: KnownWord[] = [];
  // Created with the first word: most people's indexes have none.
  let keys: Float64Array | undefined;
  let places = EMPTY;

  function add(key: number, word: KnownWord): void {
    if (keys === undefined || words.length >= most) {
      words = [];
      keys = new Float64Array(FEWEST);
      places = keyPlaces(FEWEST);
    } else if (words.length === keys.length) {
      keys = grown(keys, 2 * keys.length);
      places = placesOfKeys(keys, words.length, keys.length);
    }
    keys[words.length] = key;
    putKey(places, key, words.length);
    words.push(word);
  }

  return {
    of(text, from, to) {
      const key = keyOf(text, false, from, to);
      const place = keys === undefined ? -1 : findKey(places, keys, key);
      if (place >= 0) return words[place]!;
      const word = wordOf(text.slice(from, to));
      add(key, word);
      return word;
    },
  };
}

const EMPTY = keyPlaces(0);

function wordOf(text: string): KnownWord {
  const bare = text.replaceAll("'", "");
  if (STOP_WORDS.has(bare)) return NOTHING;
  const token = LATIN.test(text) ? stem(IRREGULAR.get(text) ?? text) : bare;
  return token === "" ? NOTHING : { token, key: keyOf(token), speakerKey: keyOf(SPEAKER_MARK + token) };
}
