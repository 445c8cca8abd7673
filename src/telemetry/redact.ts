import { type SecretFinder, createSecretFinder } from "./secret-spans.ts";

/**
 * Takes secrets out of what logs, audit lines, errors and callers get: strings, lists and objects at any depth, keys too. Any text under a name such as
 * `password` or `token` goes too. Never changes what it is given.
 */
export interface Redactor {
  <T>(value: T): T;
  /** Only for the type: a redactor for logs is none for models. */
  readonly audience?: "log";
}

/** As `Redactor`, for what models read and write: names decide nothing there, as a `next_page_token` is no secret. */
export interface ModelRedactor {
  <T>(value: T): T;
  /** Only for the type: a redactor for models is none for logs. */
  readonly audience?: "model";
}

/** What stands in a secret's place. */
const REDACTED = "[redacted]";

const DEEPEST = 100;

/** A text under such a name is a secret whatever it looks like. */
const SECRET_NAME = /(?:^|[_-])(?:password|passwd|secret|token|authorization|cookie|api[_-]?key|private[_-]?key)$/i;
const SECRET_CAMEL_NAME = /(?:Password|Secret|Token|ApiKey|PrivateKey)$/;

/**
 * Finds the configured secrets, also encoded and broken over lines, and what looks like a key of a known service. Takes time in proportion to the text.
 *
 * Source: docs/redaction.md.
 *
 * @param secretValues The configured secrets. One of under 6 characters is not looked for: it would be found everywhere.
 */
export function createRedactor(secretValues: Iterable<string> = []): Redactor {
  return redactorOf(secretValues, true);
}

/** As `createRedactor`, without looking at names. Source: docs/redaction.md. */
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
    // Unlike an assignment, this makes a plain property also of "__proto__".
    return changed ? Object.fromEntries(entries) : value;
  }

  // A redacted value has the shape of what it was made from, but for what is no JSON.
  return <T>(value: T): T => redactAny(value, []) as T;
}

/** Redacts a text that comes in pieces. */
export interface StreamRedactor {
  /** @returns What can be shown so far: the end of a text that may be the beginning of a secret waits for the next piece. */
  push(piece: string): string;
  /** @returns The rest. */
  end(): string;
}

/** What is looked at again of what was shown already, so that a key is known by what stands before it. */
const LOOK_BACK = 512;
/** A key that goes on for longer is replaced while it still goes on. */
const MAX_WAIT = 16_384;

/** As `createRedactor`, for a text whose pieces may cut a secret in two. One for each text. */
export function createStreamRedactor(secretValues: Iterable<string> = []): StreamRedactor {
  const finder = createSecretFinder(secretValues);
  let text = "";
  let shown = 0;
  /** The last that was shown stands for a secret, which may still go on. */
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
