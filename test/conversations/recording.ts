import { createHash } from "node:crypto";
import type { AnyEvent } from "../../mod.ts";
import type { Store } from "../../kit.ts";

/** Ids as they are written anywhere: ULIDs. They are random, so each stands as the number of its first appearance. */
const ID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gi;
const TIME_CHARS = 10;

/** Texts that are longer stand in files of their own, which recordings share: a system prompt, the list of tools. */
const LONG_CHARS = 500;

/** A text of all that can be seen of a conversation, in order: what came in, what the model was shown, what went out, and in the end the whole store. */
export function createRecording() {
  const lines: string[] = [];
  /** By their hash. */
  const blocks = new Map<string, string>();
  /** What was printed of prompts before, with its number: a prompt mostly repeats the one before. */
  const printed = new Map<string, number>();

  /** Line by line, so that a change is seen where it is. */
  const block = (text: string) => text.split("\n").map((line) => `    ${JSON.stringify(line).slice(1, -1)}`);

  function blockOf(text: string): string {
    const name = hash(text);
    blocks.set(name, `${block(text).join("\n")}\n`);
    return `block ${name}`;
  }

  function once(kind: string, value: unknown): void {
    const text = typeof value === "string" ? value : stable(value);
    const known = printed.get(`${kind} ${text}`);
    if (known !== undefined) return void lines.push(`  = ${kind} #${known}`);
    printed.set(`${kind} ${text}`, printed.size + 1);
    if (text.length < LONG_CHARS || text.search(ID) >= 0) lines.push(`  ${kind} #${printed.size}`, ...block(text));
    else lines.push(`  ${kind} #${printed.size} ${blockOf(text)}`);
  }

  return {
    blocks: blocks as ReadonlyMap<string, string>,
    note: (text: string) => void lines.push(text),
    value: (title: string, value: unknown) => void lines.push(`${title} ${stable(value)}`),
    event: ({ type, payload, sessionId }: AnyEvent) =>
      void lines.push(`event ${type} ${sessionId ?? "-"} ${stable(payload)}`),
    /** All that a model was called with, byte for byte. */
    prompt(request: { readonly prompt: readonly { readonly role: string; readonly content: unknown }[] }): void {
      const { prompt, ...rest } = request as typeof request & Record<string, unknown>;
      lines.push("prompt");
      for (const { role, content, ...options } of prompt) {
        once(role, textOf(content) ?? content);
        if (Object.keys(options).length > 0) lines.push(`    ${stable(options)}`);
      }
      const { abortSignal: _, ...others } = rest;
      once("options", others);
    },
    async store(store: Store): Promise<void> {
      const entries: string[] = [];
      for await (const { key } of store.list("")) {
        const document = await store.get(key).catch(() => null);
        if (document !== null) entries.push(`document ${key} ${withoutHashes(stable(document.value))}`);
        else {
          const records: string[] = [];
          for await (const { seq, record } of store.read(key)) records.push(`\n  ${seq} ${stable(record)}`);
          entries.push(`log ${key}${records.join("")}`);
        }
      }
      // A list is in the order of ids, whose ends are random: here in the order in which they were seen first, or else of their times.
      const known = numbered(lines.join("\n"));
      const place = (entry: string) =>
        entry.replace(ID, (id) =>
          known.has(id.toUpperCase()) ? String(known.get(id.toUpperCase())).padStart(6, "0") : id.slice(0, TIME_CHARS),
        );
      const placed = entries.map((entry) => ({ entry, place: place(entry) }));
      placed.sort((one, other) => (one.place < other.place ? -1 : 1));
      lines.push(...placed.map(({ entry }) => entry));
    },
    text(): string {
      const text = lines.join("\n");
      const numbers = numbered(text);
      return `${text.replace(ID, (id) => `<id ${numbers.get(id.toUpperCase())}>`)}\n`;
    },
  };
}

/** The ids of a text, by the number of their first appearance. */
function numbered(text: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const [id] of text.matchAll(ID))
    if (!numbers.has(id.toUpperCase())) numbers.set(id.toUpperCase(), numbers.size + 1);
  return numbers;
}

/** Hashes of texts with ids in them, of approvals and of digests. Two numbers are a digest's hash, the second one of which is shorter once in 90,000. */
function withoutHashes(text: string): string {
  return text
    .replaceAll(/"hash":"[0-9a-f]{64}"/g, '"hash":"<hash>"')
    .replaceAll(/"[0-9a-z]{1,4}\.[0-9a-z]{4,7}"/g, '"<hash>"');
}

/** The text of a message that has nothing else. */
function textOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const part = content[0] as Record<string, unknown>;
  return part["type"] === "text" && Object.keys(part).length === 2 ? String(part["text"]) : undefined;
}

const digest = (bytes: Uint8Array) => `${bytes.length} bytes, ${hash(bytes)}`;

const hash = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex").slice(0, 12);

/** JSON with what JSON has no word for. */
function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (part instanceof Uint8Array) return digest(part);
      if (part instanceof Error) return Object.assign({ error: part.message }, part);
      return part;
    }) ?? "undefined"
  );
}
