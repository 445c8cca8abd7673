import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type HostRuntime, bin } from "./host-target.ts";

const COMMANDS: Readonly<Record<HostRuntime, readonly [string, ...string[]]>> = {
  node: [bin("node")],
  bun: [bin("bun")],
  deno: [bin("deno"), "run", "-A", "--node-modules-dir=manual"],
};

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
