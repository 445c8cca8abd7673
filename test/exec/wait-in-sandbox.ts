import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";

// Runs a command that does not end, so that a test can kill this process: `wait-in-sandbox.ts <root> <seconds>`.
const [root = "", seconds = ""] = process.argv.slice(2);
const runner = createCommandRunner(root, { mode: "sandboxed" }, { guard: async () => ({ ok: true }) });
console.log("begun");
await runner.run(`sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 60_000 });
