import { type Argument, withoutStart } from "./scan.ts";

/** One option of a command, with its value if it has one. */
export interface Option {
  /** Name with its dashes, such as `-o` or `--output`. */
  readonly name: string;
  readonly value: Argument | undefined;
}

export interface Options {
  readonly options: readonly Option[];
  /** The words that are not options. */
  readonly rest: readonly Argument[];
}

/**
 * Parses the words after a program's name as most programs do: `-abc` is three options, `--name=value` has a value,
 * `--` ends the options.
 *
 * @param valued The options that take a value, separated by blanks: `"-o --output"`.
 * @param stopAtFirst Whether options end at the first other word, as in programs that start another one. Default
 * false.
 */
export function readOptions(words: readonly Argument[], valued = "", stopAtFirst = false): Options {
  const takesValue = new Set(valued.split(" "));
  const options: Option[] = [];
  const rest: Argument[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Argument;
    const { text } = word;
    if (text === "--") {
      rest.push(...words.slice(index + 1));
      break;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text : text.slice(0, equals);
      if (equals !== -1) options.push({ name, value: withoutStart(word, equals + 1) });
      else if (takesValue.has(name)) options.push({ name, value: words[++index] });
      else options.push({ name, value: undefined });
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      if (stopAtFirst) {
        rest.push(...words.slice(index));
        break;
      }
      rest.push(word);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = `-${text.charAt(at)}`;
      if (!takesValue.has(name)) {
        options.push({ name, value: undefined });
        continue;
      }
      options.push({ name, value: at + 1 === text.length ? words[++index] : withoutStart(word, at + 1) });
      break;
    }
  }
  return { options, rest };
}

/** Whether a name is one of these options. Long ones may be abbreviated, as in `--compress-prog`. */
export function isOption(name: string, ...known: readonly string[]): boolean {
  return known.some((one) => one === name || (one.startsWith("--") && name.length > 4 && one.startsWith(name)));
}
