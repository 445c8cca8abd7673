import * as v from "valibot";
import { isTimezone } from "../calendar.ts";
import { hostNameOf, parseNetwork } from "../guard/index.ts";

// The words in which options are described: valibot schemas that carry, as metadata, what people are told of them. The schema of the options is in src/config,
// that of the policy file in src/policy.

/** A valibot schema made by one of the functions below. */
export type Schema = v.GenericSchema;
export type Schemas = Readonly<Record<string, Schema>>;

/** `later`: known, accepted with one warning, without effect. `refused`: an error, because being without effect would be a lie about safety. */
export type Status = "now" | "later" | "refused";

/** The metadata of every option. */
export interface Facts {
  /** One line for hover, for the sample and for docs/config.md. In valibot's terms the description. */
  readonly what: string;
  /** More sentences for hover: what concerns code alone, and the page of docs/ that explains the option. */
  readonly inCode?: string;
  /** Default `now`. */
  readonly status?: Status;
  /** Where the option exists; both when left out. What cannot be data (a store, a model) has another name or shape in the file. */
  readonly only?: "file" | "sdk";
  /** Must be given. */
  readonly required?: boolean;
  /** `false` for what the sample shows elsewhere. */
  readonly inSample?: false;
  /** For an option that is not in this version: what is so instead. */
  readonly instead?: string;
  /** File (below src) and name of the generated type, as `session/options.ts#SessionOptions`. Without it the type is written in place. */
  readonly type?: string;
  /** The same for the file, where it has other keys than code. */
  readonly fileType?: string;
}

export interface ValueFacts extends Facts {
  /** What holds when the option is left out; a constant of the room that uses it. */
  readonly default?: string | number | boolean;
  /** Shown in the sample when there is no default. */
  readonly example?: string | number | boolean;
}

/** One value. */
export interface Leaf extends ValueFacts {
  readonly kind: "leaf";
  readonly schema: Schema;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** The file may say `{ env: NAME }` or `{ file: path }`; the value is never shown. */
  readonly secret?: boolean;
  /** An id of a platform: a number in the file is taken as the text that was written, so that long ids keep their digits. */
  readonly id?: boolean;
  /** Of what is made by code: its type, in the names of `from`. */
  readonly code?: CodeType;
  /** Of what is made by code: the functions that it must have. None: it is a function itself. */
  readonly can?: readonly string[];
}

/** The type of what cannot be data. */
export interface CodeType {
  /** As it is written, as `ModelObject | readonly ModelObject[]`. */
  readonly text: string;
  /** The file below src that each of its names comes from. */
  readonly from: Readonly<Record<string, string>>;
}

/** A group of named options. */
export interface Section extends Facts {
  readonly kind: "section";
  /** By their name in code. */
  readonly keys: Schemas;
  /** The file may give a list of these instead of one; checked values are always a list. */
  readonly several?: boolean;
  /** Completes "expected …". Default `a group of options`. */
  readonly expected?: string;
  /** What no key can say alone. @returns What is wrong, if anything; `{name}` in the message becomes the name as the reader writes it. */
  readonly rule?: (value: Readonly<Record<string, unknown>>) => RuleBroken | readonly RuleBroken[] | undefined;
  /** The generated type extends the type of this section, whose keys are among these. */
  readonly base?: Schema;
  /** Another type that code may give in its place, which `readOptions` writes out. */
  readonly short?: CodeType;
  /** Of a type that exists already: the same with every key optional. */
  readonly partial?: true;
  /** Other names of options that stand elsewhere: `parseConfig` gives what is under it the names that it has there, so that no type has these. */
  readonly otherNames?: true;
  /** Generated types of which a value has exactly one: each with the key that tells it apart, and the keys that it alone takes. */
  readonly variants?: readonly Variant[];
  /** The generated type of the keys that all variants take. */
  readonly common?: string;
}

export interface Variant {
  readonly type: string;
  readonly what: string;
  readonly key: string;
  readonly keys: readonly string[];
}

export interface RuleBroken {
  /** Where, from the section on. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** Any number of the same. */
export interface List extends Facts {
  readonly kind: "list";
  readonly item: Schema;
}

/** Names chosen by the writer of the file, each with the same kind of value. */
export interface Names extends Facts {
  readonly kind: "names";
  readonly item: Schema;
  /** What the names are, as `user`. */
  readonly of: string;
}

/** A schema as its readers see it: the structure that valibot keeps, and the metadata. */
export type Option = Leaf | Section | List | Names;

/** What `optionOf` found, since each check of options asks for all of them. */
const known = new WeakMap<Schema, Option>();

/** Reads a schema: the check, the JSON Schema, the sample, the reference and the generated types all look at options through this. */
export function optionOf(schema: Schema): Option {
  const option = known.get(schema) ?? readSchema(schema);
  known.set(schema, option);
  return option;
}

function readSchema(schema: Schema): Option {
  const facts = {
    what: v.getDescription(schema) ?? "",
    ...v.getMetadata(schema),
  } as unknown as Omit<Leaf, "kind" | "schema"> & Omit<Section, "kind" | "keys"> & Omit<Names, "kind" | "item">; // the functions below wrote it
  const of = schema as Partial<Structure>;
  if (facts.several && of.options) return { ...(optionOf(of.options[0] as Schema) as Section), ...facts };
  if (of.entries) return { ...facts, kind: "section", keys: mapValues(of.entries, (entry) => entry.wrapped ?? entry) };
  if (schema.type === "array") return { ...facts, kind: "list", item: of.item as Schema };
  if (schema.type === "record") return { ...facts, kind: "names", item: of.value as Schema };
  return { ...facts, kind: "leaf", schema };
}

/** The members of valibot's schemas that hold other schemas. */
interface Structure {
  readonly entries: Readonly<Record<string, Schema & { readonly wrapped?: Schema }>>;
  readonly item: Schema;
  readonly value: Schema;
  readonly options: readonly unknown[];
}

/** The values that a choice has; none for other options. */
export function choicesOf({ schema }: Leaf): readonly string[] {
  const { options = [] } = schema as Partial<Structure>;
  return schema.type === "picklist" ? options.map(String) : [];
}

/** The same option, with other metadata. */
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

/** Text of a form of its own. */
export function textLike(pattern: RegExp, expected: string, facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.regex(pattern)), expected, facts);
}

export function id(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.trim(), v.minLength(1)), "an id as text", facts, { id: true });
}

const USER = 'a user as "channel:id", for example "telegram:42"';

/** `channel:id`, the way a person is named everywhere. */
export function user(facts: ValueFacts): Schema {
  return textLike(/^[^:\s]+:\S+$/, USER, facts);
}

/** A user, or `sdk`, the host program itself; `sdk:sdk` would be no one. */
export function userOrHost(facts: ValueFacts): Schema {
  return textLike(/^(?:sdk|(?!sdk:sdk$)[^:\s]+:\S+)$/, USER, facts);
}

/** A user, or one of the two who have no account: `cli`, the person at the terminal and the page, and `sdk`. */
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

/** One number and no other, as the version of a format. */
export function only(value: number, facts: ValueFacts): Schema {
  return leaf(v.literal(value), String(value), facts);
}

export function whole(min: number, facts: ValueFacts & { readonly max?: number }): Schema {
  const { max = Number.MAX_SAFE_INTEGER, ...rest } = facts;
  const expected =
    facts.max === undefined ? `a whole number of ${min} or more` : `a whole number from ${min} to ${max}`;
  return leaf(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), expected, rest);
}

/** A part of something: above 0 and at most 1. */
export function share(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), "a number above 0 and at most 1", facts);
}

/** A number from one to another, both included. */
export function between(min: number, max: number, facts: ValueFacts): Schema {
  return leaf(v.pipe(v.number(), v.minValue(min), v.maxValue(max)), `a number from ${min} to ${max}`, facts);
}

/** A sum of money, or another number that need not be whole. */
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

/** An address or a network of addresses. */
export function network(facts: ValueFacts): Schema {
  return leaf(v.pipe(v.string(), v.check(isNetwork)), "an address or a network, for example 10.0.0.0/8", facts);
}

/** The name of a host, an IP address included. */
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
 * An object or a function: exists in code alone. Of its shape only `can` is checked, by `checkMadeByCode`.
 *
 * @param text Its type, as `ModelObject | readonly ModelObject[]`.
 * @param from The file below src that each name of the type comes from.
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

/** An option whose absence must not pass unnoticed. */
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
