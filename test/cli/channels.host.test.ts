import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { updates } from "../channels/fixtures/telegram.ts";
import { STUB_TOKEN, type TelegramStub, startTelegramStub } from "../support/telegram-stub.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

const TOKEN = "an-owners-token";
let folder: ReturnType<typeof temporaryFolder>;
let stub: TelegramStub;
beforeAll(async () => void (stub = await startTelegramStub()));
afterAll(() => stub.stop());
beforeEach(() => {
  folder = temporaryFolder();
  stub.platform.reset();
  stub.platform.webhookInfo = { url: "", pending_update_count: 0 };
});
afterEach(() => folder.remove());

const put = () =>
  writeFileSync(
    join(folder.path, "wakeful.yaml"),
    `channels: { telegram: { token: "${STUB_TOKEN}", api_base: "${stub.url}", dm: open, queue: { debounce_ms: 0 } } }\n`,
  );

async function doctor(env: Record<string, string> = {}) {
  const { stdout } = await run(["doctor", "--json"], { cwd: folder.path, env });
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; state: string; what: string; remedy?: string }[];
  };
  return checks.filter(({ check }) => check === "telegram" || check === "channels");
}

/** `wakeful serve` in this process while `work` runs. */
async function serving(work: (port: string) => Promise<void>): Promise<void> {
  const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: TOKEN } });
  const ended = runProgram(["serve", "--port", "0"], terminal);
  await terminal.until("data: ");
  try {
    await work(/http:\/\/localhost:(\d+)/.exec(terminal.output())?.[1] ?? "");
  } finally {
    terminal.signal("SIGTERM");
    expect(await ended).toBe(0);
  }
}

describe("wakeful serve without a public address", () => {
  it("answers a Telegram bot's messages, and doctor says that it listens", async () => {
    put();
    await serving(async (port) => {
      stub.platform.push(updates.direct);
      await polled(() => stub.platform.sent.length, { timeout: 10_000 }).toBe(1);
      expect(stub.platform.waiting).toEqual([]);
      expect(await doctor({ PORT: port, WAKEFUL_TOKEN: TOKEN })).toMatchObject([
        { check: "telegram", state: "ok", what: `the server at http://127.0.0.1:${port} listens` },
        { state: "ok", what: "The token belongs to @wakeful_bot" },
        { state: "ok", what: "Messages are polled (getUpdates), no webhook is registered" },
      ]);
    });
  });

  it("shows in doctor what is wrong", async () => {
    put();
    stub.platform.script(
      Array.from({ length: 9 }, () => ({ kind: "status", status: 401, description: "Unauthorized" }) as const),
      { method: "getUpdates" },
    );
    await serving(async (port) => {
      const refused = async () => (await doctor({ PORT: port, WAKEFUL_TOKEN: TOKEN }))[0]?.state === "fail";
      await polled(refused, { timeout: 15_000, interval: 300 }).toBe(true);
    });
  });
});

describe("wakeful doctor of a Telegram bot", () => {
  it("says that it needs no public address, and what waits, though nothing runs", async () => {
    put();
    stub.platform.webhookInfo = { url: "https://old.example/", pending_update_count: 2 };
    expect(await doctor()).toMatchObject([
      { check: "telegram", state: "ok", what: expect.stringContaining("needs no public address") },
      { state: "ok" },
      { state: "ok", what: "The webhook is https://old.example/, 2 updates wait" },
      { state: "warn", what: "The webhook does not deliver message_reaction" },
    ]);
  });

  it("compares the webhook where there is a public address", async () => {
    writeFileSync(
      join(folder.path, "wakeful.yaml"),
      `channels: { telegram: { token: "${STUB_TOKEN}", secret: s, api_base: "${stub.url}" } }\nserver: { public_url: "https://bot.example" }\n`,
    );
    expect(await doctor()).toMatchObject([
      { state: "ok", what: "receives messages at https://bot.example/webhooks/telegram" },
      { state: "ok" },
      { state: "fail", remedy: expect.stringContaining("calls setWebhook with url=https://bot.example") },
    ]);
  });

  it("refuses webhooks alone without a secret, with the line", async () => {
    writeFileSync(
      join(folder.path, "wakeful.yaml"),
      `channels:\n  telegram:\n    token: "${STUB_TOKEN}"\n    receive: webhook\n`,
    );
    const { stderr, code } = await run(["serve"], { cwd: folder.path });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/:4:14 channels\.telegram\.receive: webhooks need secret/),
    ]);
  });
});
