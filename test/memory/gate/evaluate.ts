import { type FoundMemory, createKeywordIndex, diversify, gate, spoken, wordsOf } from "../../../src/memory/index.ts";
import { foundEntry } from "../../../src/memory/found-memory.ts";

/** What an assistant remembers of a made-up person, and what they write to it. */
export interface LabelledPerson {
  readonly name: string;
  readonly language: "en" | "zh";
  readonly entries: readonly { readonly id: string; readonly daysAgo: number; readonly text: string }[];
  /** Messages with the entries that belong in their prompt. */
  readonly related: readonly { readonly text: string; readonly evidence: readonly string[] }[];
  /** Messages that nothing remembered belongs to. */
  readonly unrelated: readonly { readonly text: string; readonly kind: string }[];
}

/** How well the gate tells one from the other. */
export interface GateQuality {
  readonly unrelated: number;
  /** Of them, with any memory in the prompt; and without the gate. */
  readonly disturbed: number;
  readonly disturbedUngated: number;
  readonly related: number;
  /** Entries that belong to a message and that recall brings without the gate; and of them with it. */
  readonly evidenceUngated: number;
  readonly evidence: number;
  /** What was shown that should not be, and what was missed. */
  readonly mistakes: readonly string[];
}

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const CANDIDATES = 30;
const SHOWN = 5;

export function evaluateGate(people: readonly LabelledPerson[]): GateQuality {
  const total = { unrelated: 0, disturbed: 0, disturbedUngated: 0, related: 0, evidenceUngated: 0, evidence: 0 };
  const mistakes: string[] = [];
  for (const { name, entries, related, unrelated } of people) {
    const index = createKeywordIndex();
    for (const { id, text, daysAgo } of entries) {
      const createdAtMs = NOW_MS - daysAgo * DAY_MS;
      index.add({ id, text, keywords: [], createdAtMs, type: "", thread: "", body: `1\n{"s":{}}` });
    }
    const recall = (message: string) => {
      const text = spoken(message);
      const found = index
        .find({ text, nowMs: NOW_MS, limit: CANDIDATES, about: true })
        .map((one) => foundEntry(one, name));
      return { ungated: shown(found), gated: shown(gate(found, text).hits) };
    };
    for (const { text, kind } of unrelated) {
      const { ungated, gated } = recall(text);
      total.unrelated += 1;
      if (ungated.length > 0) total.disturbedUngated += 1;
      if (gated.length === 0) continue;
      total.disturbed += 1;
      mistakes.push(`${name}, ${kind}: ${text.slice(0, 80)}`);
    }
    for (const { text, evidence } of related) {
      const { ungated, gated } = recall(text);
      total.related += 1;
      for (const id of evidence) {
        if (!ungated.includes(id)) continue;
        total.evidenceUngated += 1;
        if (gated.includes(id)) total.evidence += 1;
        else mistakes.push(`${name}, ${gated.length === 0 ? "shut" : "cut"}: ${text.slice(0, 80)} (${id})`);
      }
    }
  }
  return { ...total, mistakes };
}

function shown(found: readonly FoundMemory[]): readonly string[] {
  const options = { limit: SHOWN, wordsOf: (hit: FoundMemory) => hit.words ?? wordsOf(hit.entry.content) };
  return diversify(found, options).map(({ entry }) => entry.id);
}
