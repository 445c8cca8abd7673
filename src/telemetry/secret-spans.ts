import { KEY_FORMATS, type KeyFormat } from "./key-formats.ts";
import { secretForms } from "./secret-forms.ts";
import { createTextScanner } from "./text-scanner.ts";

/** A range of a text, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface SecretFinder {
  /** Returns the ranges of secrets, from left to right, without overlaps. */
  find(text: string): readonly Span[];
  /** Returns where an incomplete secret may have started; the text's length if there is none. */
  openFrom(text: string): number;
}

/** Shorter secrets are ignored, because they would match in ordinary words. */
const MIN_SECRET = 6;
/** Shorter secrets are not searched for across line breaks, because letters of two lines could form them by chance. */
const MIN_OVER_LINES = 16;
const SCHEME = /^(?:Basic|Bearer|Token|ApiKey|Key)\s+/i;
const MAX_DIGITS_BEFORE = 17;
/** Longest tail of a text that may wait for the rest of a key. */
const MAX_OPEN = 400;
/** Maximum number of blanks between a key's beginning and the key: `-----BEGIN RSA PRIVATE KEY` has the most. */
const MAX_BLANKS = 4;

/**
 * Creates a finder. @param secretValues The configured secrets. Secrets of fewer than 6 characters are ignored,
 * because they would match everywhere.
 */
export function createSecretFinder(secretValues: Iterable<string> = []): SecretFinder {
  const forms = new Set<string>();
  for (const secret of secretValues) {
    // In the value of a header, the part after the scheme is the secret: a server may repeat it alone.
    for (const one of [secret, secret.trim(), secret.trim().replace(SCHEME, "")])
      if (one.length >= MIN_SECRET) for (const form of secretForms(one)) forms.add(form);
  }
  const exact = createTextScanner(forms);
  const overLines = createTextScanner(
    [...forms].map((form) => withoutBreaks(form).text).filter((form) => form.length >= MIN_OVER_LINES),
  );
  const { formats, anchors } = knownFormats();

  function findExact(text: string, spans: Span[]): void {
    exact.scan(text, (found, at) => {
      spans.push({ from: at, to: at + found.length });
      return at + found.length;
    });
    if (overLines.longest === 0 || !text.includes("\n")) return;
    const joined = withoutBreaks(text);
    overLines.scan(joined.text, (found, at) => {
      spans.push({ from: joined.placeOf(at), to: joined.placeOf(at + found.length - 1) + 1 });
      return at + found.length;
    });
  }

  function find(text: string): readonly Span[] {
    if (text.length < MIN_SECRET) return [];
    const spans: Span[] = [];
    findExact(text, spans);
    anchors.scan(text, (anchor, at) => {
      for (const format of formats.get(anchor) ?? []) {
        const span = matchAt(format, text, at);
        if (!span) continue;
        spans.push(span);
        return span.to;
      }
      return undefined;
    });
    return spans.length < 2 ? spans : merged(spans);
  }

  function openFrom(text: string): number {
    const tail = Math.max(0, text.length - MAX_OPEN);
    let open = text.length;
    anchors.scan(text.slice(tail), (anchor, at) => {
      const from = startOf(formats.get(anchor)?.[0], text, tail + at);
      if (from < open && mayGoOn(text, from)) open = from;
      return undefined;
    });
    for (const beginnings of [formats.keys(), forms])
      for (const whole of beginnings) open = Math.min(open, text.length - overlap(text, whole));
    return Math.min(open, startOf({ before: "digits" }, text, text.length));
  }

  return { find, openFrom };
}

interface Format extends KeyFormat {
  readonly sticky: RegExp;
}

let known: ReturnType<typeof compileFormats> | undefined;

/** Compiles the formats once per process. */
function knownFormats() {
  return (known ??= compileFormats());
}

function compileFormats() {
  const formats = new Map<string, Format[]>();
  for (const format of KEY_FORMATS.map(compile))
    for (const anchor of format.anchors) formats.set(anchor, [...(formats.get(anchor) ?? []), format]);
  return { formats, anchors: createTextScanner(formats.keys()) };
}

function compile(format: KeyFormat): Format {
  return { ...format, sticky: new RegExp(format.pattern, "dy") };
}

function matchAt(format: Format, text: string, at: number): Span | undefined {
  format.sticky.lastIndex = startOf(format, text, at);
  const found = format.sticky.exec(text);
  const [whole, secret] = found?.indices ?? [];
  const place = secret ?? whole;
  return place && { from: place[0], to: place[1] };
}

function startOf(format: Pick<KeyFormat, "before"> | undefined, text: string, at: number): number {
  if (typeof format?.before === "number") return Math.max(0, at - format.before);
  if (format?.before !== "digits") return at;
  let start = at;
  while (start > 0 && at - start < MAX_DIGITS_BEFORE && isDigit(text, start - 1)) start -= 1;
  return start;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether the text from here on contains only characters of keys, and few blanks. */
function mayGoOn(text: string, from: number): boolean {
  let blanks = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 126 || code < 32) return false;
    if (code === 32) blanks += 1;
  }
  return blanks <= MAX_BLANKS;
}

/** Returns how many characters at the end of `text` are a prefix of `whole`, without all of it. */
function overlap(text: string, whole: string): number {
  const last = text.at(-1) ?? "";
  for (let at = whole.length - 2; at >= 0; at -= 1) {
    at = last === "" ? -1 : whole.lastIndexOf(last, at);
    if (at !== -1 && text.endsWith(whole.slice(0, at + 1))) return at + 1;
  }
  return 0;
}

function merged(spans: Span[]): readonly Span[] {
  const result: { from: number; to: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

/**
 * Joins the lines of a text, without blanks at their ends and beginnings. `placeOf` maps an index to the original
 * text.
 */
function withoutBreaks(text: string): { readonly text: string; placeOf(index: number): number } {
  const pieces: string[] = [];
  const starts: { readonly joined: number; readonly original: number }[] = [{ joined: 0, original: 0 }];
  let from = 0;
  let length = 0;
  for (let line = text.indexOf("\n"); line !== -1; line = text.indexOf("\n", from)) {
    let end = line;
    while (end > from && isBlank(text, end - 1)) end -= 1;
    pieces.push(text.slice(from, end));
    length += end - from;
    from = line + 1;
    while (from < text.length && isBlank(text, from)) from += 1;
    starts.push({ joined: length, original: from });
  }
  pieces.push(text.slice(from));
  return {
    text: pieces.join(""),
    placeOf(index) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle]?.joined ?? 0) <= index) low = middle;
        else high = middle - 1;
      }
      const start = starts[low] ?? { joined: 0, original: 0 };
      return start.original + index - start.joined;
    },
  };
}

/** Whether the character is a blank or part of a line break. */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || code === 9 || code === 13 || code === 10;
}
