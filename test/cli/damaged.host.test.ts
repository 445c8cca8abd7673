import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { scriptedModel, says } from "../../src/testing/scripted-model.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

const DAMAGED = [
  "access/accounts/telegram/default",
  "access/owner",
  "approvals/requests/1",
  "approvals/rules",
  "attention/telegram:42",
  "buttons/1",
  "notifications/sdk/1",
  "subagents/sa-1.json",
  "usage/2026-01-05.json",
];

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, ".wakeful");
});
afterEach(() => folder.remove());

async function rows() {
  const { stdout } = await run(["doctor", "--json"], { cwd: folder.path });
  const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; state: string; what: string }[] };
  return checks.filter(({ check }) => check === "documents");
}

describe("wakeful doctor", () => {
  it("says of each document that the assistant keeps for itself that it cannot be read, also beside a server", async () => {
    const store = await fsStore({ root });
    for (const key of DAMAGED) await store.put(key, { v: 1, sent: "never" });
    for (const key of ["attention/sdk", "usage/2026-01-06.json"]) await store.put(key, { v: 99 });
    const beside = await rows();
    await store.close?.();
    mkdirSync(join(root, "buttons"), { recursive: true });
    writeFileSync(join(root, "buttons", "2~doc"), '{ "v": 1, "version": "a", "val');
    symlinkSync("2026-01-07.jsonl", join(root, "usage", "2026-01-07.jsonl"));
    const alone = await rows();
    for (const found of [beside, alone]) {
      expect(found.every(({ state }) => state === "warn")).toBe(true);
      const told = found.map(({ what }) => what).join("\n");
      expect(told.match(/damaged or changed by hand/g)).toHaveLength(DAMAGED.length);
      expect(told.match(/newer than/g)).toHaveLength(2);
    }
    expect(beside).toHaveLength(DAMAGED.length + 2);
    expect(alone).toHaveLength(DAMAGED.length + 4);
    for (const key of DAMAGED) expect(alone.some(({ what }) => what.startsWith(`Cannot read ${key}:`))).toBe(true);
  });

  it("says nothing of what an assistant wrote", async () => {
    const assistant = await createAssistant({
      model: scriptedModel(() => says("hello")),
      store: await fsStore({ root }),
    });
    await assistant.send({ text: "hi" });
    await assistant.attention.notify({ user: "sdk", text: "tea is ready" });
    const beside = await rows();
    await assistant.stop();
    expect(beside).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});
