import { spawn } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createChecks, expectThat } from "./checks.ts";

// Does each example work as its README says? Runs the README's one `sh` block in the example's folder and looks at the answer that it prints.

const root = join(import.meta.dirname, "..");
const { check, finish } = createChecks();
const wanted = process.argv.slice(2);
const TIMEOUT_MS = 240_000;
/** Where the examples listen. */
const PORT = 8787;

for (const { name } of readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await check(`examples/${name}`, async () => {
    const folder = join(root, "examples", name);
    const block = shellBlock(readFileSync(join(folder, "README.md"), "utf8"));
    // A conversation of an earlier run would make the answer another one.
    for (const state of [".wakeful", ".wrangler/state"]) rmSync(join(folder, state), { recursive: true, force: true });
    expectThat(!(await somebodyListens()), `Something listens on port ${PORT} already, where the example would`);
    const text = await runBlock(block, folder);
    // The answer is the offline model's: it needs no key.
    expectThat(
      /"text":\s*"[^"]*(offline|model|can)[^"]*/i.test(text),
      `No answer in what it printed:\n${text.slice(-3000)}`,
    );
  });
}
finish();

function shellBlock(readme: string): string {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? "");
  const [block] = blocks;
  expectThat(block !== undefined && blocks.length === 1, `The README has ${blocks.length} sh blocks; expected one`);
  const commands = block
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.endsWith("\\"));
  expectThat(commands.length <= 3, `The README has ${commands.length} commands; expected at most three`);
  return block;
}

/** Runs the block in a process group of its own, and ends what it left running. @returns What it printed. */
async function runBlock(block: string, folder: string): Promise<string> {
  const path = `${join(root, "node_modules", ".bin")}:${process.env["PATH"]}`;
  const child = spawn("bash", ["-euo", "pipefail", "-c", block], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: path, NO_COLOR: "1" },
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const code = await Promise.race([ended, sleep(TIMEOUT_MS, "late" as const, { ref: false })]);
  await endGroup(child.pid);
  expectThat(
    code === 0,
    code === "late"
      ? `It took more than ${TIMEOUT_MS / 1000} s\n${text.slice(-3000)}`
      : `It ended with ${code}\n${text.slice(-3000)}`,
  );
  return text;
}

async function endGroup(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!signalGroup(pid, signal)) return;
    for (let waited = 0; waited < 12_000; waited += 100) {
      await sleep(100);
      if (!signalGroup(pid, 0)) return;
    }
  }
}

/** @returns False when nobody of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

function somebodyListens(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port: PORT });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
