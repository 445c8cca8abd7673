import * as v from "valibot";
import { hostNameOf, parseNetwork } from "../guard/index.ts";

/** `later`: known, accepted with one warning, without effect. `refused`: an error, because being without effect would be a lie about safety. */
export type Status = "now" | "later" | "refused";

/** What every entry of the table of options says about itself. */
export interface Facts {
  /** One line for the sample and docs/config.md. */
  readonly what: string;
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
}

/** One value. `expected` completes the sentence "expected …". */
export interface Leaf extends Facts {
  readonly kind: "leaf";
  readonly schema: v.GenericSchema;
  readonly expected: string;
  readonly default?: string | number | boolean;
  /** Shown in the sample when there is no default. */
  readonly example?: string | number | boolean;
  /** The file may say `{ env: NAME }` or `{ file: path }`; the value is never shown. */
  readonly secret?: boolean;
  /** An id of a platform: a number in the file is taken as the text that was written, so that long ids keep their digits. */
  readonly id?: boolean;
}

/** A group of named options. */
export interface Section extends Facts {
  readonly kind: "section";
  /** By their name in code. */
  readonly keys: Readonly<Record<string, Option>>;
  /** The file may give a list of these instead of one; checked values are always a list. */
  readonly several?: boolean;
  /** Completes "expected …". Default `a group of options`. */
  readonly expected?: string;
  /** What no key can say alone. @returns What is wrong, if anything; `{name}` in the message becomes the name as the reader writes it. */
  readonly rule?: (value: Readonly<Record<string, unknown>>) => RuleBroken | undefined;
}

export interface RuleBroken {
  /** Where, from the section on. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** Any number of the same. */
export interface List extends Facts {
  readonly kind: "list";
  readonly item: Option;
}

/** Names chosen by whoever writes the file, each with the same kind of value. */
export interface Names extends Facts {
  readonly kind: "names";
  readonly item: Option;
  /** What the names are, as `user`. */
  readonly of: string;
}

export type Option = Leaf | Section | List | Names;

type LeafFacts = Facts & Pick<Leaf, "default" | "example">;

export function text(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.string(), v.minLength(1)), "text", facts);
}

/** Text that may be empty. */
export function anyText(facts: LeafFacts): Leaf {
  return leaf(v.string(), "text", facts);
}

export function id(facts: LeafFacts): Leaf {
  return { ...leaf(v.pipe(v.string(), v.trim(), v.minLength(1)), "an id as text", facts), id: true };
}

/** `channel:id`, the way a person is named everywhere. */
export function user(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.string(), v.regex(/^[^:\s]+:\S+$/)), 'a user as "channel:id", for example "telegram:42"', facts);
}

/** `example` is the name of an environment variable. */
export function secret(facts: Facts & Required<Pick<Leaf, "example">>): Leaf {
  const expected = "a secret: { env: NAME }, { file: path } or text";
  return { ...leaf(v.pipe(v.string(), v.minLength(1)), expected, facts), secret: true };
}

export function flag(facts: LeafFacts): Leaf {
  return leaf(v.boolean(), "true or false", facts);
}

export function whole(min: number, facts: LeafFacts & { readonly max?: number }): Leaf {
  const { max = Number.MAX_SAFE_INTEGER, ...rest } = facts;
  const expected =
    facts.max === undefined ? `a whole number of ${min} or more` : `a whole number from ${min} to ${max}`;
  return leaf(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), expected, rest);
}

/** A part of something: above 0 and at most 1. */
export function share(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), "a number above 0 and at most 1", facts);
}

/** A sum of money, or another number that need not be whole. */
export function amount(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.number(), v.finite(), v.minValue(0)), "a number of 0 or more", facts);
}

export function choice(values: readonly string[], facts: LeafFacts): Leaf {
  const quoted = values.map((value) => `"${value}"`);
  const last = quoted.pop() ?? "";
  return leaf(v.picklist(values), quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`, facts);
}

export function webAddress(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.string(), v.url(), v.regex(/^https?:/i)), "an http:// or https:// address", facts);
}

export function address(protocols: readonly string[], facts: LeafFacts): Leaf {
  const pattern = new RegExp(`^(${protocols.join("|")}):`, "i");
  const expected = `an address that starts with ${protocols.map((name) => `${name}://`).join(" or ")}`;
  return leaf(v.pipe(v.string(), v.url(), v.regex(pattern)), expected, facts);
}

/** An address or a network of addresses. */
export function network(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.string(), v.check(isNetwork)), "an address or a network, for example 10.0.0.0/8", facts);
}

/** The name of a host, an IP address included. */
export function hostName(facts: LeafFacts): Leaf {
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

export function timezone(facts: LeafFacts): Leaf {
  return leaf(v.pipe(v.string(), v.check(isTimezone)), 'a time zone such as "Europe/Stockholm" or "UTC"', facts);
}

/** Is this a zone that the runtime knows? */
export function isTimezone(zone: string): boolean {
  try {
    return zone !== "" && Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** What is checked elsewhere: an object made by code, or an option of a room that does not exist yet. */
export function anything(facts: Facts): Leaf {
  return leaf(v.unknown(), "any value", facts);
}

function leaf(schema: v.GenericSchema, expected: string, facts: Facts): Leaf {
  return { kind: "leaf", schema, expected, ...facts };
}

export function section(keys: Readonly<Record<string, Option>>, facts: Omit<Section, "kind" | "keys">): Section {
  return { kind: "section", keys, ...facts };
}

export function list(item: Option, facts: Facts): List {
  return { kind: "list", item, ...facts };
}

export function names(of: string, item: Option, facts: Facts): Names {
  return { kind: "names", of, item, ...facts };
}

/** A section of a room that does not exist yet: its names are checked, its values are not. */
export function later(keys: readonly string[], facts: Facts): Section {
  const known = Object.fromEntries(keys.map((name) => [name, anything({ what: "" })]));
  return { kind: "section", keys: known, status: "later", ...facts };
}
