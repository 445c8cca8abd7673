import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { ChannelSendError } from "../../src/channel.ts";
import { AssistantError } from "../../src/errors.ts";
import type { Attachment } from "../../src/message.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { calls, hangs, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { OWNER_TOKEN, type TestAssistantOptions, type Writing, testAssistant } from "../support/assistant.ts";

const MB = 1_048_576;
const OWNER = {
  authorization: `Bearer ${OWNER_TOKEN}`,
  "content-type": "application/json",
};

/** The text of every message of every prompt, as the model was asked. */
function promptsOf(model: ReturnType<typeof scriptedModel>): string[] {
  return model.requests.map(({ prompt }) => JSON.stringify(prompt));
}

function dataUrl(bytes: number): string {
  return `data:image/png;base64,${"QUJD".repeat(Math.ceil(bytes / 3))}`;
}

async function sizeOf(records: Promise<readonly unknown[]>): Promise<number> {
  return JSON.stringify(await records).length;
}

/** An assistant whose channel fetches files with `download`, if it can. */
async function setUp(options: TestAssistantOptions = {}, download?: (file: Attachment) => Promise<Uint8Array>) {
  const channel = {
    ...inMemoryChannel(),
    ...(download && { download: async (file: Attachment) => ({ bytes: await download(file) }) }),
  };
  const t = await testAssistant({ script: () => says("seen"), channel, server: { token: OWNER_TOKEN }, ...options });
  const tell = ({ text = "look", ...message }: Writing & { text?: string }) => t.receive(text, message);
  return { ...t, tell };
}

const SESSION = "agent:main:memory:direct:42";
const file: Attachment = { mediaType: "text/csv", name: "../a.csv", url: "memory-file:1" };

describe("a file that comes with a message", () => {
  it("of 5 MB through send is an artifact, and the log stays small", async () => {
    const { assistant, records, model } = await setUp();
    const attachments = [{ mediaType: "image/png", name: "photo.png", url: dataUrl(5 * MB - 3) }];
    await assistant.send({ text: "look", session: "s", id: "1", attachments });
    const [kept] = await assistant.artifacts.list({ session: "s" });
    expect(kept).toMatchObject({ origin: "attachment", name: "photo.png", mediaType: "image/png" });
    expect(await sizeOf(records())).toBeLessThan(4000);
    expect(promptsOf(model)[0]).toContain(`[attached: photo.png (image/png, 5 MB), artifact ${kept?.id}]`);

    await assistant.send({ text: "look", session: "s", id: "1", attachments });
    expect(await assistant.artifacts.list({ session: "s" })).toHaveLength(1);
    await assistant.send({ text: "again", session: "s" });
    expect(promptsOf(model)[1]).toContain(`artifact ${kept?.id}]`);
    expect(await sizeOf(records())).toBeLessThan(6000);
    await assistant.stop();
  });

  it("of 5 MB through useChat is one too, and is downloaded again", async () => {
    const { assistant, records, model } = await setUp();
    const parts = [
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", filename: "photo.png", url: dataUrl(5 * MB - 3) },
    ];
    const body = JSON.stringify({ id: "c", messages: [{ id: "m", role: "user", parts }] });
    const chat = await assistant.fetch(
      new Request("http://localhost/api/v1/chat", { method: "POST", headers: OWNER, body }),
    );
    expect(await chat.text()).toContain("seen");
    const get = async (path: string) =>
      assistant.fetch(new Request(`http://localhost/api/v1/sessions/web:c/artifacts${path}`, { headers: OWNER }));
    const { artifacts } = (await (await get("")).json()) as {
      artifacts: { id: string; bytes: number }[];
    };
    const [kept] = artifacts;
    expect(artifacts).toMatchObject([{ name: "photo.png", bytes: 5 * MB - 2 }]);
    expect((await (await get(`/${kept?.id}`)).arrayBuffer()).byteLength).toBe(5 * MB - 2);
    expect(promptsOf(model)[0]).toContain(`artifact ${kept?.id}]`);
    expect(await sizeOf(records())).toBeLessThan(4000);
    await assistant.stop();
  });

  it("at its platform is fetched when its turn begins, and can be read by artifact_read", async () => {
    const asked: (string | undefined)[] = [];
    const id = (prompt: string) => /artifact ([0-9A-Z]{26})/.exec(prompt)?.[1];
    const model = scriptedModel(
      (prompt, index) => {
        const told = JSON.stringify(prompt);
        return index === 0 ? calls(["artifact_read", { id: id(told) }]) : says("read");
      },
      { record: true },
    );
    const { clock, channel, tell, records } = await setUp({ model }, async ({ url }) => {
      asked.push(url);
      return new TextEncoder().encode("name,town\nAda,London\n");
    });
    await tell({ id: "1", attachments: [file] });
    await until(clock, () => channel.textsTo("42").includes("read"));
    const prompts = promptsOf(model);
    expect(prompts[0]).toContain("[attached: a.csv (text/csv, 21 bytes), artifact ");
    expect(prompts[1]).toContain("Ada,London");
    await tell({ id: "1", attachments: [file] });
    await tell({ id: "2", text: "and now?" });
    await until(clock, () => channel.textsTo("42").length === 2);
    expect(promptsOf(model)[2]).toContain(`artifact ${id(prompts[0] ?? "")}]`);
    expect(asked).toEqual(["memory-file:1"]);
    expect((await records()).filter(({ type }) => type === "files")).toHaveLength(1);
  });

  it("is fetched and told when its message joins a turn that runs", async () => {
    const began: string[] = [];
    const model = scriptedModel(
      async (_prompt, index) => {
        if (index > 0) return says("seen");
        began.push("");
        await until(setup.clock, () => began.length === 2);
        return calls(["time", {}]);
      },
      { record: true },
    );
    const setup = await setUp({ model, queue: { mode: "steer", debounceMs: 0 } }, async () => new Uint8Array(3));
    const { clock, channel, tell } = setup;
    await tell({ id: "1" });
    await until(clock, () => began.length === 1);
    await tell({ id: "2", attachments: [file] });
    began.push("");
    await until(clock, () => channel.textsTo("42").includes("seen"));
    expect(promptsOf(model)).toHaveLength(2);
    expect(promptsOf(model)[1]).toMatch(/a\.csv \(text\/csv, 3 bytes\), artifact [0-9A-Z]{26}\]/);
  });

  it("that cannot be fetched does not keep the turn from its answer, and the model knows", async () => {
    const { clock, channel, model, tell, assistant } = await setUp({}, async () => {
      throw new ChannelSendError("Telegram gives bots no files over 20 MB", { retryable: false });
    });
    await tell({ id: "1", attachments: [file] });
    await until(clock, () => channel.textsTo("42").includes("seen"));
    expect(promptsOf(model)[0]).toContain("a.csv (text/csv), not kept: Telegram gives bots no files over 20 MB]");
    await tell({
      id: "2",
      attachments: [{ mediaType: "text/plain", url: "http://127.0.0.1:1/x" }],
    });
    expect(await assistant.artifacts.list({ session: SESSION })).toEqual([]);
  });

  it("that cannot be stored does not either", async () => {
    const store = memoryStore();
    const failing: Store = {
      ...store,
      put: async (key, ...rest) => {
        if (key.startsWith("artifacts/")) throw new AssistantError("STORE_FULL", "The store is full");
        return store.put(key, ...rest);
      },
    };
    const { clock, channel, model, tell, assistant } = await setUp({ store: failing }, async () => new Uint8Array(1));
    await tell({ id: "1", attachments: [file] });
    await until(clock, () => channel.textsTo("42").includes("seen"));
    expect(promptsOf(model)[0]).toContain("not kept: it could not be stored]");
    await assistant.send({ text: "x", attachments: [{ mediaType: "text/plain", url: "data:,x" }] });
    expect(promptsOf(model)[1]).toContain("not kept: it could not be stored]");
  });

  it("is fetched once and told the same when its turn is killed before it has spoken", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    let asked = 0;
    const download = async () => ({ bytes: new TextEncoder().encode(`answer ${(asked += 1)}`) });
    const channel = { ...inMemoryChannel(), download };
    const life = beginLife(store, clock);
    const one = await testAssistant({ script: [hangs()], store, clock, channel, life, start: false });
    await one.receive("look", { id: "1", attachments: [file] });
    await until(clock, () => one.model.requests.length === 1);
    life.kill();

    const two = await testAssistant({ script: () => says("seen"), store, clock, channel });
    await until(clock, () => channel.textsTo("42").includes("seen"));
    expect(asked).toBe(1);
    const told = /\[attached: [^\]]*\]/;
    expect(told.exec(promptsOf(two.model)[0] ?? "")?.[0]).toBe(told.exec(promptsOf(one.model)[0] ?? "")?.[0]);
    expect(await two.assistant.artifacts.list({ session: SESSION })).toHaveLength(1);
  });
});
