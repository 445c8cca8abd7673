import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../support/seeded.ts";
import type { Sender } from "./load.ts";
import { type Command, type Kind, MODES } from "./script.ts";

const BUSY_KINDS: readonly Kind[] = ["", "", "", "", "", "c", "c", "l", "b", "b", "x", "f", "f", "a", "s", "s", "s"];

/** Of one person so many milliseconds lie between commands, since only twenty a minute are obeyed. */
const COMMAND_EVERY_MS = 3_500;

const WHILE_BUSY: readonly Command[] = ["/stop", "/stop", "/stop", "/queue", "/new", "/compact", "/retry"];
const AT_REST: readonly Command[] = ["/retry", "/retry", "/retry", "/compact", "/new", "/queue", "/status", "/stop"];

export interface BusyChats {
  readonly names: readonly string[];
  /** Messages that a `/stop` may have ended: nobody waits for their answers. */
  readonly excused: ReadonlySet<number>;
  stop(): Promise<void>;
}

/** Chats that go on writing while they are being answered, and give commands in between. */
export function startBusyChats(options: {
  sender: Sender;
  answered: () => ReadonlySet<number>;
  chats: number;
  chance: Chance;
  /** Are commands given at present? */
  givesCommands: () => boolean;
  /** How long a chat waits for answers before it writes again anyway. */
  patienceMs?: number;
}): BusyChats {
  const { sender, answered, chats, chance, givesCommands, patienceMs = 20_000 } = options;
  const names = Array.from({ length: chats }, (_, index) => String(1001 + index));
  const excused = new Set<number>();
  let stopping = false;

  async function chat(name: string): Promise<void> {
    let unanswered: number[] = [];
    let commandAtMs = -Infinity;

    async function deliver(kind: Kind | Command): Promise<boolean> {
      const id = sender.newId();
      if (!(await sender.deliver(name, id, kind))) return false;
      // `/compact` and `/retry` are answered by turns, which do not name them.
      if (kind !== "/compact" && kind !== "/retry") unanswered.push(id);
      if (chance() < 0.03) await sender.post(name, id, kind);
      return true;
    }

    async function command(isBusy: boolean): Promise<boolean> {
      if (!givesCommands() || performance.now() - commandAtMs < COMMAND_EVERY_MS || chance() > 0.4) return true;
      commandAtMs = performance.now();
      const given = pick(isBusy ? WHILE_BUSY : AT_REST);
      if (given === "/stop") for (const id of unanswered) excused.add(id);
      const mode = pick([...MODES, ...MODES.map(() => "default")]);
      return deliver(given === "/queue" ? `/queue ${mode}` : given);
    }

    while (!stopping) {
      const burst = chance() < 0.45 ? 1 : 2 + Math.floor(chance() * 3);
      for (let n = 0; n < burst && !stopping; n += 1) {
        if (!(await deliver(pick(BUSY_KINDS)))) return;
        if (n < burst - 1) await sleep(chance() * chance() * 300);
      }
      if (chance() < 0.5 && !(await command(true))) return;
      const givesUpAt = performance.now() + patienceMs;
      const isDone = (id: number) => answered().has(id) || excused.has(id);
      while (!stopping && performance.now() < givesUpAt && !unanswered.every(isDone)) await sleep(5);
      unanswered = unanswered.filter((id) => !isDone(id));
      if (!stopping && !(await command(false))) return;
      await sleep(chance() * 20);
    }
  }

  function pick<T>(from: readonly T[]): T {
    return from[Math.floor(chance() * from.length)]!;
  }

  const running = names.map(chat);
  return {
    names,
    excused,
    async stop() {
      stopping = true;
      // What is not acknowledged yet goes on until it is: the sender knows nothing of the end.
      await Promise.all(running);
    },
  };
}
