import { APICallError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { calls, fails, fakeClock, inMemoryChannel, says, scriptedModel } from "../../src/testing/index.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";
const BYTES = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

type Model = ReturnType<typeof scriptedModel>;

interface FilePart {
  readonly type: string;
  readonly mediaType: string;
  readonly data: { readonly data: Uint8Array } | Uint8Array;
}

/** The files of one call, as the model is shown them. */
function filesOf(model: Model, call: number): readonly { mediaType: string; bytes: readonly number[] }[] {
  return (model.requests[call]?.prompt ?? [])
    .flatMap(({ content }) => (typeof content === "string" ? [] : (content as readonly unknown[] as FilePart[])))
    .filter(({ type }) => type === "file")
    .map(({ mediaType, data }) => ({ mediaType, bytes: [...(data instanceof Uint8Array ? data : data.data)] }));
}

const showsFile = (prompt: unknown) => JSON.stringify(prompt).includes('"type":"file"');

function tooLong(): APICallError {
  const message = "prompt is too long: 300000 tokens > 200000 maximum";
  return new APICallError({ message, url: "http://localhost", requestBodyValues: {}, statusCode: 400 });
}

async function setUp(model: Model, options: TestAssistantOptions = {}) {
  const modelInfo = { "scripted/scripted": { files: ["image/*"] } };
  return (await testAssistant({ model, modelInfo, ...options })).assistant;
}

describe("a file that came with a message", () => {
  it("is shown to a model that takes such files, and stays in the history as it was", async () => {
    const model = scriptedModel(() => says("A picture"), { record: true });
    const assistant = await setUp(model);
    await assistant.send({ text: "What is this?", attachments: [{ mediaType: "image/png", name: "a.png", url: PNG }] });
    await assistant.send({ text: "And now?" });
    expect(filesOf(model, 0)).toEqual([{ mediaType: "image/png", bytes: BYTES }]);
    const [first, second] = model.requests.map(({ prompt }) => prompt.map((message) => JSON.stringify(message)));
    expect(second?.slice(0, first?.length)).toEqual(first);
  });

  it.each([
    ["the model takes none", {}, "image/png"],
    ["the model takes others", { "scripted/scripted": { files: ["application/pdf"] } }, "image/png"],
    ["no model is shown it, whatever it takes", { "scripted/scripted": { files: ["*"] } }, "image/svg+xml"],
  ])("is only named when %s", async (_, modelInfo, mediaType) => {
    const model = scriptedModel(() => says("Kept"), { record: true });
    const assistant = await setUp(model, { modelInfo });
    await assistant.send({ text: "Look", attachments: [{ mediaType, name: "a.png", url: PNG }] });
    expect(filesOf(model, 0)).toEqual([]);
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain("[attached: a.png");
  });

  it.each([
    ["refuses it", 400],
    ["cannot send it", new UnsupportedFunctionalityError({ functionality: "files" })],
    ["has no room for its pages", tooLong()],
  ])("does not end the conversation when the provider %s", async (_, failure) => {
    const model = scriptedModel((prompt) => (showsFile(prompt) ? fails(failure) : says("Without it")), {
      record: true,
    });
    const assistant = await setUp(model);
    const attachments = [{ mediaType: "image/png", url: PNG }];
    expect(await assistant.send({ text: "Look", attachments })).toMatchObject({ text: "Without it" });
    expect([filesOf(model, 0).length, filesOf(model, 1).length]).toEqual([1, 0]);
    expect(await assistant.send({ text: "Again" })).toMatchObject({ text: "Without it" });
    expect(model.requests).toHaveLength(3);
  });

  it.each([
    ["refuses it with 400", 400],
    ["refuses it with 415", 415],
    ["breaks over it with 500", 500],
  ])("is shown no more, in this turn, later ones and after a restart, once the server %s", async (_, status) => {
    const store = memoryStore();
    const clock = fakeClock();
    const answer = (prompt: string) => (prompt.includes('"tool-result"') ? says("Done") : calls(["time", {}]));
    const model = scriptedModel((prompt) => (showsFile(prompt) ? fails(status) : answer(JSON.stringify(prompt))), {
      record: true,
    });
    const assistant = await setUp(model, { store, clock });
    const attachments = [{ mediaType: "image/png", name: "a.png", url: PNG }];
    const sent = assistant.send({ text: "Look", session: "a", attachments });
    await until(clock, () => model.requests.some((_request, call) => filesOf(model, call).length === 0));
    expect(await sent).toMatchObject({ text: "Done" });
    const isServers = status >= 500;
    // Three rounds of a broken server, then once without.
    expect(model.requests.map((_request, call) => filesOf(model, call).length)).toEqual(
      isServers ? [1, 1, 1, 0, 0] : [1, 0, 0],
    );
    const [{ id } = { id: "" }] = await assistant.artifacts.list({ session: "a" });
    const told = `[not shown: artifact ${id}: the model's server did not take it]`;
    for (const request of model.requests.slice(-2)) expect(JSON.stringify(request.prompt)).toContain(told);
    const before = model.requests.length;
    await assistant.send({ text: "And now?", session: "a" });
    await assistant.stop();

    const again = await setUp(model, { store, clock });
    await again.send({ text: "And after a restart?", session: "a" });
    const later = model.requests.slice(before);
    expect(later.length).toBeGreaterThan(1);
    for (const { prompt } of later) {
      expect(JSON.stringify(prompt)).toContain(`artifact ${id}, not shown: the model's server did not take it`);
      expect(showsFile(prompt)).toBe(false);
    }
    await again.stop();
  });

  it.each([
    ["a model that is only fallen back to refuses it", 400],
    ["a model that is only fallen back to breaks over it", 500],
  ])("is shown to the first model again after an outage in which %s", async (_, status) => {
    const clock = fakeClock();
    let isDown = true;
    const first = scriptedModel(() => (isDown ? fails(500) : says("A picture")), { record: true });
    const prompts: boolean[] = [];
    const second = scriptedModel((prompt) => {
      prompts.push(showsFile(prompt));
      if (showsFile(prompt)) return fails(status);
      return JSON.stringify(prompt).includes('"tool-result"') ? says("Done") : calls(["time", {}]);
    });
    const models = [first, second].map((model) => Object.assign(model, { supportedUrls: { "image/*": [/./] } }));
    const { assistant } = await testAssistant({ clock, model: models });
    const sent = assistant.send({ text: "Look", attachments: [{ mediaType: "image/png", url: PNG }] });
    await until(clock, () => prompts.at(-1) === false);
    expect(await sent).toMatchObject({ text: "Done" });
    // Within the turn it is not asked with the file again.
    expect(prompts.slice(prompts.indexOf(false))).toEqual([false, false]);
    isDown = false;
    const before = first.requests.length;
    await clock.advance(3_600_000);
    expect(await assistant.send({ text: "And now?" })).toMatchObject({ text: "A picture" });
    expect(filesOf(first, before)).toHaveLength(1);
  });

  it.each([502, 503, 504, 529])(
    "is shown by the next turn again when what stood in its way was an outage, told by a %i",
    async (status) => {
      const clock = fakeClock();
      let failures = 0;
      const model = scriptedModel(() => (++failures <= 3 ? fails(status) : says("Here")), { record: true });
      const assistant = await setUp(model, { clock });
      const sent = assistant.send({ text: "Look", attachments: [{ mediaType: "image/png", url: PNG }] });
      await until(clock, () => model.requests.length === 4);
      expect(await sent).toMatchObject({ text: "Here" });
      await assistant.send({ text: "And now?" });
      expect(model.requests.map((_request, call) => filesOf(model, call).length)).toEqual([1, 1, 1, 0, 1]);
      await assistant.stop();
    },
  );

  it("stays shown when the server fails without it too, and the turn ends after so many tries", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    let isDown = true;
    const model = scriptedModel(() => (isDown ? fails(500) : says("A picture")), { record: true });
    const assistant = await setUp(model, { store, clock });
    const sent = assistant.send({ text: "Look", attachments: [{ mediaType: "image/png", url: PNG }] });
    await until(clock, () => model.requests.length === 4);
    expect(await sent).toMatchObject({ error: { code: "MODEL_UNAVAILABLE" } });
    expect(model.requests.map((_request, call) => filesOf(model, call).length)).toEqual([1, 1, 1, 0]);
    isDown = false;
    await assistant.send({ text: "And now?" });
    expect(filesOf(model, 4)).toHaveLength(1);
  });

  it("is shown from a channel too, after it was fetched there", async () => {
    const model = scriptedModel(() => says("Seen"), { record: true });
    const channel = Object.assign(inMemoryChannel(), {
      download: async () => ({ bytes: new Uint8Array(BYTES), mediaType: "image/png" }),
    });
    const clock = fakeClock();
    const assistant = await setUp(model, { channels: [channel], clock });
    const message = { peer: { kind: "direct", id: "7" }, sender: { id: "7" }, text: "Look" } as const;
    const attachments = [{ mediaType: "image/png", url: "memory-file:1" }];
    await assistant.fetch(channel.request([{ ...message, attachments }]));
    await until(clock, () => channel.sent.length > 0);
    expect(filesOf(model, 0)).toEqual([{ mediaType: "image/png", bytes: BYTES }]);
  });

  it("is not shown because a caller says that it is, nor from another conversation", async () => {
    const model = scriptedModel(() => says("No"), { record: true });
    const assistant = await setUp(model);
    await assistant.send({ text: "Mine", session: "a", attachments: [{ mediaType: "image/png", url: PNG }] });
    const [mine] = await assistant.artifacts.list({ session: "a" });
    const stolen = { mediaType: "image/png", artifact: mine!.id, shown: true } as const;
    await assistant.send({ text: "Yours", session: "b", attachments: [stolen] });
    expect(filesOf(model, 1)).toEqual([]);
  });

  it("does not keep the message out when the model's object cannot say what it takes: the next model answers", async () => {
    const broken = scriptedModel(() => says("Never"));
    Object.defineProperty(broken, "supportedUrls", { get: () => Promise.reject(new Error("No")) });
    const model = scriptedModel(() => says("Kept"));
    const assistant = await setUp(model, { model: [broken, model], modelInfo: {} });
    const sent = assistant.send({ text: "Look", attachments: [{ mediaType: "image/png", url: PNG }] });
    expect(await sent).toMatchObject({ text: "Kept" });
  });

  it("has ten neighbours at most, the newest", async () => {
    const model = scriptedModel(() => says("Many"), { record: true });
    const assistant = await setUp(model);
    const attachments = Array.from({ length: 12 }, () => ({ mediaType: "image/png", url: PNG }));
    await assistant.send({ text: "Look", attachments });
    expect(filesOf(model, 0)).toHaveLength(10);
  });
});
