import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../../entry.host.ts";
import { says, scriptedModel } from "../../src/testing/index.ts";
import { meaningEmbedder } from "../memory/semantic/stub-store.ts";

const SECRET = `ghp_${"aB3dE6gH9kL2".repeat(3)}`;

describe("a secret that somebody wrote into a memory file by hand", () => {
  it("does not reach the model, by the file or by recall, and stays in the file", async () => {
    const store = memoryStore();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const text = `- The deploy key of the harbour is ${SECRET}\n`;
    const files = ["memory/@owner/MEMORY.md", `memory/@owner/daily/${yesterday}.md`];
    for (const key of files) await store.put(key, text);
    const model = scriptedModel(() => says("Yes"), { record: true });
    const assistant = await createAssistant({ model, store, timezone: "UTC" });
    await assistant.send({ text: "Which deploy key has the harbour?", user: "cli", channel: "cli" });
    await assistant.send({ text: "And what else of the harbour deploy key?", user: "cli", channel: "cli" });
    const prompts = JSON.stringify(model.requests.map(({ prompt }) => prompt));
    expect(prompts).toContain("The deploy key of the harbour is [redacted]");
    expect(prompts).not.toContain(SECRET);
    for (const key of files) expect((await store.get(key))?.value).toBe(text);
    await assistant.stop();
  });

  it("does not reach an embedding model", async () => {
    const store = memoryStore();
    const embedder = meaningEmbedder([]);
    const called = new Promise<void>((resolve) => {
      embedder.wait = async () => resolve();
    });
    const assistant = await createAssistant({
      model: scriptedModel(["Yes"]),
      store,
      memory: { embedder },
    });
    await assistant.memory.save({ userId: "telegram:1", content: `The deploy key of the harbour is ${SECRET}` });
    await assistant.memory.recall({ userId: "telegram:1", text: `Where is ${SECRET} of the harbour?` });
    await called;
    await assistant.stop();
    expect(embedder.calls.flat()).toContain("The deploy key of the harbour is [redacted]");
    expect(JSON.stringify(embedder.calls)).not.toContain(SECRET);
  });
});
