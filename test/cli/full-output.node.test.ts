import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { programFile } from "../support/programs.ts";

const main = programFile("adapters/cli/main.ts");

// Bun tells no program that its output was not taken.
it.runIf(process.platform === "linux")(
  "a command whose output no disk takes says so in a line, and fails — needs /dev/full",
  async () => {
    const full = openSync("/dev/full", "w");
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [main, "config", "schema"], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: "1" },
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(1);
    expect(errors).toMatch(/^error: Not all of the output could be written: .*ENOSPC.*\n$/);
  },
);
