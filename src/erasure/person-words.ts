import { type Words, replacing } from "../erasable/index.ts";
import { sessionKeyPart } from "../session/index.ts";

/**
 * A bare id that is shorter, or has no digit and no `@`, could be any number or word: a person's id may be `owner`,
 * `agent` or `telegram`.
 */
const MIN_BARE_ID = 5;
const TELLING_ID = /[\d@]/;
/**
 * Words for the ids of a person: alone, in session keys, and escaped in other keys.
 *
 * @param shared Bare ids that another person has on another channel, in lower case: alone they are ambiguous.
 * @param keepsCapitals Channels whose ids differ by letter case. Default none.
 */
export function wordsOf(
  ids: Iterable<string>,
  shared: ReadonlySet<string> = new Set(),
  keepsCapitals: KeepsCapitals = () => false,
): Words {
  const folded = new Set<string>();
  const exact = new Set<string>();
  for (const id of ids) {
    const { channel, rest } = idParts(id);
    // `sdk` and `@owner` also occur in data of others.
    if (rest === "") continue;
    const isExact = channel !== "" && keepsCapitals(channel);
    const words = isExact ? exact : folded;
    const forms = channel === "" ? [id] : [id, `${channel}:direct:${rest}`, `${channel}=${rest}`];
    if (isExact) forms.push(conversationOf(channel, rest));
    if (channel !== "" && rest.length >= MIN_BARE_ID && TELLING_ID.test(rest) && !shared.has(rest.toLowerCase()))
      forms.push(rest);
    for (const form of forms) for (const word of [form, escaped(form), inUri(form)]) words.add(word);
  }
  const whole = (source: string) => `${NO_ID_BEFORE}(?:${source})${NO_ID_BEHIND}`;
  const [some, others] = [replacing([...folded], whole), replacing([...exact], whole, { isExact: true })];
  return {
    isNamed: (text) => some.isNamed(text) || others.isNamed(text),
    scrub: (value) => others.scrub(some.scrub(value)),
  };
}

type KeepsCapitals = (channel: string) => boolean;

/** End of the key of a person's own conversation on a channel where capitals count. */
function conversationOf(channel: string, rest: string): string {
  const [before, behind] = [channel, rest].map((part) => sessionKeyPart(part, { caseSensitive: true }));
  return `${before}:direct:${behind}`;
}

/**
 * Characters that make an id part of a longer one: `bob-8002` is not `bob`, nor `ann@x.com.au` `ann@x.com`, nor the
 * group -12345 the person 12345.
 */
const NO_ID_BEFORE = String.raw`(?<![\p{L}\p{N}_]|[\p{L}\p{N}_][.+]|-)`;
const NO_ID_BEHIND = String.raw`(?![\p{L}\p{N}_]|[.@+-][\p{L}\p{N}_])`;

/**
 * Returns a function that tells whether a segment of a store's key is the person: an id, the name of a file, or a
 * conversation of theirs alone.
 */
export function keyPartsOf(
  ids: Iterable<string>,
  keepsCapitals: KeepsCapitals = () => false,
): (segment: string, before: readonly string[]) => boolean {
  const given = [...ids];
  const isExact = (id: string) => {
    const { channel } = idParts(id);
    return channel !== "" && keepsCapitals(channel);
  };
  const exact = exactPartsOf(given.filter(isExact));
  const folded = foldedPartsOf(given.filter((id) => !isExact(id)));
  return (segment, before) => exact(segment, before) || folded(segment, before);
}

/** As `keyPartsOf`, for ids that differ by letter case. */
function exactPartsOf(ids: readonly string[]): (segment: string, before: readonly string[]) => boolean {
  const whole = new Set(ids.flatMap((id) => [id, escaped(id), inUri(id)]));
  const conversations = ids.map((id) => {
    const { channel, rest } = idParts(id);
    return `:${conversationOf(channel, rest)}`;
  });
  const places = ids.map(idParts);
  return (segment, before) => {
    const bare = segment.replace(/\.(?:jsonl?|md)$/, "");
    if (whole.has(segment) || whole.has(bare)) return true;
    if (bare.startsWith("agent:")) return conversations.some((end) => bare.endsWith(end));
    return places.some(({ channel, rest }) => before.includes(channel) && (bare === rest || bare === escaped(rest)));
  };
}

function foldedPartsOf(ids: readonly string[]): (segment: string, before: readonly string[]) => boolean {
  const whole = new Set<string>();
  const places = new Map<string, Set<string>>();
  const conversations: string[] = [];
  for (const id of ids) {
    const { channel, rest } = idParts(id.toLowerCase());
    if (rest === "") continue;
    const forms = [id.toLowerCase(), ...(channel === "" ? [] : [`${channel}=${rest}`])];
    for (const form of forms) for (const word of [form, escaped(form), inUri(form)]) whole.add(word);
    for (const part of channel === "" ? [`@${rest}`, `@${escaped(rest)}`] : [rest, escaped(rest)])
      conversations.push(channel === "" ? `:direct:${part}` : `${channel}:direct:${part}`);
    if (channel !== "") places.set(channel, (places.get(channel) ?? new Set()).add(rest).add(escaped(rest)));
  }
  return (segment, before) => {
    const name = segment.toLowerCase();
    const bare = name.replace(/\.(?:jsonl?|md)$/, "");
    if (whole.has(name) || whole.has(bare)) return true;
    // The same person on another account of the channel.
    const [, channel = "", rest = ""] = /^([^:@]+)@[^:]*:(.+)$/s.exec(bare) ?? [];
    if (places.get(channel)?.has(rest) === true) return true;
    if (bare.startsWith("agent:"))
      return conversations.some((end) => bare.endsWith(end.startsWith(":") ? end : `:${end}`));
    return before.some((place) => places.get(place.toLowerCase())?.has(bare) === true);
  };
}

/** Splits `telegram:42` or `@name`. `rest` is empty when the id names no person. */
function idParts(id: string): { readonly channel: string; readonly rest: string } {
  if (id === "@owner") return { channel: "", rest: "" };
  const [, name = ""] = /^@(.+)$/s.exec(id) ?? [];
  if (name !== "") return { channel: "", rest: name };
  const [, channel = "", rest = ""] = /^([^:]+):(.+)$/s.exec(id) ?? [];
  return { channel, rest };
}

/** Escapes a part like `storeKey`, `sessionKeyPart` and outboxes. */
function escaped(id: string): string {
  return id.replace(/[%:/@]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** Lone surrogates are replaced, since they cannot be encoded. */
function inUri(id: string): string {
  return encodeURIComponent(id.replace(/\p{Cs}/gu, "\ufffd"));
}
