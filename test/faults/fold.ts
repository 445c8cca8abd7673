import { memoryStore, systemClock } from "../../mod.ts";
import { type LogRecord } from "../../kit.ts";
import { createSessions } from "../../src/session/index.ts";
import { keySegments } from "../../src/store/index.ts";
import type { Sequenced } from "../../src/session/records.ts";
import { type FoldedSession, applyRecord, emptySession } from "../../src/session/session.ts";

const LOG = "/log.jsonl";
/** The clock of records that hold no time of their own. */
const clock = systemClock();

/**
 * Loads each session as a start does, from the end of its log, and holds that against its whole log: what waits, what is open, its settings and its summary
 * are the same, and its turns are the newest of all. Nothing may wait when everything was answered.
 */
export async function checkFolds(
  sessions: ReadonlyMap<string, readonly LogRecord[]>,
  complain: (text: string) => void,
): Promise<void> {
  const store = memoryStore();
  for (const [log, records] of sessions) {
    if (!log.endsWith(LOG) || records.length === 0) continue;
    await store.append(
      log,
      records.map(({ seq: _seq, ...record }) => record),
    );
  }
  const loaded = createSessions({ store, clock });
  for (const { key, log } of keysOf(sessions)) {
    const whole = emptySession(key, log);
    for (const record of sessions.get(log) ?? []) applyRecord(whole, record as unknown as Sequenced);
    const part = (await loaded.load(key)) as FoldedSession;
    const [a, b] = [shown(part), shown(whole)];
    if (a !== b) complain(`${log}: loaded from its end it is ${a}, as a whole ${b}`);
    const turns = part.history.map(({ id }) => id).join(" ");
    if (
      !whole.history
        .map(({ id }) => id)
        .join(" ")
        .endsWith(turns)
    )
      complain(`${log}: its newest turns, loaded from its end, are ${turns}`);
    if (part.history.length === 0 && whole.history.length > 0) complain(`${log}: it loads without its newest turns`);
    if (whole.open) complain(`${log}: the turn ${whole.open.id} is still open`);
    for (const { id } of whole.waiting) complain(`${log}: ${id} still waits`);
  }
}

function shown({ waiting, open, settings, summary, deliveries }: FoldedSession): string {
  return JSON.stringify({
    waiting: waiting.map(({ id }) => id),
    open: open?.id,
    settings,
    summary: summary?.seq,
    deliveries: [...deliveries.keys()],
  });
}

function* keysOf(sessions: ReadonlyMap<string, unknown>): Generator<{ key: string; log: string }> {
  for (const log of sessions.keys()) {
    const [, agent, rest, file] = keySegments(log);
    if (agent !== undefined && rest !== undefined && file === "log.jsonl") yield { key: `agent:${agent}:${rest}`, log };
  }
}
