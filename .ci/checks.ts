import { type SpawnOptions, spawn } from "node:child_process";
import { messageOf } from "../kit.ts";

/** Runs named checks one after the other, says what came of each, and counts. */
export function createChecks() {
  let passed = 0;
  let failed = 0;

  /** @returns What the check gave, or undefined when it failed: the next one runs all the same. */
  async function check<T>(name: string, run: () => Promise<T> | T): Promise<T | undefined> {
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const result = await run();
      passed += 1;
      console.log(`ok      ${name} (${seconds()})`);
      return result;
    } catch (error) {
      failed += 1;
      console.log(`failed  ${name} (${seconds()})\n${indented(messageOf(error))}`);
      return undefined;
    }
  }

  /** Prints the last line and sets the exit code. */
  function finish(): void {
    console.log(`\n${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  }

  return { check, finish };
}

export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** Runs a program to its end. @returns What it printed, both streams together. @throws {Error} With that text when it fails or takes too long. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { readonly timeoutMs?: number; readonly input?: string } = {},
): Promise<string> {
  const { timeoutMs = 300_000, input, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...spawnOptions,
      stdio: "pipe",
      env: { ...process.env, NO_COLOR: "1", ...spawnOptions.env },
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stdin.on("error", () => {}); // it ended before it read everything
    child.stdin.end(input ?? "");
    const line = [command, ...args].join(" ");
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${line} took more than ${timeoutMs / 1000} s\n${text}`));
    }, timeoutMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(text);
      else reject(new Error(`${line} ended with ${code}\n${text.slice(-4000)}`));
    });
  });
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `        ${line}`)
    .join("\n");
}
