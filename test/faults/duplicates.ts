import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const EVENTS = 200;
const TIMES = 5;
const CONNECTIONS = 20;
const CHATS = 40;

/** Every event five times, in any order, over twenty connections at once: each is answered once, and every delivery with 2xx. */
export async function duplicates(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    id: index + 1,
    chat: String(2001 + (index % CHATS)),
  }));
  const deliveries = Array.from({ length: TIMES }, () => events).flat();
  for (let index = deliveries.length - 1; index > 0; index -= 1) {
    const other = Math.floor(chance() * (index + 1));
    [deliveries[index], deliveries[other]] = [deliveries[other]!, deliveries[index]!];
  }
  await inScene({ runtime }, async (scene) => {
    await scene.start();
    const refused: number[] = [];
    let slowestMs = 0;
    const connection = async () => {
      for (let event = deliveries.pop(); event !== undefined; event = deliveries.pop()) {
        const begun = performance.now();
        const status = await scene.sender.post(event.chat, event.id, "");
        slowestMs = Math.max(slowestMs, performance.now() - begun);
        if (status < 200 || status > 299) refused.push(status);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    const acknowledged = events.map(({ id, chat }) => ({ id, chat, kind: "" as const, atMs: 0, latencyMs: 0 }));
    const open = await scene.settle(events.map(({ id }) => id));
    const verdict = await scene.judge({ acknowledged, ordered: false });
    const faults = [...open, ...verdict.violations, ...(await scene.target.faults())];
    checks.check(
      `duplicates: ${EVENTS * TIMES} deliveries are all acknowledged`,
      refused.length === 0,
      refused.join(", "),
    );
    checks.check(`duplicates: ${EVENTS} events are answered once each`, faults.length === 0, few(faults));
    console.log(
      `  ${verdict.gathered} were answered together with another; the slowest acknowledgement took ${Math.round(slowestMs)} ms`,
    );
    return { keep: refused.length + faults.length > 0 };
  });
}
