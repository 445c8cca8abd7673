import { type SecretFinder, createSecretFinder } from "./secret-spans.ts";

/**
 * Removes secrets from data for logs, audit lines, errors and callers: in strings, lists and objects at any depth,
 * including keys. Any string under a name such as `password` or `token` is removed too. Never changes its argument.
 */
export interface Redactor {
  <T>(value: T): T;
  /** Exists only for the type: a redactor for logs cannot be used for models. */
  readonly audience?: "log";
}

/**
 * As `Redactor`, for text that models read and write. Names are not considered, because a `next_page_token` is no
 * secret.
 */
export interface ModelRedactor {
  <T>(value: T): T;
  /** Exists only for the type: a redactor for models cannot be used for logs. */
  readonly audience?: "model";
}

/** Text that replaces a secret. */
const REDACTED = "[redacted]";

const DEEPEST = 100;

/** A string under such a name is always a secret. */
const SECRET_NAME = /(?:^|[_-])(?:password|passwd|secret|token|authorization|cookie|api[_-]?key|private[_-]?key)$/i;
const SECRET_CAMEL_NAME = /(?:Password|Secret|Token|ApiKey|PrivateKey)$/;

/**
 * Creates a redactor for logs. It finds the configured secrets, also encoded and broken over lines, and texts that
 * look like a key of a known service. Takes time proportional to the text.
 *
 * Source: docs/redaction.md.
 *
 * @param secretValues The configured secrets. Secrets of fewer than 6 characters are ignored, because they would
 * match everywhere.
 */
export function createRedactor(secretValues: Iterable<string> = []): Redactor {
  return redactorOf(secretValues, true);
}

/** As `createRedactor`, but names are not considered. Source: docs/redaction.md. */
export function createModelRedactor(secretValues: Iterable<string> = []): ModelRedactor {
  return redactorOf(secretValues, false);
}

function redactorOf(secretValues: Iterable<string>, byName: boolean): <T>(value: T) => T {
  const finder = createSecretFinder(secretValues);

  function redactAny(value: unknown, above: readonly object[]): unknown {
    if (typeof value === "string") return redactText(finder, value);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
    if (above.includes(value)) return "[circular]";
    if (above.length > DEEPEST) return "[too deep]";
    const path = [...above, value];
    if (Array.isArray(value)) {
      const items = value.map((item) => redactAny(item, path));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    return redactObject(value, path);
  }

  function redactObject(value: object, path: readonly object[]): unknown {
    let changed = value instanceof Error;
    const entries = entriesOf(value).map(([name, item]): [string, unknown] => {
      const secret = byName && typeof item === "string" && item !== "" && isSecretName(name);
      const entry: [string, unknown] = [redactText(finder, name), secret ? REDACTED : redactAny(item, path)];
      changed ||= entry[0] !== name || entry[1] !== item;
      return entry;
    });
    // Unlike an assignment, `fromEntries` also makes a plain property of "__proto__".
    return changed ? Object.fromEntries(entries) : value;
  }

  // A redacted value has the shape of the original, except for values that JSON does not have.
  return <T>(value: T): T => redactAny(value, []) as T;
}

/** Redacts a text that arrives in pieces. */
export interface StreamRedactor {
  /**
   * @returns The text that can be shown so far. A tail that may be the beginning of a secret waits for the next
   * piece.
   */
  push(piece: string): string;
  /** @returns The rest. */
  end(): string;
}

/** Characters of shown text that are searched again, because a key is recognized by the text before it. */
const LOOK_BACK = 512;
/** Maximum characters of a key that wait for its end; a longer key is replaced before it ends. */
const MAX_WAIT = 16_384;

/** As `createRedactor`, for a text whose pieces may cut a secret in two. Create one for each text. */
export function createStreamRedactor(secretValues: Iterable<string> = []): StreamRedactor {
  const finder = createSecretFinder(secretValues);
  let text = "";
  let shown = 0;
  /** Whether the last shown characters replace a secret that may continue. */
  let insideSecret = false;

  function show(to: number, spans: ReturnType<SecretFinder["find"]>): string {
    let result = "";
    let at = shown;
    for (const span of spans) {
      if (span.to <= at || span.from >= to) continue;
      if (!(insideSecret && span.from < at)) result += text.slice(at, Math.max(at, span.from)) + REDACTED;
      insideSecret = false;
      at = span.to;
    }
    result += text.slice(at, Math.max(at, to));
    if (result !== "" || at > shown) insideSecret = at > shown && at >= to;
    shown = Math.max(at, to);
    const forgotten = Math.max(0, shown - LOOK_BACK);
    text = text.slice(forgotten);
    shown -= forgotten;
    return result;
  }

  return {
    push(piece) {
      text += piece;
      const spans = finder.find(text);
      const last = spans.at(-1);
      let to = Math.max(shown, finder.openFrom(text));
      if (last && last.to >= to && text.length - last.from < MAX_WAIT) to = Math.max(shown, Math.min(to, last.from));
      return show(to, spans);
    },
    end: () => show(text.length, finder.find(text)),
  };
}

function redactText(finder: SecretFinder, text: string): string {
  const spans = finder.find(text);
  if (spans.length === 0) return text;
  let result = "";
  let at = 0;
  for (const { from, to } of spans) {
    result += text.slice(at, from) + REDACTED;
    at = to;
  }
  return result + text.slice(at);
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_CAMEL_NAME.test(name);
}

function entriesOf(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return Object.entries(value);
  const { name, message, stack, cause } = value;
  const own = Object.entries(value).filter(([key]) => key !== "name");
  return [
    ["name", name],
    ["message", message],
    ...own,
    ["stack", stack],
    ...(cause === undefined ? [] : [["cause", cause] as [string, unknown]]),
    ...(value instanceof AggregateError ? [["errors", value.errors] as [string, unknown]] : []),
  ];
}
