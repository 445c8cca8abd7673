import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { systemClock } from "../../entry.host.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { STUB_TOKEN, type TelegramStub, startTelegramStub } from "../support/telegram-stub.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

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
    expect([shown.code, shown.stdout]).toEqual([0, "Everything was delivered or is still being retried\n"]);
  });

  it("shows what was given up, oldest first, where it should have gone and why it did not", async () => {
    await giveUp(2);
    const { code, stdout } = await here("undelivered");
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "t1.0  2026-11-22T08:00:00.000Z telegram:42 after 5 tries: 403\\nblocked",
        "  part 0",
        "  of it",
        "t1.1  2026-11-22T08:00:00.001Z telegram:42 after 5 tries: 403\\nblocked",
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
    expect(await row()).toContain("no undelivered messages");
    await giveUp(2);
    expect(await row()).toContain("2 messages could not be delivered, since 2026-11-22T08:00:00.000Z");
  });
});

describe("wakeful undelivered send", () => {
  let stub: TelegramStub;
  beforeEach(async () => {
    stub = await startTelegramStub();
    const yaml = YAML.replace("123456:token-of-a-test", STUB_TOKEN).replace("http://127.0.0.1:1", stub.url);
    writeFileSync(join(folder.path, "wakeful.yaml"), yaml);
  });
  afterEach(() => stub.stop());

  async function serving(work: (there: readonly string[]) => Promise<void>): Promise<void> {
    const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "an-owners-token" } });
    const ended = runProgram(["serve", "--port", "0"], terminal);
    await terminal.until("data: ");
    const url = /http:\/\/[^\s"]+/.exec(terminal.output())?.[0] ?? "";
    try {
      await work(["--url", url, "--token", "an-owners-token"]);
    } finally {
      terminal.signal("SIGTERM");
      expect(await ended).toBe(0);
    }
  }

  const texts = () => stub.platform.sent.map(({ chat, text }) => [chat, text]);
  const LATE = ["42", "(late: written 2026-11-22 08:00 UTC)\n\npart 0\nof it"];

  it("sends one again through a server, once", async () => {
    await giveUp(1);
    await serving(async (there) => {
      const sent = await here("undelivered", "send", "t1.0", ...there);
      const line = "Will be sent again now: t1.0 to telegram:42. If it fails again, wakeful undelivered lists it\n";
      expect([sent.code, sent.stdout]).toEqual([0, line]);
      await polled(texts).toEqual([LATE]);
      const again = await here("undelivered", "send", "t1.0", ...there);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('"t1.0" was sent again before')]);
      expect((await here("undelivered", ...there)).stdout).toContain("Everything was delivered");
    });
    expect(texts()).toEqual([LATE]);
    expect((await here("audit", "--what", "delivery")).stdout).toContain("ok owner delivery.again telegram:42 (t1.0)");
  }, 30_000);

  it("stores without a server that one goes out again, at the next start at the latest", async () => {
    await giveUp(1);
    const sent = await here("undelivered", "send", "t1.0");
    expect([sent.code, sent.stdout]).toEqual([
      0,
      expect.stringContaining("Will be sent again now, or at the next start"),
    ]);
    await serving(async () => {
      await polled(texts, { timeout: 10_000 }).toEqual([LATE]);
    });
    expect((await here("undelivered")).stdout).toContain("Everything was delivered");
    expect(texts()).toEqual([LATE]);
  }, 30_000);

  it.each([
    { argv: ["send"], code: 2, message: "Missing required positional argument: ID" },
    { argv: ["send", "t9.0"], code: 1, message: 'There is no undelivered message "t9.0": wakeful undelivered' },
    { argv: ["drop", "t1.0"], code: 2, message: 'Unknown command "undelivered drop"' },
  ])("refuses $argv with $code", async ({ argv, code, message }) => {
    const refused = await here("undelivered", ...argv);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});
