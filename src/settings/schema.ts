import * as v from "valibot";
import { isTimezone } from "../calendar.ts";
import { hostNameOf, parseNetwork } from "../guard/index.ts";

// Functions that describe options: valibot schemas with the texts for people as metadata. The schema of the options
// is in src/config, that of the policy file in src/policy.

/** A valibot schema made by one of the functions below. */
export type Schema = v.GenericSchema;
export type Schemas = Readonly<Record<string, Schema>>;

/**
 * `later`: accepted with one warning, without effect. `refused`: an error, because an option without effect would be
 * a lie about safety.
 */
export type Status = "now" | "later" | "refused";

/** The metadata of every option. */
export interface Facts {
  /** One line for hover, for the sample and for docs/config.md. In valibot's terms the description. */
  readonly what: string;
  /** Further sentences for hover: what applies to code only, and the page of docs/ that explains the option. */
  readonly inCode?: string;
  /** Status in this version. Default `now`. */
  readonly status?: Status;
  /**
   * Where the option exists. Default: in both. An option that cannot be data (a store, a model) has another name or
   * shape in the file.
   */
  readonly only?: "file" | "sdk";
  /** Whether it must be given. */
  readonly required?: boolean;
  /** `false` for options that the sample shows elsewhere. */
  readonly inSample?: false;
  /** For an option that is not in this version: what applies instead. */
  readonly instead?: string;
  /**
   * File (below src) and name of the generated type, such as `session/options.ts#SessionOptions`. Default: the type
   * is written in place.
   */
  readonly type?: string;
  /** The same for the file, if it has other keys than code. */
  readonly fileType?: string;
}

export interface ValueFacts extends Facts {
  /** Value if the option is left out; a constant of the room that uses it. */
  readonly default?: string | number | boolean;
  /** Value in the sample if there is no default. */
  readonly example?: string | number | boolean;
}

/** One value. */
export interface Leaf extends ValueFacts {
  readonly kind: "leaf";
  readonly schema: Schema;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Whether the file may contain `{ env: NAME }` or `{ file: path }`; the value is never shown. */
  readonly secret?: boolean;
  /**
   * Whether it is an id of a platform: a number in the file is read as its source text, so that long ids keep their
   * digits.
   */
  readonly id?: boolean;
  /** For an object or function made by code: its type. */
  readonly code?: CodeType;
  /** For an object made by code: the functions that it must have. Empty: it is a function itself. */
  readonly can?: readonly string[];
}

/** The type of a value that cannot be data. */
export interface CodeType {
  /** Source of the type, such as `ModelObject | readonly ModelObject[]`. */
  readonly text: string;
  /** For each name in the type, the file below src that exports it. */
  readonly from: Readonly<Record<string, string>>;
}

/** A group of named options. */
export interface Section extends Facts {
  readonly kind: "section";
  /** Options by their name in code. */
  readonly keys: Schemas;
  /** Whether the file may give a list of these; checked values are always a list. */
  readonly several?: boolean;
  /** Completes "expected …". Default `a group of options`. */
  readonly expected?: string;
  /**
   * Checks conditions that involve several keys. @returns What is wrong, if anything; `{name}` in the message becomes
   * the name in the reader's style.
   */
  readonly rule?: (value: Readonly<Record<string, unknown>>) => RuleBroken | readonly RuleBroken[] | undefined;
  /** A section with a subset of these keys. The generated type extends its type. */
  readonly base?: Schema;
  /** A short form that code may give instead, which `readOptions` expands. */
  readonly short?: CodeType;
  /** For an existing type: the generated type makes every key optional. */
  readonly partial?: true;
  /**
   * Whether the section holds other names of options. `parseConfig` moves its values to their own names, so no type
   * has these.
   */
  readonly otherNames?: true;
  /**
   * Generated types of which a value has exactly one: each with the key that identifies it, and the keys that only it
   * has.
   */
  readonly variants?: readonly Variant[];
  /** Generated type of the keys that all variants have. */
  readonly common?: string;
}

export interface Variant {
  readonly type: string;
  readonly what: string;
  readonly key: string;
  readonly keys: readonly string[];
}

export interface RuleBroken {
  /** Path from the section to the wrong value. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** A list of values of one kind. */
export interface List extends Facts {
  readonly kind: "list";
  readonly item: Schema;
}

/** Values of one kind under names that the writer of the file chooses. */
export interface Names extends Facts {
  readonly kind: "names";
  readonly item: Schema;
  /** Kind of the names, such as `user`. */
  readonly of: string;
}

/** An option as read from a schema: the structure that valibot keeps, and the metadata. */
export type Option = Leaf | Section | List | Names;

/** Cache of `optionOf`, because each check of options reads all of them. */
const known = new WeakMap<Schema, Option>();

/**
 * Reads a schema. The check, the JSON Schema, the sample, the reference and the generated types all read options
 * through this function.
 */
export function optionOf(schema: Schema): Option {
  const option = known.get(schema) ?? readSchema(schema);
  known.set(schema, option);
  return option;
}

function readSchema(schema: Schema): Option {
  const facts = {
    what: v.getDescription(schema) ?? "",
    ...v.getMetadata(schema),
  } as unknown as Omit<Leaf, "kind" | "schema"> & Omit<Section, "kind" | "keys"> & Omit<Names, "kind" | "item">; // written by the functions below
  const of = schema as Partial<Structure>;
  if (facts.several && of.options) return { ...(optionOf(of.options[0] as Schema) as Section), ...facts };
  if (of.entries) return { ...facts, kind: "section", keys: mapValues(of.entries, (entry) => entry.wrapped ?? entry) };
  if (schema.type === "array") return { ...facts, kind: "list", item: of.item as Schema };
  if (schema.type === "record") return { ...facts, kind: "names", item: of.value as Schema };
  return { ...facts, kind: "leaf", schema };
}

/** Members of valibot's schemas that contain other schemas. */
interface Structure {
  readonly entries: Readonly<Record<string, Schema & { readonly wrapped?: Schema }>>;
  readonly item: Schema;
  readonly value: Schema;
  readonly options: readonly unknown[];
}

/** Returns the values of a choice; empty for other options. */
export function choicesOf({ schema }: Leaf): readonly string[] {
  const { options = [] } = schema as Partial<Structure>;
  return schema.type === "picklist" ? options.map(String) : [];
}

/** Returns the same option with other metadata. */
export function withFacts(
  schema: Schema,
  { what, ...facts }: Partial<ValueFacts & Pick<Section, "otherNames">>,
): Schema {
  return v.pipe(what === undefined ? schema : v.pipe(schema, v.description(what)), v.metadata({ ...facts }));
}

export function text(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.minLength(1)), "text", facts);
}

/** Text that may be empty. */
export function anyText(facts: ValueFacts): Schema {
  return leaf(v.string(), "text", facts);
}

/** Text that matches a pattern. */
export function textLike(pattern: RegExp, expected: string, facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.regex(pattern)), expected, facts);
}

export function id(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.trim(), v.minLength(1)), "an id as text", facts, { id: true });
}

const USER = 'a user as "channel:id", for example "telegram:42"';

/** `channel:id`, the form of users everywhere. */
export function user(facts: ValueFacts): Schema {
  return textLike(/^[^:\s]+:\S+$/, USER, facts);
}

/** A user, or `sdk`, the host program itself; `sdk:sdk` is not a user. */
export function userOrHost(facts: ValueFacts): Schema {
  return textLike(/^(?:sdk|(?!sdk:sdk$)[^:\s]+:\S+)$/, USER, facts);
}

/** A user, or one of the two without an account: `cli`, the person at the terminal and the page, and `sdk`. */
export function anyUser(facts: ValueFacts): Schema {
  return textLike(/^(?:cli|sdk|(?!(?:cli:cli|sdk:sdk)$)[^:\s]+:\S+)$/, `${USER}, or cli or sdk`, facts);
}

/** `example` is the name of an environment variable. */
export function secret(facts: Facts & Required<Pick<ValueFacts, "example">>): Schema {
  const expected = "a secret: { env: NAME }, { file: path } or text";
  return leaf(v.pipe(v.string(), v.minLength(1)), expected, facts, { secret: true });
}

export function flag(facts: ValueFacts): Schema {
  return leaf(v.boolean(), "true or false", facts);
}

/** Exactly one number, such as the version of a format. */
export function only(value: number, facts: ValueFacts): Schema {
  return leaf(v.literal(value), String(value), facts);
}

export function whole(min: number, facts: ValueFacts & { readonly max?: number }): Schema {
  const { max = Number.MAX_SAFE_INTEGER, ...rest } = facts;
  const expected =
    facts.max === undefined ? `a whole number of ${min} or more` : `a whole number from ${min} to ${max}`;
  return leaf(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), expected, rest);
}

/** A share: above 0 and at most 1. */
export function share(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), "a number above 0 and at most 1", facts);
}

/** A number in a range, both ends included. */
export function between(min: number, max: number, facts: ValueFacts): Schema {
  return leaf(v.pipe(v.number(), v.minValue(min), v.maxValue(max)), `a number from ${min} to ${max}`, facts);
}

/** A sum of money, or another number that need not be an integer. */
export function amount(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.number(), v.finite(), v.minValue(0)), "a number of 0 or more", facts);
}

export function choice(values: readonly string[], facts: ValueFacts): Schema {
  const quoted = values.map((value) => `"${value}"`);
  const last = quoted.pop() ?? "";
  return leaf(v.picklist(values), quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`, facts);
}

export function flagOrNames(of: string, facts: ValueFacts): Schema {
  return leaf(v.union([v.boolean(), v.array(v.string())]), `true, false or a list of ${of}`, facts);
}

export function webAddress(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.url(), v.regex(/^https?:/i)), "an http:// or https:// address", facts);
}

export function address(protocols: readonly string[], facts: ValueFacts): Schema {
  const pattern = new RegExp(`^(${protocols.join("|")}):`, "i");
  const expected = `an address that starts with ${protocols.map((name) => `${name}://`).join(" or ")}`;
  return leaf(v.pipe(v.string(), v.url(), v.regex(pattern)), expected, facts);
}

/** An address or a network. */
export function network(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.check(isNetwork)), "an address or a network, for example 10.0.0.0/8", facts);
}

/** A host name or an IP address. */
export function hostName(facts: ValueFacts): Schema {
  const isName = (text: string) => hostNameOf(text) !== undefined && !/:\d*$/.test(text.replace(/\[.*\]$/, ""));
  const expected = "a host name without https://, port or path, for example bot.example.com";
  return leaf(v.pipe(v.string(), v.check(isName)), expected, facts);
}

function isNetwork(text: string): boolean {
  try {
    return parseNetwork(text) !== undefined;
  } catch {
    return false;
  }
}

export function timezone(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.check(isTimezone)), 'a time zone such as "Europe/Stockholm" or "UTC"', facts);
}

/**
 * An object or a function, which exists only in code. Only `can` is checked, by `checkMadeByCode`.
 *
 * @param text Its type, such as `ModelObject | readonly ModelObject[]`.
 * @param from For each name in the type, the file below src that exports it.
 */
export function made(text: string, from: CodeType["from"], facts: Facts & Pick<Leaf, "can">): Schema {
  return leaf(v.unknown(), "any value", facts, { code: { text, from } });
}

/** An option of a room that does not exist yet. */
export function laterValue(facts: Facts): Schema {
  return leaf(v.unknown(), "any value", facts, { status: "later" });
}

/** A section of a room that does not exist yet: its names are checked, its values are not. */
export function later(keys: readonly string[], facts: Facts): Schema {
  const known = Object.fromEntries(keys.map((name) => [name, leaf(v.unknown(), "any value", { what: "" })]));
  return withFacts(section(known, facts), { status: "later" });
}

/** An option whose absence must not go unnoticed. */
export function refused(facts: Facts & Required<Pick<Facts, "instead">>): Schema {
  return leaf(v.unknown(), "any value", facts, { status: "refused" });
}

export function section(keys: Schemas, facts: Omit<Section, "kind" | "keys" | "several">): Schema {
  const entries = mapValues(keys, (key) => (v.getMetadata(key)["required"] === true ? key : v.optional(key)));
  return described(v.strictObject(entries), facts);
}

/** One section or a list of them; checked values are always a list. */
export function several(one: Schema, facts: Facts): Schema {
  return described(v.union([one, v.array(one)]), facts, { several: true });
}

export function list(item: Schema, facts: Facts): Schema {
  return described(v.array(item), facts);
}

export function names(of: string, item: Schema, facts: Facts): Schema {
  return described(v.record(v.string(), item), facts, { of });
}

function leaf(schema: Schema, expected: string, facts: ValueFacts, more: Partial<Leaf> = {}): Schema {
  return described(schema, { expected, ...facts }, more);
}

function described(
  schema: Schema,
  { what, ...facts }: Facts & Pick<Partial<Leaf>, "expected">,
  more: object = {},
): Schema {
  return v.pipe(schema, v.description(what), v.metadata({ ...facts, ...more }));
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
