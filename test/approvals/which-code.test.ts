import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";

async function setUp() {
  const channel = inMemoryChannel();
  const paired = { ...inMemoryChannel({ access: { dm: "pairing" } }), name: "door" };
  const t = await testAssistant({
    channel,
    channels: [channel, paired],
    from: "1",
    owner: { ids: [OWNER] },
    queue: { debounceMs: 0 },
    tools: {
      wipe: defineTool({
        description: "wipes",
        inputSchema: v.object({ disk: v.string() }),
        execute: () => "wiped",
        meta: { dangerous: true },
      }),
    },
  });
  const { assistant, clock } = t;
  /** Somebody writes where codes are given out. */
  const knock = (text: string, from: string) => {
    const message = { text, peer: { kind: "direct", id: from }, sender: { id: from } } as const;
    return assistant.fetch(new Request("http://localhost/webhooks/door", paired.request([message])));
  };
  /** What the assistant answers there. */
  const answered = (text: string, from = "1") => t.say(text, { from });
  const ask = async (disk: string) => {
    const asked = await assistant.tools.run("wipe", { disk }, { user: "memory:2" });
    if (asked.ok || !("approval" in asked)) throw new Error("it should have asked");
    await clock.advance(1000);
    return asked.approval.code;
  };
  return { assistant, clock, knock, answered, ask };
}

describe("an answer that names no request", () => {
  it.each(["/approve", "/deny", " /Approve@wakeful_bot "])(
    "%j says what it needs, and that nothing is open",
    async (text) => {
      const t = await setUp();
      const said = await t.answered(text);
      expect(said).toMatch(/\/approve CODE.*\/deny CODE.*There is no open request that you may answer\.$/);
      expect(said).not.toContain("\n");
    },
  );

  it("is told in the language of the conversation", async () => {
    const t = await setUp();
    await t.answered("你好，今天有什么安排？");
    expect(await t.answered("/approve")).toMatch(/^需要编号：.*没有你可以回应的请求。$/);
    expect(await t.answered("/deny ZZZZZZ")).toMatch(/^没有编号为 ZZZZZZ 的审批请求。/);
    expect(await t.answered(`/approve ${await t.ask("sda")} please`)).toMatch(/^没有回应：/);
    const said = await t.assistant.send({ text: "/approve", user: "app:ada" });
    expect(said.text).toMatch(/^This needs a code/);
  });

  it("lists the open codes, oldest first, without those that ended", async () => {
    const t = await setUp();
    const codes = [await t.ask("sda"), await t.ask("sdb"), await t.ask("sdc")];
    await t.assistant.approvals.answer(codes[1] ?? "", { answer: "deny", user: OWNER });
    for (const text of ["/approve", "/deny", "/approve AAAAAA", "/deny nothing because", "/approve AAAAAAAA"]) {
      const said = await t.answered(text);
      expect(said).toMatch(new RegExp(`Open: ${codes[0]}, ${codes[2]}\\.$`));
      expect(said).not.toContain("\n");
    }
    expect(await t.answered("/approve AAAAAA")).toContain("There is no request for approval AAAAAA.");
    await t.clock.advance(61 * 60_000);
    expect(await t.answered("/approve")).toContain("There is no open request");
  });

  it("lists codes of people who ask to be let in", async () => {
    const t = await setUp();
    await t.knock("hello", "9");
    const [asked] = (await t.assistant.access.list()).pending;
    const code = await t.ask("sda");
    expect(await t.answered("/approve")).toMatch(new RegExp(`Open: ${code}, ${asked?.code}\\.$`));
  });

  it("names no code to somebody who may answer none", async () => {
    const t = await setUp();
    const code = await t.ask("sda");
    await t.knock("hello", "9");
    for (const text of ["/approve", "/approve AAAAAA"]) {
      const said = await t.answered(text, "2");
      expect(said).toContain("There is no open request that you may answer.");
      expect(said).not.toContain(code);
    }
    const program = await t.assistant.send({ text: "/approve", user: "app:ada" });
    expect(program.text).not.toContain(code);
    const terminal = await t.assistant.send({ text: "/approve", user: "cli", channel: "cli" });
    expect(terminal.text).toContain(`Open: ${code}, `);
  });
});
