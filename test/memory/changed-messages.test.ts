import { describe, expect, it } from "vitest";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, delayed, says } from "../../src/testing/scripted-model.ts";
import { updates } from "../channels/fixtures/telegram.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { telegramPlatform } from "../support/telegram-platform.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";
import { promptOf, remembering } from "./assistant.ts";

const TOKEN = "7001:AAHtoken";
const SECRET = "telegram-secret";
const ADA = "telegram:42";
/** Of updates, over all lives of a process. */
const numbers = (function* () {
  for (let id = 910_000; ; id += 1) yield id;
})();

/** An assistant behind Telegram, which delivers updates as the platform writes them. */
async function behindTelegram(options: TestAssistantOptions = {}) {
  const { clock = fakeClock(), store = memoryStore(), life } = options;
  const platform = telegramPlatform({ token: TOKEN });
  const { engine, isIdle } = watchedEngine(embeddedEngine(life ?? { store, clock }));
  const access = { dm: "open", groups: "mention", botUsername: "wakeful_bot" } as const;
  const channel = telegram({ token: TOKEN, secret: SECRET, fetch: platform.fetch, apiBase: "http://stub", ...access });
  const t = await testAssistant({
    script: () => says("Noted"),
    channels: [channel],
    engine,
    queue: { debounceMs: 0 },
    ...options,
    clock,
    store,
  });
  const settle = (ms = 5000) => settled(clock, isIdle, { ms, steps: 25 });

  async function deliver(update: unknown): Promise<number> {
    const { status } = await t.assistant.fetch(
      new Request("https://a.example/webhooks/telegram", {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET },
        body: JSON.stringify(update),
      }),
    );
    return status;
  }
  const message = (id: number, text: string, more: object = {}) => ({
    update_id: numbers.next().value,
    message: { ...updates.direct.message, message_id: id, text, ...more },
  });
  const edit = (id: number, text: string, more: object = {}) => ({
    update_id: numbers.next().value,
    edited_message: { ...updates.edited.edited_message, message_id: id, text, ...more },
  });
  return {
    ...t,
    settle,
    deliver,
    message,
    edit,
    async told(update: unknown) {
      expect(await deliver(update)).toBe(200);
      await settle();
    },
    contents: async (userId = ADA) => {
      const contents: string[] = [];
      for await (const { content } of t.assistant.memory.list(userId)) contents.push(content);
      return contents.sort();
    },
    recalled: async (text: string, userId = ADA) =>
      (await t.assistant.memory.recall({ userId, text })).map(({ entry }) => entry.content),
  };
}

describe("a message that is edited on its platform", () => {
  it("is captured again, and what was captured before is recalled no more, not by the archive, a day or MEMORY.md either", async () => {
    const { told, message, edit, contents, recalled, assistant, model } = await behindTelegram();
    await told(message(11, "I live in Oslo."));
    expect(await contents()).toEqual(["I live in Oslo."]);
    await assistant.memory.digest({ userId: ADA });
    await assistant.memory.extract({ userId: ADA });
    const asked = model.requests.length;
    await told(edit(11, "I live in Bergen."));
    expect(await contents()).toEqual(["I live in Bergen."]);
    expect(await recalled("Where do I live, in Oslo?")).toEqual(["I live in Bergen."]);
    expect(await assistant.memory.counts(ADA)).toMatchObject({ entries: 1, archived: 0 });
    // No turn of its own.
    expect(model.requests).toHaveLength(asked);
    await told(message(12, "Thanks!"));
    expect(promptOf(model.requests.slice(asked))).toContain(
      String.raw`edited an earlier message that began \"I live in Oslo.\", which now reads:\nI live in Bergen.`,
    );
  });

  it("keeps what it says as before, and lets go of what it says no more", async () => {
    const { told, message, edit, contents } = await behindTelegram();
    await told(message(11, "I live in Oslo. I am allergic to nuts."));
    expect(await contents()).toHaveLength(2);
    await told(edit(11, "I am allergic to nuts."));
    expect(await contents()).toEqual(["I am allergic to nuts."]);
    await told(edit(11, "Never mind!"));
    expect(await contents()).toEqual([]);
  });

  it("counts once when it is delivered twice, and not at all when a newer edit came before", async () => {
    const { told, message, edit, contents, store } = await behindTelegram();
    const { edit_date: at } = updates.edited.edited_message;
    await told(message(11, "I live in Oslo."));
    const newer = edit(11, "I live in Bergen.", { edit_date: at + 10 });
    await told(newer);
    await told(newer);
    await told(edit(11, "I live in Tromsø.", { edit_date: at + 5 }));
    expect(await contents()).toEqual(["I live in Bergen."]);
    // Within one second the later delivery is the newer one.
    await told(edit(11, "I live in Bodø.", { edit_date: at + 10 }));
    expect(await contents()).toEqual(["I live in Bodø."]);
    const keys: string[] = [];
    for await (const { key } of store.list("memory/telegram:42/entries/")) keys.push(key);
    expect(keys).toHaveLength(1);
  });

  it("is in its message, which is delivered after it", async () => {
    const { told, message, edit, contents, model } = await behindTelegram();
    await told(edit(11, "I live in Bergen."));
    await told(message(11, "I live in Oslo."));
    expect(await contents()).toEqual(["I live in Bergen."]);
    expect(model.requests).toHaveLength(1);
    expect(promptOf(model.requests)).not.toContain("Oslo");
  });

  it("touches nothing of another chat, of another person, or of a message that nobody knows", async () => {
    const { told, message, edit, contents } = await behindTelegram();
    const bo = { from: { ...updates.direct.message.from, id: 43 }, chat: { ...updates.direct.message.chat, id: 43 } };
    await told(message(11, "I live in Oslo."));
    await told(message(11, "I live in Paris.", bo));
    await told(edit(11, "I live in Rome.", bo));
    await told(edit(99, "I live in Athens."));
    expect(await contents()).toEqual(["I live in Oslo."]);
    expect(await contents("telegram:43")).toEqual(["I live in Rome."]);
  });

  it("is the group's in a group, named after its writer, whether or not the edit addresses the assistant", async () => {
    const { told, message, edit, contents } = await behindTelegram();
    const { chat, from } = updates.groupMention.message;
    const mention = (text: string) => ({ chat, from, entities: [{ type: "mention", offset: 0, length: 12 }], text });
    const group = `group:telegram:${chat.id}`;
    await told(message(21, "", mention("@wakeful_bot I live in Oslo.")));
    expect(await contents(group)).toEqual([expect.stringContaining("Oslo")]);
    const other = { ...from, id: 43 };
    await told(edit(21, "I live in Rome.", { chat, from: other }));
    expect(await contents(group)).toEqual([expect.stringContaining("Oslo")]);
    await told(edit(21, "I live in Bergen.", { chat, from }));
    expect(await contents(group)).toEqual([expect.stringMatching(/: I live in Bergen\.$/)]);
    expect(await contents()).toEqual([]);
  });

  it("is answered as it reads now while it waits, once, and what it said before is kept nowhere in memory", async () => {
    const { deliver, settle, message, edit, contents, model } = await behindTelegram({ queue: { debounceMs: 2000 } });
    await deliver(message(11, "I live in Oslo."));
    await deliver(edit(11, "I live in Bergen."));
    await settle();
    expect(model.requests).toHaveLength(1);
    expect(promptOf(model.requests)).toContain("I live in Bergen.");
    expect(promptOf(model.requests)).not.toContain("Oslo");
    expect(await contents()).toEqual(["I live in Bergen."]);
  });

  it("changes what was wanted of a turn that used tools, and what the model noted of it", async () => {
    const steps = [calls(["memory_write", { content: "Lives in Oslo, near the harbour" }]), calls(["list_files", {}])];
    const { told, message, edit, contents } = await behindTelegram({ script: () => steps.shift() ?? says("Done") });
    await told(message(11, "Remember: we moved to Oslo, near the harbour"));
    expect(await contents()).toEqual([
      expect.stringMatching(/^Goal: Remember: we moved to Oslo/),
      "Lives in Oslo, near the harbour",
      expect.stringMatching(/^memory_write→list_files: .*Oslo/),
    ]);
    await told(edit(11, "Remember: we moved to Bergen, near the harbour"));
    const after = await contents();
    expect(after.join("\n")).not.toContain("Oslo");
    expect(after).toContainEqual(expect.stringMatching(/^Goal: Remember: we moved to Bergen.*\nTools: list_files/));
    expect(after).toContainEqual(expect.stringMatching(/^(?!Goal).*Bergen/));
  });

  it("takes along what the model noted of it alone in a turn that answered several messages", async () => {
    const noted = ["I like jazz", "I like tango", "I like tea"].map(
      (content) => ["memory_write", { content }] as const,
    );
    const steps = [calls(...noted)];
    const { deliver, settle, told, message, edit, contents } = await behindTelegram({
      script: () => steps.shift() ?? says("Done"),
      queue: { debounceMs: 1000 },
    });
    await deliver(message(11, "remember that I like jazz"));
    await deliver(message(12, "remember that I like tango"));
    await deliver(message(13, "remember that I like tea"));
    await deliver(message(14, "yes, that I like tea"));
    await settle();
    const before = await contents();
    expect(before).toEqual(expect.arrayContaining(["I like jazz", "I like tango", "I like tea"]));
    await told(edit(12, "never mind"));
    expect(await contents()).not.toContain("I like tango");
    // The other message says it still.
    await told(edit(13, "never mind"));
    expect(await contents()).toEqual(expect.arrayContaining(["I like jazz", "I like tea"]));
    await told(edit(14, "never mind"));
    expect(await contents()).not.toContain("I like tea");
    expect(await contents()).toContain("I like jazz");
  });

  it("is followed after a crash that came between its arrival and its effect", async () => {
    const { store, clock, told, message, assistant } = await behindTelegram();
    await told(message(11, "I live in Oslo."));
    await assistant.stop();
    const life = beginLife(store, clock);
    const second = await behindTelegram({ store, clock, life });
    const edit = second.edit(11, "I live in Bergen.");
    expect(await second.deliver(edit)).toBe(200);
    life.kill();
    const third = await behindTelegram({ store, clock });
    await third.settle();
    expect(await third.contents()).toEqual(["I live in Bergen."]);
  });
});

describe("a message that is deleted on its platform", () => {
  async function chatting(options: TestAssistantOptions = {}) {
    const t = await remembering(options);
    const [channel] = t.channels;
    const peer = { kind: "direct" as const, id: "1" };
    const send = async (id: string, text: string, more: object = {}) => {
      const message = { id, messageId: id, text, peer, sender: { id: "1", name: "Ada" }, mentioned: true, ...more };
      await t.assistant.fetch(channel!.request([message]));
    };
    return {
      ...t,
      send,
      async told(id: string, text: string, more: object = {}) {
        await send(id, text, more);
        await t.settle();
      },
      remove: (id: string, of: string) => send(id, "", { kind: "deletion", messageId: of }),
      contents: async () => {
        const contents: string[] = [];
        for await (const { content } of t.assistant.memory.list("telegram:1")) contents.push(content);
        return contents.sort();
      },
    };
  }

  it("takes its entries along, and the model hears of it with the next message", async () => {
    const { told, remove, settle, contents, model, assistant } = await chatting();
    await told("1", "I live in Oslo.");
    await assistant.memory.extract({ userId: "telegram:1" });
    await remove("2", "1");
    await settle();
    expect(await contents()).toEqual([]);
    expect(await assistant.memory.recall({ userId: "telegram:1", text: "Oslo" })).toEqual([]);
    const asked = model.requests.length;
    await told("3", "Hello");
    expect(promptOf(model.requests.slice(asked))).toContain("Ada deleted an earlier message");
  });

  it("leaves what another message confirmed, until that one is deleted too", async () => {
    const { told, remove, settle, contents } = await chatting();
    await told("1", "I am allergic to nuts.");
    await told("2", "I am allergic to nuts!");
    expect(await contents()).toHaveLength(1);
    await remove("3", "1");
    await settle();
    expect(await contents()).toHaveLength(1);
    await remove("4", "2");
    await settle();
    expect(await contents()).toEqual([]);
  });

  it("leaves what a person changed in memory since", async () => {
    const { told, remove, settle, contents, assistant, clock } = await chatting();
    await told("1", "I live in Oslo.");
    for await (const { id } of assistant.memory.list("telegram:1")) {
      await clock.advance(1000);
      await assistant.memory.update("telegram:1", id, { content: "Lives in Oslo, at the harbour" });
    }
    await remove("2", "1");
    await settle();
    expect(await contents()).toEqual(["Lives in Oslo, at the harbour"]);
  });

  it("is not answered while it waits, and what waits beside it is", async () => {
    const { send, remove, settle, contents, model } = await chatting({ queue: { debounceMs: 2000 } });
    await send("1", "I live in Oslo.");
    await send("2", "How are you?");
    await remove("3", "1");
    await settle();
    expect(model.requests).toHaveLength(1);
    expect(promptOf(model.requests)).toContain("How are you?");
    expect(promptOf(model.requests)).not.toContain("Oslo");
    expect(await contents()).toEqual([]);
    // Alone it is no reason to ask a model.
    await send("4", "I live in Paris.");
    await remove("5", "4");
    await settle();
    expect(model.requests).toHaveLength(1);
    await send("6", "Anything else?");
    await settle();
    expect(promptOf(model.requests)).not.toMatch(/Oslo|Paris/);
  });

  it("is taken back from a turn that is at work by the next one, which is told of it", async () => {
    const { send, remove, settle, contents, model, clock } = await chatting({
      script: () => (model.requests.length === 1 ? delayed(3000, says("Oslo it is")) : says("Noted")),
    });
    await send("1", "I live in Oslo.");
    await until(clock, () => model.requests.length === 1, { stepMs: 50 });
    await remove("2", "1");
    await settle();
    expect(await contents()).toEqual([]);
    await send("3", "Anything else?");
    await settle();
    const last = promptOf(model.requests.slice(-1));
    expect(last).toContain("I live in Oslo.");
    expect(last).toContain('Ada deleted an earlier message that began \\\"I live in Oslo.');
  });

  it("stays deleted, whatever edit of it comes late", async () => {
    const { told, remove, settle, contents } = await chatting();
    await told("1", "I live in Oslo.");
    await remove("2", "1");
    await settle();
    await told("3", "I live in Bergen.", { kind: "edit", messageId: "1" });
    expect(await contents()).toEqual([]);
  });
});
