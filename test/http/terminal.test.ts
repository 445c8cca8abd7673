import { describe, expect, it } from "vitest";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";

const ADA = "ada-token-01234567890";

describe("the terminal over the API", () => {
  async function setUp() {
    const t = await testAssistant({
      channels: [],
      server: { token: OWNER_TOKEN, tokens: [{ token: ADA, role: "user", user: "app:ada" }] },
    });
    const say = (body: object, token?: string) => t.call("/messages", { body, ...(token !== undefined && { token }) });
    const entries = async (key: string, token?: string) => {
      const response = await t.call(`/sessions/${key}`, token === undefined ? {} : { token });
      const { key: found, entries = [] } = (await response.json()) as { key?: string; entries?: { text: string }[] };
      return { status: response.status, key: found, texts: entries.map(({ text }) => text) };
    };
    return { t, say, entries };
  }

  it("is the owner's, in the conversations that the terminal has without a server", async () => {
    const { t, say, entries } = await setUp();
    await say({ text: "hello", user: "cli" });
    await say({ text: "to work", user: "cli", session: "work" });
    await t.assistant.send({ text: "from the program", user: "cli", channel: "cli" });
    expect(await entries("cli")).toEqual({
      status: 200,
      key: "agent:main:main",
      texts: ["hello", "ok", "from the program", "ok"],
    });
    expect(await entries("cli%3Awork")).toMatchObject({ key: "agent:main:cli:direct:work", texts: ["to work", "ok"] });
  });

  it("is nobody else's", async () => {
    const { say, entries } = await setUp();
    await say({ text: "hello", user: "cli" });
    expect((await say({ text: "hello", user: "cli" }, ADA)).status).toBe(403);
    expect(await entries("cli", ADA)).toEqual({ status: 403, key: undefined, texts: [] });
    expect((await entries("cli%3Awork", ADA)).status).toBe(403);
  });
});
