import { describe, expect, it } from "vitest";
import { type TelegramOptions, telegram } from "../../adapters/channels/telegram/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { hangs } from "../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { beginLife } from "../support/life.ts";
import { moment } from "../support/moment.ts";
import { telegramPlatform } from "../support/telegram-platform.ts";
import { until } from "../support/until.ts";
import { updates } from "./fixtures/telegram.ts";

const token = "7001:AAHtoken";
const secret = "telegram-secret";
const ALLOWED = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query",
  "message_reaction",
];
const never = new AbortController().signal;

/** Processes that share a platform, a clock and a store. */
function setUp() {
  const clock = fakeClock();
  const store = memoryStore();
  const platform = telegramPlatform({ token });
  const lines: string[] = [];
  const said = (level: string) => (text: string, fields?: object) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields ?? {})}`);
  const logger = { debug: said("debug"), info: said("info"), warn: said("warn"), error: said("error") };
  const boot = async (options: TestAssistantOptions = {}, bot: Partial<TelegramOptions> = {}) => {
    const channel = telegram({ token, dm: "open", fetch: platform.fetch, clock, apiBase: "http://stub", ...bot });
    const t = await testAssistant({
      store,
      clock,
      logger,
      channels: [channel],
      queue: { debounceMs: 0 },
      server: { token: OWNER_TOKEN },
      ...options,
      start: false,
    });
    await t.assistant.start({ listen: true });
    return t;
  };
  const calls = (method: string) =>
    platform.calls.filter((call) => call.method === method).map(({ payload }) => payload);
  return { clock, store, platform, lines, boot, calls };
}

/** Time passes in small steps, with a turn of the event loop after each: requests take some. */
async function letPass({ clock }: { clock: FakeClock }, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await clock.advance(500);
    await moment();
  }
}

const message = (id: number, text: string) => ({
  ...updates.direct,
  update_id: id,
  message: { ...updates.direct.message, message_id: id, text },
});

const texts = ({ platform }: ReturnType<typeof setUp>) => platform.sent.map(({ text }) => text);

describe("a Telegram bot without a public address", () => {
  it("asks for its messages, answers them, and confirms what it has stored", async () => {
    const t = setUp();
    await t.boot({ script: ["one", "two"] });
    t.platform.push(message(1, "first"));
    await until(t.clock, () => t.platform.sent.length === 1);
    t.platform.push(message(2, "second"));
    await until(t.clock, () => t.platform.sent.length === 2);
    expect(texts(t)).toEqual(["one", "two"]);
    // What is stored is confirmed by the next question, beside the answer.
    await until(t.clock, () => t.platform.waiting.length === 0);
    expect(t.platform.waiting).toEqual([]);
    // On a busy machine more time passes, and one that brought nothing is asked again.
    const asked = t.calls("getUpdates").map((call) => JSON.stringify(call));
    expect([...new Set(asked)].map((call) => JSON.parse(call) as unknown)).toEqual([
      { timeout: 50, allowed_updates: ALLOWED },
      { offset: 2, timeout: 50, allowed_updates: ALLOWED },
      { offset: 3, timeout: 50, allowed_updates: ALLOWED },
    ]);
    expect(t.calls("deleteWebhook")).toEqual([]);
  });

  it("answers once what comes again because the process died before it confirmed it", async () => {
    const t = setUp();
    t.platform.push(message(1, "hello"));
    // Each life ends in the middle of a write, later and later: before the message is stored, after it, in the midst of its turn.
    for (let writes = 0; writes < 16; writes += 1) {
      const life = beginLife(t.store, t.clock, writes);
      void t.boot({ life, script: ["answered"] }); // some do not live until they have started
      await letPass(t, 20_000);
      life.kill();
    }
    await t.boot({ script: ["answered"] });
    await until(t.clock, () => t.platform.sent.length > 0);
    await letPass(t, 60_000);
    expect(t.platform.waiting).toEqual([]);
    expect(t.platform.handedOut.get(1)).toBeGreaterThan(1);
    expect(new Set(t.platform.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    const records: unknown[] = [];
    for await (const { key } of t.store.list("sessions/"))
      if (key.endsWith(".jsonl")) for await (const { record } of t.store.read(key)) records.push(record);
    expect(records.filter((record) => (record as { type: string }).type === "in")).toMatchObject([
      { id: "telegram:default:1" },
    ]);
  });

  it("takes an update that also comes by webhook for the same message", async () => {
    const t = setUp();
    const { assistant } = await t.boot({ script: ["once", "twice"] }, { secret });
    const webhook = () =>
      assistant.fetch(
        new Request("https://assistant.example/webhooks/telegram", {
          method: "POST",
          headers: { "x-telegram-bot-api-secret-token": secret },
          body: JSON.stringify(message(1, "hello")),
        }),
      );
    expect((await webhook()).status).toBe(200);
    t.platform.push(message(1, "hello"));
    await until(t.clock, () => t.platform.waiting.length === 0);
    expect((await webhook()).status).toBe(200);
    await letPass(t, 60_000);
    expect(texts(t)).toEqual(["once"]);
  });

  it("passes over an update that it cannot read, and says so, instead of asking for it for ever", async () => {
    const t = setUp();
    await t.boot();
    t.platform.push({ update_id: 1, message: { text: "no chat" } }, message(2, "hello"));
    await until(t.clock, () => t.platform.sent.length > 0);
    await until(t.clock, () => t.platform.waiting.length === 0);
    expect(t.platform.waiting).toEqual([]);
    expect(t.lines.filter((line) => line.includes("The Telegram update 1 is skipped"))).toHaveLength(1);
  });

  it("ends a button's waiting sign", async () => {
    const t = setUp();
    await t.boot();
    t.platform.push(updates.callbackQuery);
    await until(t.clock, () => t.calls("answerCallbackQuery").length > 0);
    expect(t.calls("answerCallbackQuery")).toEqual([{ callback_query_id: updates.callbackQuery.callback_query.id }]);
    await until(t.clock, () => t.platform.waiting.length === 0);
  });

  it("keeps a webhook that is set at Telegram and names it, until it is gone", async () => {
    const t = setUp();
    t.platform.webhookInfo = { url: "https://old.example/hook", pending_update_count: 1 };
    t.platform.push(message(1, "waited"));
    const { assistant, call } = await t.boot();
    await until(t.clock, () => t.lines.length > 0, { stepMs: 0 });
    await letPass(t, 60_000);
    expect([t.calls("deleteWebhook"), t.calls("getUpdates")]).toEqual([[], []]);
    expect(t.lines.filter((line) => line.includes("Messages go to the webhook https://old.example/hook"))).toHaveLength(
      1,
    );
    expect(await (await call("/channels")).json()).toMatchObject({
      channels: [{ state: "retrying", detail: expect.stringContaining("https://old.example/hook") }],
    });
    t.platform.webhookInfo = { url: "" };
    await t.clock.advance(3_600_000);
    await until(t.clock, () => t.platform.sent.length > 0);
    await assistant.stop();
  });

  it("deletes the webhook that keeps messages away where it shall ask, keeps what waits there, and says so", async () => {
    const t = setUp();
    t.platform.webhookInfo = { url: "https://old.example/hook", pending_update_count: 1 };
    t.platform.push(message(1, "waited"));
    await t.boot({}, { receive: "poll" });
    await until(t.clock, () => t.platform.sent.length > 0);
    expect(t.calls("deleteWebhook")).toEqual([{}]);
    expect(t.lines.filter((line) => line.includes("https://old.example/hook was deleted"))).toHaveLength(1);
  });

  it.each([
    { title: "another program", description: "terminated by other getUpdates request", says: "another program polls" },
    { title: "a webhook", description: "can't use getUpdates method while webhook is active", says: "a webhook was" },
  ])("explains that $title is in the way, and asks again", async ({ description, says }) => {
    const t = setUp();
    t.platform.script([{ kind: "status", status: 409, description: `Conflict: ${description}` }], {
      method: "getUpdates",
    });
    await t.boot();
    t.platform.push(message(1, "hello"));
    await until(t.clock, () => t.platform.sent.length > 0);
    expect(t.lines.filter((line) => line.startsWith("warn") && line.includes(says))).toHaveLength(1);
    expect(t.calls("deleteWebhook")).toEqual([]);
  });

  it("waits as long as Telegram asks", async () => {
    const t = setUp();
    t.platform.script([{ kind: "status", status: 429, retryAfterSeconds: 33 }], { method: "getUpdates" });
    await t.boot();
    await until(t.clock, () => t.lines.some((line) => line.includes('"inSeconds":33')), { stepMs: 0 });
    await t.clock.advance(32_999);
    expect(t.calls("getUpdates")).toHaveLength(1);
    await t.clock.advance(1);
    await until(t.clock, () => t.calls("getUpdates").length === 2, { stepMs: 0 });
  });

  it("gives up a request that is not answered for a minute, and asks again", async () => {
    const t = setUp();
    t.platform.script([{ kind: "hang" }], { method: "getUpdates" });
    await t.boot();
    t.platform.push(message(1, "hello"));
    await letPass(t, 60_000);
    expect([t.calls("getUpdates").length, t.platform.sent.length]).toEqual([1, 0]);
    await until(t.clock, () => t.platform.sent.length > 0);
  });

  it.each([401, 404])("says that its token is refused with %i when it looks for a webhook too", async (status) => {
    const t = setUp();
    const refused = Array.from(
      { length: 20 },
      () => ({ kind: "status", status, description: "Unauthorized" }) as const,
    );
    t.platform.script(refused, { method: "getWebhookInfo" });
    await t.boot();
    await letPass(t, 60_000);
    expect(t.calls("getWebhookInfo")).toHaveLength(3);
    expect(t.lines.filter((line) => line.startsWith("error") && line.includes("refuses the token"))).toHaveLength(1);
  });

  it.each([401, 404])("stops soon when its token is refused with %i, and shows it to nobody", async (status) => {
    const t = setUp();
    const refused = { kind: "status", status, description: "Unauthorized" } as const;
    t.platform.script(
      Array.from({ length: 20 }, () => refused),
      { method: "getUpdates" },
    );
    const { call } = await t.boot();
    await letPass(t, 120_000);
    expect(t.calls("getUpdates")).toHaveLength(3);
    expect(t.lines.filter((line) => line.startsWith("error") && line.includes("refuses the token"))).toHaveLength(1);
    expect(t.lines.join("\n")).not.toContain(token);
    expect(await (await call("/channels")).json()).toMatchObject({
      channels: [{ channel: "telegram", account: "default", by: "listen", state: "refused" }],
    });
  });

  it("is listened for by one of two processes, and the other says which, and takes over when it dies", async () => {
    const t = setUp();
    const life = beginLife(t.store, t.clock);
    const named = (name: string) => ({ platform: { processName: () => name } });
    await t.boot({ life, ...named("one:1") });
    await until(t.clock, () => t.calls("getUpdates").length === 1);
    const second = await t.boot(named("two:2"));
    await letPass(t, 60_000);
    expect(t.calls("getUpdates")).toHaveLength(1);
    expect(await (await second.call("/channels")).json()).toMatchObject({
      channels: [{ state: "waiting", detail: expect.stringMatching(/^the process one:1 listens since \S+Z$/) }],
    });
    expect(t.lines.filter((line) => line.includes("the process one:1 listens since"))).toHaveLength(1);
    life.kill();
    t.platform.push(message(1, "hello"));
    await letPass(t, 20_000);
    await until(t.clock, () => t.platform.sent.length > 0);
    await letPass(t, 60_000);
    expect(t.platform.waiting).toEqual([]);
    expect(new Set(t.platform.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it("answers what the process had confirmed and not answered that it takes over from, once", async () => {
    const t = setUp();
    const life = beginLife(t.store, t.clock);
    await t.boot({ life, script: [hangs()] });
    await until(t.clock, () => t.calls("getUpdates").length === 1);
    await t.boot({ script: ["taken up"] });
    t.platform.push(message(1, "hello"));
    // The next question confirms it.
    await until(t.clock, () => t.calls("getUpdates").length === 2);
    life.kill();
    await until(t.clock, () => t.calls("getUpdates").length === 3);
    // Were the other only stopping, it would end its work itself.
    expect(texts(t)).toEqual([]);
    await letPass(t, 60_000);
    expect(texts(t)).toEqual(["taken up"]);
  });

  it("shows how its channels are connected to the owner alone", async () => {
    const t = setUp();
    const { call } = await t.boot();
    await until(t.clock, async () => JSON.stringify(await (await call("/channels")).json()).includes("open"));
    expect((await call("/channels", { token: "" })).status).toBe(401);
  });
});

describe("a Telegram bot at a public address", () => {
  const server = { token: OWNER_TOKEN, publicUrl: "https://bot.example.com" };
  const url = "https://bot.example.com/webhooks/telegram";

  it("registers its webhook, once, and asks for nothing", async () => {
    const t = setUp();
    const first = await t.boot({ server }, { secret });
    await until(t.clock, () => t.calls("setWebhook").length > 0);
    expect(t.calls("setWebhook")).toEqual([{ url, secret_token: secret, allowed_updates: ALLOWED }]);
    const stopping = first.assistant.stop({ graceMs: 0 });
    await t.clock.advance(10_000);
    await stopping;
    const second = await t.boot({ server, store: memoryStore() }, { secret });
    await until(t.clock, async () => JSON.stringify(await (await second.call("/channels")).json()).includes("open"));
    expect(t.calls("setWebhook")).toHaveLength(1);
    expect(t.calls("getUpdates")).toEqual([]);
  });

  it.each([
    { title: "it points elsewhere", info: { url: "https://old.example", allowed_updates: ALLOWED }, times: 1 },
    { title: "it brings other updates", info: { url, allowed_updates: ["message"] }, times: 1 },
    {
      title: "it has another secret",
      info: {
        url,
        allowed_updates: ALLOWED,
        pending_update_count: 2,
        last_error_message: "Wrong response from the webhook: 401 Unauthorized",
      },
      times: 1,
    },
    {
      title: "nothing",
      info: { url, allowed_updates: ALLOWED.toReversed(), pending_update_count: 2, last_error_message: "timed out" },
      times: 0,
    },
  ])("is registered again because $title", async ({ info, times }) => {
    const t = setUp();
    t.platform.webhookInfo = info;
    const channel = telegram({ token, secret, fetch: t.platform.fetch });
    const changes = await channel.setUp({ webhookUrl: url, signal: never });
    expect([changes.length, t.calls("setWebhook").length]).toEqual([times, times]);
  });

  it("asks for its messages all the same where it has no secret, or shall", async () => {
    for (const bot of [{}, { secret, receive: "poll" }] as const) {
      const t = setUp();
      await t.boot({ server }, bot);
      await until(t.clock, () => t.calls("getUpdates").length > 0);
      expect(t.calls("setWebhook")).toEqual([]);
    }
  });
});

describe("telegram({ receive })", () => {
  const has = (options: Partial<TelegramOptions>) => {
    const channel = telegram({ token, ...options });
    return { receive: channel.receive !== undefined, listen: channel.listen !== undefined };
  };
  it.each([
    { options: {}, is: { receive: false, listen: true } },
    { options: { secret }, is: { receive: true, listen: true } },
    { options: { secret, receive: "poll" }, is: { receive: false, listen: true } },
    { options: { secret, receive: "webhook" }, is: { receive: true, listen: false } },
  ] as const)("of $options leaves open the ways $is", ({ options, is }) => {
    expect(has(options)).toEqual(is);
  });

  it("leaves a webhook that people registered alone when it is the only way, and no address is known", async () => {
    const t = setUp();
    t.platform.webhookInfo = { url: "https://by-hand.example" };
    await t.boot({}, { secret, receive: "webhook" });
    await letPass(t, 60_000);
    expect(t.platform.calls).toEqual([]);
  });
});

describe("telegram().verifySetup() of a bot that asks for its messages", () => {
  it.each([
    {
      title: "no webhook",
      info: { url: "", pending_update_count: 1 },
      what: "no webhook is registered, 1 update waits",
    },
    {
      title: "a webhook, with receive: poll",
      info: { url: "https://old.example" },
      receive: "poll",
      what: "https://old.example is deleted when",
    },
    {
      title: "a webhook that is kept",
      info: { url: "https://old.example", allowed_updates: ALLOWED },
      what: "The webhook is https://old.example",
    },
  ] as const)("finds nothing wrong with $title", async ({ info, what, ...bot }) => {
    const t = setUp();
    t.platform.webhookInfo = info;
    const findings = await telegram({
      token,
      fetch: t.platform.fetch,
      ...("receive" in bot && { receive: bot.receive }),
    }).verifySetup({ signal: never });
    expect(findings.map(({ ok }) => ok)).toEqual([true, true]);
    expect(findings[1]?.what).toContain(what);
  });
});
