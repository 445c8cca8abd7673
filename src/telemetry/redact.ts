/** Gives back the value with secrets replaced; strings, lists and objects at any depth, keys too. Never changes what it is given. */
export type Redactor = <T>(value: T) => T;

/** What stands in a secret's place. */
export const REDACTED = "[redacted]";

/** A shorter "secret" would be found in ordinary words. */
const SHORTEST_SECRET = 6;
const DEEPEST = 20;

/**
 * Formats of keys that are known by their looks. Each starts with a fixed text and matches one run of characters, so that no input makes it slow.
 * Source: docs/security.md, "What is redacted".
 */
const KEY_FORMATS = [
  "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\\s]+(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?",
  "\\bsk-[A-Za-z0-9_-]{16,}",
  "\\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}",
  "\\bgithub_pat_[A-Za-z0-9_]{20,}",
  "\\bglpat-[A-Za-z0-9_-]{16,}",
  "\\bnpm_[A-Za-z0-9]{30,}",
  "\\bxox[a-z]-[A-Za-z0-9-]{10,}",
  "\\bxapp-[A-Za-z0-9-]{10,}",
  "\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b",
  "\\bAIza[A-Za-z0-9_-]{30,}",
  "\\b[0-9]{6,12}:[A-Za-z0-9_-]{30,}",
  "\\beyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]*",
  "(?<=\\b[Bb]earer )[A-Za-z0-9._~+/=-]{8,}",
  "(?<=://[^\\s:/@]{0,64}:)[^\\s:/@]{1,256}(?=@)",
];

/** A text under such a name is a secret whatever it looks like. */
const SECRET_NAME = /(?:^|[_-])(?:password|passwd|secret|token|authorization|cookie|api[_-]?key|private[_-]?key)$/i;
const SECRET_CAMEL_NAME = /(?:Password|Secret|Token|ApiKey|PrivateKey)$/;

/** @param secretValues The configured secrets. One of under 6 characters is not looked for: it would be found everywhere. */
export function createRedactor(secretValues: Iterable<string> = []): Redactor {
  const exact = new Set<string>();
  for (const secret of secretValues) {
    if (secret.length < SHORTEST_SECRET) continue;
    exact.add(secret);
    exact.add(encodeURIComponent(secret));
    exact.add(JSON.stringify(secret).slice(1, -1));
  }
  // The longest first: a secret that begins with another one is replaced whole.
  const alternatives = [...exact].toSorted((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp([...alternatives, ...KEY_FORMATS].join("|"), "g");

  function redactText(text: string): string {
    return text.length < SHORTEST_SECRET ? text : text.replace(pattern, REDACTED);
  }

  function redactAny(value: unknown, depth: number): unknown {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return "[too deep]";
    if (Array.isArray(value)) return value.map((item) => redactAny(item, depth + 1));
    if (value instanceof Date) return value;
    if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
    const result: Record<string, unknown> = {};
    for (const [name, item] of entriesOf(value)) {
      const secret =
        typeof item === "string" && item !== "" && (SECRET_NAME.test(name) || SECRET_CAMEL_NAME.test(name));
      result[redactText(name)] = secret ? REDACTED : redactAny(item, depth + 1);
    }
    return result;
  }

  // A redacted value has the shape of what it was made from, but for what is no JSON.
  return <T>(value: T): T => redactAny(value, 0) as T;
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
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
