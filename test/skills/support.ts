import { type ForgottenPerson, replacing } from "../../src/erasable/index.ts";
import type { LearntSkill, NewActivation } from "../../src/skills/index.ts";
import type { Store } from "../../src/store/index.ts";

export const ADA = "telegram:ada-7001";
export const BOB = "telegram:bob-8002";
export const HERS = "agent:main:telegram:direct:ada-7001";
export const GROUP = "agent:main:telegram:group:-100";
export const START_MS = Date.UTC(2026, 0, 5, 8);

/** An activation of a skill in a turn of Ada's. */
export function activation(turn: string, skill: string, more: Partial<NewActivation> = {}): NewActivation {
  return {
    skill,
    turn,
    session: HERS,
    user: ADA,
    activatedBy: "auto",
    signals: [{ kind: "intent", weight: 0.5 }],
    score: 0.5,
    outcome: "success",
    toolsUsed: ["web_search"],
    at: START_MS,
    ...more,
  };
}

export function learnt(id: string, more: Partial<LearntSkill> = {}): LearntSkill {
  return {
    id,
    name: `skill-${id}`,
    description: `What ${id} does`,
    toolSequence: ["web_search", `save_${id}`],
    occurrences: 4,
    averageDurationMs: 1200,
    successRate: 1,
    confidence: 0.75,
    userId: ADA,
    examples: ["one", "two"],
    ...more,
  };
}

/** Ada, as rooms are told of whom to forget. */
export function forgotten(user: string = ADA, sessions: readonly string[] = [HERS]): ForgottenPerson {
  return {
    userId: user,
    isOwner: false,
    isUser: (other) => other === user,
    sessions: new Set(sessions),
    chats: new Set(),
    requests: new Set(),
    words: replacing([user], (source) => source),
    isNamedBy: (segment) => segment === user,
  };
}

/** All that a store holds, as text. */
export async function textIn(store: Store, prefix = ""): Promise<string> {
  let text = "";
  for await (const { key } of store.list(prefix)) {
    const document = await store.get(key).catch(() => null);
    text += `${key}\n`;
    if (document) text += `${JSON.stringify(document.value)}\n`;
    else for await (const { record } of store.read(key)) text += `${JSON.stringify(record)}\n`;
  }
  return text;
}

/** Keys of a store, each with its version. */
export async function keysIn(store: Store, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key, version } of store.list(prefix)) keys.push(`${key} ${version}`);
  return keys;
}
