import type { Command, SyntaxNode, Word } from "unbash";
import type { ShellParser } from "../libraries.ts";
import { UNKNOWN, kept, plain } from "./scan.ts";
import { KEYS, type Lookup, NUMBER, markedText, markedWords, variablesOf } from "./words.ts";

/** Maximum number of values of one variable, and of combinations of several, that are judged one by one. */
const MAX_VALUES = 48;

/** Variables that the shell itself changes, except numbers: values from the text do not last. */
const SET_BY_SHELL = new Set(
  "_ PWD OLDPWD REPLY MAPFILE OPTARG DIRSTACK BASH_REMATCH BASH_COMMAND BASH_ARGV BASH_ARGV0 BASH_EXECUTION_STRING BASH_SOURCE FUNCNAME COPROC".split(
    " ",
  ),
);

/**
 * Possible values of the variables of a text: every value that is assigned anywhere in it, in any order. A variable
 * that gets a value from elsewhere is unknown.
 */
export interface Variables {
  /** Adds the assignments of a text. */
  collect(node: SyntaxNode): void;
  /** Adds the parameters that a text or a function is started with. */
  addParameters(texts: readonly string[]): void;
  /** Calls back once for each combination of values of the words' variables. */
  eachBinding(words: readonly Word[], judge: (lookup: Lookup) => void): void;
  /**
   * Assigns a value to a variable; undefined: a value that the text does not show. Without a name, any variable may
   * change.
   */
  fill(name: string | undefined, value?: string): void;
  /** Returns all values of a variable: an empty list if the text assigns none; undefined if they are unknown. */
  valuesOf(name: string): readonly string[] | undefined;
  /** Changes whenever an assignment is added. */
  version(): number;
}

export function createVariables(functions: Set<string>, forEachChild: ShellParser["forEachChild"]): Variables {
  const given = new Map<string, { readonly words: Map<string, Word>; readonly texts: Set<string>; isOpen: boolean }>();
  const resolved = new Map<string, readonly string[] | undefined>();
  let version = 0;
  let isAnyOpen = false;

  function entry(name: string) {
    let found = given.get(name);
    if (found === undefined) {
      found = { words: new Map(), texts: new Set(), isOpen: SET_BY_SHELL.has(name) };
      given.set(name, found);
    }
    return found;
  }

  function addWord(name: string, word: Word): void {
    const { words } = entry(name);
    if (words.has(word.text)) return;
    words.set(word.text, word);
    learn();
  }

  function addText(name: string, text: string): void {
    const { texts } = entry(name);
    if (texts.has(text)) return;
    texts.add(text);
    learn();
  }

  function open(name: string): void {
    const found = entry(name);
    if (found.isOpen) return;
    found.isOpen = true;
    learn();
  }

  function learn(): void {
    version++;
    resolved.clear();
  }

  function collect(node: SyntaxNode): void {
    switch (node.type) {
      case "Assignment":
        if (node.append === true) open(node.name);
        for (const one of node.value.type === "Word" ? [node.value] : node.value.elements) addWord(node.name, one);
        break;
      case "For":
      case "Select":
        if (node.wordlist === undefined) open(node.name.value);
        for (const one of node.wordlist ?? []) addWord(node.name.value, one);
        break;
      case "Function":
        functions.add(node.name.value);
        break;
      case "Command":
        collectCommand(node);
        break;
      case "ParameterExpansion":
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          addWord(node.parameter, node.operation.operand);
        break;
      case "ArithmeticWord":
        if (given.has(node.value)) addText(node.value, "0");
        break;
    }
    forEachChild(node, collect);
  }

  function collectCommand(node: Command): void {
    const name = node.name?.value ?? "";
    for (const one of node.suffix) {
      if (one.type !== "Word") continue;
      if (name === "set" || functions.has(name)) addWord("@", one);
      // `let` evaluates the word, and can assign a number to every variable in it.
      else if (name === "let")
        for (const [variable] of one.value.matchAll(/[A-Za-z_]\w*/gu)) if (given.has(variable)) addText(variable, "0");
    }
  }

  /** Returns the values of a variable; undefined if the text assigns none, or an unknown one. */
  function valuesOf(name: string, above: ReadonlySet<string>): readonly string[] | undefined {
    if (resolved.has(name)) return resolved.get(name);
    const found = given.get(name);
    if (found === undefined || found.isOpen || isAnyOpen || above.has(name) || above.size > 6) return undefined;
    const values = new Set(found.texts);
    const inner = new Set([...above, name]);
    let isKnown = true;
    for (const word of found.words.values()) {
      const seen = combinations(variablesOf(word), inner);
      if (seen === undefined) isKnown = false;
      for (const lookup of seen ?? []) {
        for (const text of new Set([...markedWords(word, lookup), markedText(word, lookup)])) values.add(kept(text));
        if (values.size > MAX_VALUES) isKnown = false;
      }
      if (!isKnown) break;
    }
    const result = isKnown && ![...values].some((one) => one.includes(UNKNOWN)) ? [...values] : undefined;
    if (above.size === 0) resolved.set(name, result);
    return result;
  }

  /**
   * Returns all combinations of values; undefined if there are too many. An unknown variable is left out of every
   * combination.
   */
  function combinations(names: ReadonlySet<string>, above: ReadonlySet<string>): readonly Lookup[] | undefined {
    let maps: ReadonlyMap<string, string>[] = [new Map()];
    for (const name of names) {
      const values = valuesOf(name, above);
      if (values === undefined || values.length === 0) continue;
      if (maps.length * values.length > MAX_VALUES) return undefined;
      maps = maps.flatMap((map) => values.map((value) => new Map(map).set(name, value)));
    }
    return maps.map((map) => (name: string) => {
      if (name === KEYS) return given.has(KEYS) ? UNKNOWN : NUMBER;
      return map.get(name) ?? (given.has(name) ? UNKNOWN : undefined);
    });
  }

  return {
    collect,
    addParameters(texts) {
      for (const text of texts) addText("@", kept(text));
    },
    fill(name, value) {
      if (name === undefined) {
        if (!isAnyOpen) learn();
        isAnyOpen = true;
      } else if (value === undefined) open(name);
      else addText(name, value);
    },
    valuesOf(name) {
      if (given.has(name)) return valuesOf(name, new Set())?.map(plain);
      return SET_BY_SHELL.has(name) || isAnyOpen ? undefined : [];
    },
    eachBinding(words, judge) {
      const names = new Set(words.flatMap((word) => (word.parts === undefined ? [] : [...variablesOf(word)])));
      if (names.size === 0) {
        judge(() => undefined);
        return;
      }
      const all = combinations(names, new Set()) ?? [() => UNKNOWN];
      for (const lookup of all) judge(lookup);
    },
    version: () => version,
  };
}
