import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../support/seeded.ts";
import { BOT_SECRET } from "./bot-api.ts";
import { type Command, type Kind, messageText } from "./script.ts";

/** A platform waits so long for an acknowledgement. */
const ANSWER_LIMIT_MS = 60_000;

export interface Acknowledged {
  readonly id: number;
  readonly chat: string;
  readonly kind: Kind | Command;
  /** When it was acknowledged, on the clock of `performance.now()`. */
  readonly atMs: number;
  readonly latencyMs: number;
}

/** Telegram's side of a webhook: delivers an update until it is acknowledged, the next one of a chat only then. */
export interface Sender {
  readonly acknowledged: readonly Acknowledged[];
  /** Answers other than 2xx and 5xx: the load itself is wrong. */
  readonly refusals: readonly string[];
  /** Delivers one update until it is acknowledged or `stop` is called. */
  deliver(chat: string, id: number, kind: Kind | Command): Promise<boolean>;
  /** Delivers one update once. @returns The status; 0 without an answer. */
  post(chat: string, id: number, kind: Kind | Command): Promise<number>;
  newId(): number;
  stop(): void;
}

/** @param port Where the assistant listens now; 0: nowhere. */
export function createSender(options: { port: () => number; path?: string; firstId?: number }): Sender {
  const { port, path = "/webhooks/telegram", firstId = 1 } = options;
  const acknowledged: Acknowledged[] = [];
  const refusals: string[] = [];
  let nextId = firstId;
  let stopped = false;

  async function post(chat: string, id: number, kind: Kind | Command): Promise<number> {
    if (port() === 0) return 0;
    try {
      const response = await fetch(`http://127.0.0.1:${port()}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": BOT_SECRET },
        body: JSON.stringify({
          update_id: id,
          message: {
            message_id: id,
            date: Math.floor(Date.now() / 1000),
            chat: { id: Number(chat), type: "private", first_name: "Ada" },
            from: { id: Number(chat), is_bot: false, first_name: "Ada" },
            text: messageText(id, kind),
          },
        }),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      await response.text();
      return response.status;
    } catch {
      return 0;
    }
  }

  async function deliver(chat: string, id: number, kind: Kind | Command): Promise<boolean> {
    for (let attempt = 0; !stopped; attempt += 1) {
      const startedMs = performance.now();
      const status = await post(chat, id, kind);
      const atMs = performance.now();
      if (status >= 200 && status < 300) {
        acknowledged.push({ id, chat, kind, atMs, latencyMs: atMs - startedMs });
        return true;
      }
      if (status !== 0 && status < 500) refusals.push(`update ${id} was answered ${status}`);
      await sleep(Math.min(200, 20 * (attempt + 1)));
    }
    return false;
  }

  return {
    acknowledged,
    refusals,
    deliver,
    post,
    newId: () => nextId++,
    stop() {
      stopped = true;
    },
  };
}

const LOAD_KINDS: readonly Kind[] = ["", "", "", "", "c", "c", "l", "b", "b", "x", "s", "s"];

/** Chats that write, wait for the answers and write again; some write two or three messages at once, some updates come twice. */
export function startChats(options: {
  sender: Sender;
  answered: () => ReadonlySet<number>;
  chats: number;
  chance: Chance;
  /** How long a chat waits for answers before it writes again anyway. */
  patienceMs?: number;
}): { stop(): Promise<void> } {
  const { sender, answered, chats, chance, patienceMs = 20_000 } = options;
  let stopping = false;

  async function chat(name: string): Promise<void> {
    while (!stopping) {
      const burst = chance() < 0.25 ? 2 + Math.floor(chance() * 2) : 1;
      const ids: number[] = [];
      for (let n = 0; n < burst && !stopping; n += 1) {
        const id = sender.newId();
        const kind = LOAD_KINDS[Math.floor(chance() * LOAD_KINDS.length)] ?? "";
        if (!(await sender.deliver(name, id, kind))) return;
        ids.push(id);
        if (chance() < 0.03) await sender.post(name, id, kind);
      }
      const givesUpAt = performance.now() + patienceMs;
      while (!stopping && performance.now() < givesUpAt && !ids.every((id) => answered().has(id))) await sleep(5);
      await sleep(chance() * 20);
    }
  }

  const running = Array.from({ length: chats }, (_, index) => chat(String(1001 + index)));
  return {
    async stop() {
      stopping = true;
      // What is not acknowledged yet goes on until it is: the sender knows nothing of the end.
      await Promise.all(running);
    },
  };
}
