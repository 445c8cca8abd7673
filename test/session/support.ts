import type { CompactRecord, NewRecord } from "../../src/session/index.ts";

const USAGE = { inputTokens: 1, outputTokens: 1 };

/** A message of Ada's. */
export function message(id: string, more: Partial<Extract<NewRecord, { type: "in" }>> = {}): NewRecord {
  return {
    type: "in",
    id,
    turn: `turn-${id}`,
    text: `text ${id}`,
    user: "telegram:42",
    roles: [],
    channel: "telegram",
    account: "default",
    peer: { kind: "direct", id: "42" },
    sender: { id: "42", name: "Ada" },
    ...more,
  };
}

export function step(turn: string, of: string[], more: Partial<Extract<NewRecord, { type: "step" }>> = {}): NewRecord {
  const answer = { message: null, text: "", calls: [], usage: USAGE, finish: "stop", model: "m" };
  return { type: "step", turn, step: 0, of, seen: 0, ...answer, ...more };
}

export function out(turn: string, of: string[], more: Partial<Extract<NewRecord, { type: "out" }>> = {}): NewRecord {
  const reply = { text: `reply ${turn}`, silent: false, parts: [], toolCalls: [], usage: USAGE, steps: 1 };
  return { type: "out", turn, of, ...reply, ...more };
}

/** A summary of everything up to `to`. */
export function compact(
  to: number,
  more: Partial<Extract<NewRecord, { type: "compact" }>> = {},
): Omit<CompactRecord, "v" | "at"> {
  const told = {
    summary: `up to ${to}`,
    prose: `up to ${to}`,
    facts: [{ kind: "fact", text: `fact ${to}`, key: `fact ${to}`, seq: 1, weight: 1 }],
    range: { from: 1, to },
    readFrom: to,
    turns: to,
  };
  return { type: "compact", ...told, tokensBefore: 900, tokensAfter: 100, reason: "history", ...more };
}
