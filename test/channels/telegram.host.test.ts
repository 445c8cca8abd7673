import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import { createDelivery, createShipping } from "../../src/delivery/index.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/clock.ts";
import { STUB_TOKEN, startTelegramStub } from "../support/telegram-stub.ts";
import type { TelegramStub } from "../support/telegram-stub.ts";

const never = new AbortController().signal;
const target = { channel: "telegram", account: "default", chat: "42" };

describe("telegram() over HTTP", () => {
  let stub: TelegramStub;
  beforeAll(async () => void (stub = await startTelegramStub()));
  beforeEach(() => stub.platform.reset());
  afterAll(() => stub.stop());
  const channel = () => telegram({ token: STUB_TOKEN, secret: "secret", apiBase: stub.url });

  it("sends a message with its idempotency key", async () => {
    await channel().send(target, { text: "**Hello** 你好 👩‍👩‍👧", idempotencyKey: "turn.0" }, never);
    expect(stub.platform.sent).toMatchObject([{ chat: "42", text: "Hello 你好 👩‍👩‍👧", idempotencyKey: "turn.0" }]);
  });

  it("finds a broken connection worth a retry, and keeps the token out of the error", async () => {
    // Deno asks again by itself, on a fresh connection, when one that it kept breaks before the answer.
    stub.platform.script([{ kind: "drop" }, { kind: "drop" }]);
    const error = await channel()
      .send(target, { text: "hi" }, never)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ChannelSendError", retryable: true });
    expect(
      `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)} ${(error as Error).stack}`,
    ).not.toContain(STUB_TOKEN);
  });

  it("finds a machine that is not there worth a retry, and keeps the token out of the error", async () => {
    const nowhere = await startTelegramStub();
    await nowhere.stop();
    const error = await telegram({ token: STUB_TOKEN, secret: "secret", apiBase: nowhere.url })
      .send(target, { text: "hi" }, never)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ChannelSendError", retryable: true });
    expect(`${String(error)} ${(error as Error).stack}`).not.toContain(STUB_TOKEN);
  });

  it("ends a call that gets no answer when its signal aborts", async () => {
    stub.platform.script([{ kind: "hang" }]);
    const stop = new AbortController();
    const sending = channel().send(target, { text: "hi" }, stop.signal);
    const ended = expect(sending).rejects.toMatchObject({ retryable: true });
    await polled(() => stub.platform.calls.length).toBe(1);
    stop.abort(new Error("enough"));
    await ended;
  });

  it("is delivered to through 429 and 500, once and in order", async () => {
    const store = memoryStore();
    const clock = systemClock();
    const engine = embeddedEngine({ store, clock });
    const outbox = createOutbox({ store, engine, clock });
    const sessions = { findOut: async () => null, mark: async () => {} };
    const delivery = createDelivery({
      outbox,
      sessions,
      channels: [channel()],
      shipping: createShipping({ outbox, redact: (value) => value, clock }),
      clock,
      engine,
    });
    stub.platform.script([null, { kind: "status", status: 429, retryAfterSeconds: 0.05 }]);
    await engine.start(delivery.handle);
    for (const id of ["m1", "m2", "m3"]) await outbox.enqueue(target, { message: { id, text: id } });
    await polled(() => stub.platform.sent.length, { timeout: 5000 }).toBe(3);
    await engine.stop();
    expect(stub.platform.sent.map(({ text, idempotencyKey }) => `${text} ${idempotencyKey}`)).toEqual([
      "m1 m1.0",
      "m2 m2.0",
      "m3 m3.0",
    ]);
    expect(stub.platform.calls).toHaveLength(4);
  });

  it("refuses a body over the limit that a real server hands on in pieces, and does not read the rest", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const request = new Request("http://localhost/webhooks/telegram", {
      method: "POST",
      headers: { "x-telegram-bot-api-secret-token": "secret" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    await expect(channel().receive!(request)).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(pulled).toBeLessThan(30);
  });
});

describe("the Telegram stub as a process", () => {
  it("says where it is, does as it is told, and ends with its parent's pipe", async () => {
    const script = fileURLToPath(new URL("../support/telegram-stub.ts", import.meta.url));
    const args = "Deno" in globalThis ? ["run", "-A", script] : [script];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const { url } = JSON.parse(line) as { url: string };
      const ask = async (path: string, body?: object) =>
        (
          await fetch(url + path, body ? { method: "POST", body: JSON.stringify(body) } : {})
        ).json() as Promise<unknown>;
      await ask("/_script", { answers: [{ kind: "status", status: 500 }], method: "sendMessage" });
      const channel = telegram({ token: STUB_TOKEN, secret: "secret", apiBase: url });
      await expect(channel.send(target, { text: "one" }, never)).rejects.toMatchObject({ retryable: true });
      await channel.send(target, { text: "two", idempotencyKey: "t.0" }, never);
      expect(await ask("/_sent")).toEqual([{ id: 1, chat: "42", text: "two", idempotencyKey: "t.0" }]);
      expect(await ask("/_count")).toEqual({ sent: 1, calls: 2 });
      const ended = once(child, "exit");
      child.stdin.end();
      expect((await ended)[0]).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
