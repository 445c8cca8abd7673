import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programFile } from "../support/programs.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/self-hosting.md"), "utf8");
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** The words of a command that the page gives after this. */
function words(pattern: RegExp): readonly string[] {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/self-hosting.md has no ${pattern.source}`);
  return found.startsWith("[") ? (JSON.parse(found) as string[]) : found.split(" ");
}

const ofDocker = words(/^CMD (\[.+\])$/m);
const ofSystemd = words(/^ExecStart=(.+)$/m);
const ofHealth = words(/^HEALTHCHECK CMD (\[.+\])$/m);

it.each([
  { name: "Docker", command: ofDocker },
  { name: "systemd", command: [...ofSystemd, "--port", "8787"] },
])("serves with the command for $name, is healthy by the page's check, and ends at SIGTERM", async ({ command }) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-self-hosting-"));
  writeFileSync(join(folder, "wakeful.yaml"), "models:\n  - provider: offline\n");
  const [program, ...given] = command;
  expect(program).toMatch(/node_modules\/\.bin\/wakeful$/);
  const argv = given.map((word) => (word === "/data" ? join(folder, "data") : word === "8787" ? "0" : word));
  const env = { PATH, HOME, NODE_COMPILE_CACHE, WAKEFUL_TOKEN: "a-token-of-the-env-file" };
  const child = spawn(process.execPath, [programFile("adapters/cli/main.ts"), ...argv], { cwd: folder, env });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const found = /on http:\S+:(\d+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on("close", () => reject(new Error(`It ended before it served: ${said}`)));
    });
    const jobs = await fetch(`http://127.0.0.1:${port}/api/v1/jobs`, {
      headers: { authorization: `Bearer ${env.WAKEFUL_TOKEN}` },
    });
    expect(jobs.status).toBe(200);
    const [node, ...check] = ofHealth;
    expect(node).toBe("node");
    const healthy = (at: string) => {
      const asked = spawn(
        process.execPath,
        check.map((word) => word.replace(":8787/", `:${at}/`)),
      );
      return new Promise<number | null>((resolve) => asked.on("close", resolve));
    };
    expect(await healthy(port)).toBe(0);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(await healthy(port)).toBe(1);
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
