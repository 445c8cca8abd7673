import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { COMMANDS, type HostRuntime } from "./host-target.ts";

/** Lives of which each but the last is killed after a while; the last comes to the end of its work, and a second more. @returns How many were killed. */
export async function killedOver(
  bear: () => ReturnType<typeof bornOf>,
  { kills, afterMs, isDone }: { readonly kills: number; afterMs(): number; isDone(): boolean },
): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    const life = bear();
    await Promise.race([life.ready, life.gone]);
    if (killed < kills) await sleep(afterMs());
    else {
      while (!isDone()) await sleep(200);
      // What is said twice comes soon after.
      await sleep(1000);
    }
    life.kill();
    await life.gone;
    if (killed === kills) return killed;
  }
}

/** One life of a script that says `ready` and ends when its input does. */
export function bornOf(runtime: HostRuntime, script: string, args: readonly string[]) {
  const [command, ...before] = COMMANDS[runtime];
  const child = spawn(command, [...before, script, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = new Promise<void>((resolve) =>
    createInterface({ input: child.stdout }).on("line", (line) => line === "ready" && resolve()),
  );
  return { ready, gone, kill: () => child.kill("SIGKILL") };
}
