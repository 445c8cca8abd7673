import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createAssistant, defineTool } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";

const OWNER = "memory:1";

async function setUp() {
  const clock = fakeClock();
  const channel = inMemoryChannel();
  const paired = { ...inMemoryChannel({ access: { dm: "pairing" } }), name: "door" };
  const assistant = await createAssistant({
    clock,
    channels: [channel, paired],
    model: scriptedModel(() => says("ok")),
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
  await assistant.start();
  let count = 0;
  const write = async (text: string, from = "1", at: "memory" | "door" = "memory") => {
    count += 1;
    const message = { id: `w${count}`, text, peer: { kind: "direct", id: from }, sender: { id: from } } as const;
    const request = (at === "memory" ? channel : paired).request([message]);
    await assistant.fetch(new Request(`http://localhost/webhooks/${at}`, request));
  };
  /** What the assistant answers there. */
  const answered = async (text: string, from = "1") => {
    const before = channel.textsTo(from).length;
    await write(text, from);
    await until(clock, () => channel.textsTo(from).length > before);
    return channel.textsTo(from).at(-1) ?? "";
  };
  const ask = async (disk: string) => {
    const asked = await assistant.tools.run("wipe", { disk }, { user: "memory:2" });
    if (asked.ok || !("approval" in asked)) throw new Error("it should have asked");
    await clock.advance(1000);
    return asked.approval.code;
  };
  return { assistant, clock, write, answered, ask };
}

describe("an answer that names no request", () => {
  it.each(["/approve", "/deny", " /Approve@wakeful_bot "])(
    "%j says what it needs, and that nothing is open",
    async (text) => {
      const t = await setUp();
      const said = await t.answered(text);
      expect(said).toMatch(/\/approve CODE.*\/deny CODE.*None is open that you may answer\.$/);
      expect(said).not.toContain("\n");
      await t.assistant.stop();
    },
  );

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
    expect(await t.answered("/approve")).toContain("None is open");
    await t.assistant.stop();
  });

  it("lists codes of people who ask to be let in", async () => {
    const t = await setUp();
    await t.write("hello", "9", "door");
    const [asked] = (await t.assistant.access.list()).pending;
    const code = await t.ask("sda");
    expect(await t.answered("/approve")).toMatch(new RegExp(`Open: ${code}, ${asked?.code}\\.$`));
    await t.assistant.stop();
  });

  it("names no code to somebody who may answer none", async () => {
    const t = await setUp();
    const code = await t.ask("sda");
    await t.write("hello", "9", "door");
    for (const text of ["/approve", "/approve AAAAAA"]) {
      const said = await t.answered(text, "2");
      expect(said).toContain("None is open that you may answer.");
      expect(said).not.toContain(code);
    }
    const program = await t.assistant.send({ text: "/approve", user: "app:ada" });
    expect(program.text).not.toContain(code);
    const terminal = await t.assistant.send({ text: "/approve", user: "cli", channel: "cli" });
    expect(terminal.text).toContain(`Open: ${code}, `);
    await t.assistant.stop();
  });
});
