import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { ADA, bodyOf, call, fakeAssistant } from "./support.ts";

const LETTER = {
  at: 0,
  target: { channel: "telegram", account: "default", chat: "42" },
  id: "t1",
  session: "agent:main:telegram:direct:42",
  part: 0,
  text: "hello",
  error: "403 blocked",
  attempts: 5,
};

describe("GET /api/v1/dead-letters", () => {
  it("shows the owner, and nobody else, what was given up", async () => {
    const asked: unknown[] = [];
    const outbox = { listDead: async (options?: object) => (asked.push(options), [LETTER]) };
    const { app } = fakeAssistant({ parts: { outbox } });
    expect(await bodyOf(await app.request(call("/api/v1/dead-letters?limit=7")))).toEqual({
      dead_letters: [
        {
          at: "1970-01-01T00:00:00.000Z",
          channel: "telegram",
          account: "default",
          chat: "42",
          id: "t1",
          session_key: "agent:main:telegram:direct:42",
          part: 0,
          text: "hello",
          error: "403 blocked",
          attempts: 5,
        },
      ],
    });
    expect(asked).toEqual([{ limit: 7 }]);
    expect((await app.request(call("/api/v1/dead-letters", { token: ADA }))).status).toBe(403);
    expect((await app.request(call("/api/v1/dead-letters?limit=0"))).status).toBe(400);
  });

  it("has what a channel refused for good", async () => {
    const clock = fakeClock();
    const channel = inMemoryChannel({ access: { dm: "open" } });
    const assistant = await createAssistant({
      model: scriptedModel(() => says("hello")),
      store: memoryStore(),
      clock,
      channels: [channel],
      server: { token: "owner-token-0123456789" },
    });
    await assistant.start();
    channel.script([{ retryable: false, message: "the chat is gone" }]);
    await assistant.fetch(channel.request([{ text: "hi" }]));
    await expect
      .poll(async () => {
        await clock.advance(2000);
        const headers = { authorization: "Bearer owner-token-0123456789" };
        const response = await assistant.fetch(new Request("http://here/api/v1/dead-letters", { headers }));
        return ((await response.json()) as { dead_letters: unknown[] }).dead_letters;
      })
      .toMatchObject([{ text: "hello", error: expect.stringContaining("the chat is gone") as string }]);
    await assistant.stop();
  });
});
