import * as v from "valibot";
import { nearestName, snakeCase } from "./names.ts";
import {
  type Leaf,
  type List,
  type Names,
  type Option,
  type Schema,
  type Section,
  choicesOf,
  optionOf,
} from "./schema.ts";
import { isObject } from "../store/index.ts";
import { shortened } from "../short-text.ts";

/** Path from the top of the options to one of them, with names in the caller's style. */
export type OptionPath = readonly (string | number)[];

/**
 * The source of the options: names and remedies differ between a file and code, and only a file can contain
 * references to secrets.
 */
export interface Checker {
  readonly style: "file" | "sdk";
  /** Reports an error. `of: "key"`: the name is wrong, not its value. */
  issue(path: OptionPath, message: string, of?: "key"): void;
  warning(path: OptionPath, message: string): void;
  /** For a file: returns the source of the value. */
  written?(path: OptionPath): Written | undefined;
  /** For a file: returns the secret of `{ env }`, `{ file }` or a text. It reports problems itself. */
  secret?(path: OptionPath, value: unknown): string | undefined;
  /** For code: called with each secret that was given as a value. */
  secretGiven?(value: string): void;
}

export interface Written {
  /** The value's text in the file. */
  readonly source: string;
  /** Whether it contains a `${…}` that was replaced. */
  readonly expanded: boolean;
}

/** Result for a value that was wrong and has been reported. */
const WRONG = Symbol("wrong");

/**
 * Checks options against their schema and reports all problems, not only the first. It walks the schema itself and
 * leaves single values to valibot, whose own walk ends at the first unknown key and knows neither the names of a file
 * nor its secrets.
 *
 * @returns The options with the names that code uses, without those that this version does not have. Valid only if
 * nothing was reported.
 */
export function checkOptions(schema: Schema, value: unknown, checker: Checker): Record<string, unknown> {
  const checked = checkSection(optionOf(schema) as Section, value, [], checker);
  return isObject(checked) ? checked : {};
}

function check(option: Option, value: unknown, path: OptionPath, checker: Checker): unknown {
  if (option.status === "refused") {
    const instead = option.instead === undefined ? "" : `: ${option.instead}`;
    checker.issue(path, `${pathText(path)} is not in this version${instead}. Remove it`, "key");
    return WRONG;
  }
  if (option.status === "later") {
    checker.warning(path, `${pathText(path)} is not in this version and has no effect`);
    if (option.kind === "section" && isObject(value))
      checkNames(option, knownNames(option, checker), value, path, checker);
    return undefined;
  }
  if (option.kind === "section") {
    if (option.several && Array.isArray(value))
      return value.map((item, index) => checkSection(option, item, [...path, index], checker));
    const checked = checkSection(option, value, path, checker);
    return option.several ? [checked] : checked;
  }
  if (option.kind === "list") return checkList(option, value, path, checker);
  if (option.kind === "names") return checkNamed(option, value, path, checker);
  return checkLeaf(option, value, path, checker);
}

function checkSection(section: Section, value: unknown, path: OptionPath, checker: Checker): unknown {
  const checked: Record<string, unknown> = {};
  const given = value === null && checker.style === "file" ? {} : value; // `queue:` with nothing under it
  if (!isObject(given)) return wrong(path, expectation(section), value, checker, { hide: true });

  const known = knownNames(section, checker);
  let complete = true;
  for (const [name, option] of known) {
    const item = given[name];
    if (item === undefined) {
      if (option.required === true) {
        checker.issue(path, `${pathText([...path, name])} is missing: expected ${expectation(option)}`);
        complete = false;
      }
      continue;
    }
    const result = check(option, item, [...path, name], checker);
    if (result === WRONG) complete = false;
    else if (result !== undefined) checked[sdkName(section, name, checker)] = result;
  }
  checkNames(section, known, given, path, checker);

  for (const broken of complete ? [section.rule?.(checked) ?? []].flat() : []) {
    const at = [...path, ...broken.at.map((part) => (typeof part === "string" ? written(part, checker) : part))];
    const message = broken.message.replace(/\{(\w+)\}/g, (_, name: string) => written(name, checker));
    checker.issue(at, `${pathText(at)}: ${message}`);
  }
  return complete ? checked : WRONG;
}

/** Reports names that the schema does not have. */
function checkNames(
  section: Section,
  known: ReadonlyMap<string, Option>,
  given: Readonly<Record<string, unknown>>,
  path: OptionPath,
  checker: Checker,
): void {
  for (const name of Object.keys(given)) {
    const option = known.get(name);
    if (option?.kind === "section" && section.status === "later" && isObject(given[name]))
      checkNames(option, knownNames(option, checker), given[name], [...path, name], checker);
    if (option !== undefined || (checker.style === "sdk" && given[name] === undefined)) continue;
    const nearest = nearestName(name, [...known.keys()]);
    const remedy =
      nearest === undefined ? `known: ${[...known.keys()].join(", ")}` : `did you mean ${JSON.stringify(nearest)}?`;
    checker.issue(
      [...path, name],
      `Unknown ${checker.style === "file" ? "key" : "option"} ${pathText([...path, name])}: ${remedy}`,
      "key",
    );
  }
}

function checkList(list: List, value: unknown, path: OptionPath, checker: Checker): unknown {
  const item = optionOf(list.item);
  if (!Array.isArray(value))
    return wrong(path, `a list, each entry ${expectation(item)}`, value, checker, { hide: item.kind !== "leaf" });
  const checked = value.map((entry, index) => check(item, entry, [...path, index], checker));
  return checked.includes(WRONG) ? WRONG : checked.filter((item) => item !== undefined);
}

function checkNamed(named: Names, value: unknown, path: OptionPath, checker: Checker): unknown {
  const item = optionOf(named.item);
  if (!isObject(value)) return wrong(path, `for each ${named.of} ${expectation(item)}`, value, checker, { hide: true });
  const entries = Object.entries(value).map(
    ([name, entry]) => [name, check(item, entry, [...path, name], checker)] as const,
  );
  return entries.some(([, item]) => item === WRONG) ? WRONG : Object.fromEntries(entries);
}

function checkLeaf(leaf: Leaf, value: unknown, path: OptionPath, checker: Checker): unknown {
  if (leaf.secret && checker.secret) return checker.secret(path, value) ?? WRONG;
  for (const reading of readings(leaf, value, checker.written?.(path))) {
    const result = v.safeParse(leaf.schema, reading);
    if (!result.success) continue;
    if (leaf.secret && typeof result.output === "string") checker.secretGiven?.(result.output);
    return result.output;
  }
  return wrong(path, leaf.expected, value, checker, { hide: leaf.secret === true, choices: choicesOf(leaf) });
}

/**
 * Returns the possible values of a scalar: ids keep the digits that were written, and an expanded `${…}` may be a
 * number or a boolean.
 */
function readings(leaf: Leaf, value: unknown, written: Written | undefined): readonly unknown[] {
  if (leaf.id && typeof value === "number" && written !== undefined && /^-?\d+$/.test(written.source))
    return [written.source];
  if (written?.expanded !== true || typeof value !== "string") return [value];
  if (value === "true" || value === "false") return [value, value === "true"];
  return value.trim() !== "" && Number.isFinite(Number(value)) ? [value, Number(value)] : [value];
}

function wrong(
  path: OptionPath,
  expected: string,
  value: unknown,
  checker: Checker,
  options: { readonly hide?: boolean; readonly choices?: readonly string[] } = {},
): typeof WRONG {
  const source = checker.written?.(path);
  const got = options.hide
    ? kindOf(value)
    : source?.expanded
      ? `${JSON.stringify(source.source)}, whose value does not fit`
      : shown(value);
  const near = typeof value === "string" && options.choices ? nearestName(value, options.choices) : undefined;
  const quoted =
    typeof value === "number" && expected.includes("text") && checker.style === "file" ? " (put it in quotes)" : "";
  const hint = near === undefined || near === value ? quoted : ` (did you mean ${JSON.stringify(near)}?)`;
  const where = path.length === 0 ? "" : `${pathText(path)}: `;
  checker.issue(path, `${where}expected ${expected}, got ${got}${hint}`);
  return WRONG;
}

/** Completes "expected …". */
function expectation(option: Option): string {
  if (option.kind === "leaf") return option.expected;
  if (option.kind === "section") return option.expected ?? "a group of options";
  return option.kind === "list" ? "a list" : `a group of options, one for each ${option.of}`;
}

function knownNames(section: Section, checker: Checker): ReadonlyMap<string, Option> {
  const all = Object.entries(section.keys).map(([name, schema]) => [written(name, checker), optionOf(schema)] as const);
  return new Map(all.filter(([, option]) => option.only === undefined || option.only === checker.style));
}

function written(name: string, checker: Checker): string {
  return checker.style === "file" ? snakeCase(name) : name;
}

function sdkName(section: Section, name: string, checker: Checker): string {
  if (checker.style === "sdk") return name;
  return Object.keys(section.keys).find((key) => snakeCase(key) === name) ?? name;
}

/** Returns a path as text, such as `agents[0].max_steps`. */
export function pathText(path: OptionPath): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortened(value, 60));
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  return kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a group of options";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
