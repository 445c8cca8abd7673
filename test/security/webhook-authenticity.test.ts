import { describe, expect, it } from "vitest";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import { fakeAssistant } from "../http/support.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { delivery, wholeAssistant } from "./support.ts";

const message = { id: "1", user: "ada", text: "Hello" };
const SECRET = "telegram-secret-0123456789";

function bot() {
  return telegram({ token: "7001:token", secret: SECRET, dm: "open", botUsername: "bot" });
}

function update(headers: Record<string, string>, body = '{"update_id":1}'): Request {
  return new Request("http://localhost/webhooks/telegram", { method: "POST", headers, body });
}

describe("a webhook that is not authentic", () => {
  it("has no route without a channel, nor without a secret", async () => {
    const { app } = fakeAssistant({ channels: [] });
    for (const path of ["/webhooks/telegram", "/webhooks/webhook", "/webhooks/", "/webhooks/telegram/default"])
      expect((await app.request(path, { method: "POST", body: "{}" })).status).toBe(404);
    for (const secret of ["", undefined])
      expect(() => webhook({ secret: secret as string })).toThrow(/secret is missing/);
    expect(() => telegram({ token: "7001:token", secret: "" })).toThrow(/secret/);
    const without = fakeAssistant({ channels: [telegram({ token: "7001:token" })] });
    expect((await without.app.request("/webhooks/telegram", { method: "POST", body: "{}" })).status).toBe(404);
  });

  it.each([
    { title: "without a signature", options: { signature: "" } },
    { title: "with the signature of another secret", options: { secret: "another-secret-0123456789" } },
    { title: "with the signature of another body", options: { signed: { ...message, text: "Hallo" } } },
    { title: "with the signature in capitals", options: { signature: `sha256=${"A".repeat(64)}` } },
    { title: "with an empty timestamp", options: { timestamp: "" } },
    { title: "with a timestamp that is a list", options: { timestamp: "1, 2" } },
    { title: "from the far past", options: { timestamp: "1" } },
    { title: "from the far future", options: { timestamp: "9999999999" } },
  ])("is refused $title, and nothing is stored", async ({ options }) => {
    const { assistant, clock, model } = await wholeAssistant();
    const response = await assistant.fetch(await delivery(clock, message, options));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, "CHANNEL_REJECTED"]);
    expect([await assistant.sessions.list(), model.callCount]).toEqual([[], 0]);
    await assistant.stop();
  });

  it("is let in when it is authentic", async () => {
    const { assistant, clock } = await wholeAssistant();
    expect((await assistant.fetch(await delivery(clock, message))).status).toBe(200);
    await assistant.stop();
  });

  it("is judged by its raw bytes: the same JSON in other bytes does not fit", async () => {
    const { assistant, clock } = await wholeAssistant();
    const spaced = JSON.stringify(message, null, 1);
    expect((await assistant.fetch(await delivery(clock, spaced, { signed: message }))).status).toBe(401);
    expect((await assistant.fetch(await delivery(clock, spaced))).status).toBe(200);
    await assistant.stop();
  });

  it.each(["{", "", "null", "[".repeat(100_000), '{"__proto__":{"id":"1"}}'])(
    "is refused before its body is parsed: %.20s",
    async (body) => {
      const { assistant, clock } = await wholeAssistant();
      const wrong = await delivery(clock, body, { secret: "another-secret-0123456789" });
      expect((await assistant.fetch(wrong)).status).toBe(401);
      expect((await assistant.fetch(await delivery(clock, body))).status).toBe(400);
      await assistant.stop();
    },
  );

  it("cannot be made from two headers of which one is right", async () => {
    const { assistant, clock } = await wholeAssistant();
    const right = (await delivery(clock, message)).headers.get("x-signature") ?? "";
    for (const signature of [
      `${right}, ${right}`,
      `${right}, sha256=${"0".repeat(64)}`,
      `sha256=${"0".repeat(64)}, ${right}`,
    ])
      expect((await assistant.fetch(await delivery(clock, message, { signature }))).status).toBe(401);
    await assistant.stop();
  });

  it.each([
    { title: "no secret", headers: {} },
    { title: "an empty secret", headers: { "x-telegram-bot-api-secret-token": "" } },
    { title: "the beginning of the secret", headers: { "x-telegram-bot-api-secret-token": SECRET.slice(0, -1) } },
    { title: "the secret twice", headers: { "x-telegram-bot-api-secret-token": `${SECRET}, ${SECRET}` } },
    { title: "the secret and another", headers: { "x-telegram-bot-api-secret-token": `${SECRET}, x` } },
    { title: "the bot's token", headers: { "x-telegram-bot-api-secret-token": "7001:token" } },
  ])("of Telegram is refused with $title, before its body is read", async ({ headers }) => {
    const { app, inputs } = fakeAssistant({ channels: [bot()] });
    const request = update(headers, "{");
    expect((await app.request(request)).status).toBe(401);
    expect([request.bodyUsed, inputs]).toEqual([false, []]);
  });

  it("gets no handshake answered", async () => {
    const clock = fakeClock();
    const { app } = fakeAssistant({ channels: [bot(), webhook({ secret: SECRET, dm: "open", clock })] });
    for (const channel of ["telegram", "webhook"]) {
      const response = await app.request(`/webhooks/${channel}?challenge=canary&hub.challenge=canary`);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("canary");
    }
  });
});
