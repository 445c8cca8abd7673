import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../entry.host.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

const YAML = `models: [{ provider: offline }]
channels: { telegram: { token: "123456:token-of-a-test", secret: s, api_base: "http://127.0.0.1:1" } }
owner: { ids: ["telegram:1"] }
`;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, "wakeful.yaml"), YAML);
});
afterEach(() => folder.remove());

const here = (...argv: string[]) => run(argv, { cwd: folder.path });

async function giveUp(count: number): Promise<void> {
  const store = await fsStore({ root: join(folder.path, ".wakeful") });
  const engine = { start: async () => {}, wake: async () => {}, stop: async () => {} };
  const outbox = createOutbox({ store, engine, clock: systemClock() });
  for (let part = 0; part < count; part++) {
    const target = { channel: "telegram", account: "default", chat: "42" };
    const at = Date.parse("2026-11-22T08:00:00Z") + part;
    await outbox.bury({ at, target, id: "t1", part, text: `part ${part}\nof it`, error: "403\nblocked", attempts: 5 });
  }
  await store.close?.();
}

describe("wakeful undelivered", () => {
  it("says that there is nothing, and makes nothing", async () => {
    const shown = await here("undelivered");
    expect([shown.code, shown.stdout]).toEqual([0, "Everything was delivered, or is still tried\n"]);
  });

  it("shows what was given up, oldest first, where it should have gone and why it did not", async () => {
    await giveUp(2);
    const { code, stdout } = await here("undelivered");
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "2026-11-22T08:00:00.000Z telegram:42 after 5 tries: 403\\nblocked",
        "  part 0",
        "  of it",
        "2026-11-22T08:00:00.001Z telegram:42 after 5 tries: 403\\nblocked",
        "  part 1",
        "  of it",
        "",
      ].join("\n"),
    );
    const { undelivered } = JSON.parse((await here("undelivered", "--json", "--limit", "1")).stdout) as {
      undelivered: unknown[];
    };
    expect(undelivered).toEqual([expect.objectContaining({ chat: "42", part: 1, attempts: 5 })]);
  });

  it("refuses a limit that is none", async () => {
    const { code, stderr } = await here("undelivered", "--limit", "0");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--limit must be a whole number from 1 to 1000")]);
  });

  it("is what doctor names when something was given up", async () => {
    const row = async () => /^.*\bdelivery\b.*$/m.exec((await here("doctor")).stdout)?.[0];
    expect(await row()).toContain("nothing was given up");
    await giveUp(2);
    expect(await row()).toContain("2 messages could not be delivered, since 2026-11-22T08:00:00.000Z");
  });
});
