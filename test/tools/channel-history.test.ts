import { describe, expect, it } from "vitest";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

/** A model that looks at what was said when it is asked to, and repeats what it was shown. */
const looking: TestAssistantOptions["script"] = (prompt) => {
  const last = prompt.at(-1);
  if (last?.role === "tool") return says(`It says: ${JSON.stringify(last.content)}`);
  return JSON.stringify(last?.content).includes("look back") ? calls(["channel_history", {}]) : says("ok");
};

const setUp = (options: TestAssistantOptions = {}) =>
  testAssistant({
    script: looking,
    channel: { access: { dm: "open", groups: "mention" } },
    queue: { debounceMs: 0 },
    ...options,
  });

describe("channel_history", () => {
  it("shows a person what was said in their chat before /new, as data, with times in their zone", async () => {
    const t = await setUp({ timezone: "Asia/Shanghai" });
    await t.say("the code is 1234", { name: "Ada" });
    await t.say("/new");
    const shown = await t.say("look back");
    expect(shown).toContain("the code is 1234");
    expect(shown).toContain("2026-01-05 16:00");
    expect(shown).toContain("wakeful-data source");
    expect(shown).toContain("memory:42");
  });

  it("shows nothing of another chat: not a direct one in a group, not a group in a direct one, not another person's", async () => {
    const t = await setUp({ owner: { ids: ["memory:1"] } });
    await t.say("told in private", { from: "42" });
    await t.say("told by another", { from: "43" });
    await t.say("told by the owner", { from: "1" });
    await t.say("told in the group", { from: "42", group: "g" });
    await t.receive("said among people", { from: "43", group: "g", mentioned: false });
    await t.say("told elsewhere", { from: "42", group: "h" });
    const TEXTS = ["in private", "by another", "by the owner", "in the group", "among people", "elsewhere"];
    const seen = async (writing: { from: string; group?: string }) => {
      const shown = await t.say("look back", writing);
      return TEXTS.filter((text) => shown.includes(text));
    };
    expect(await seen({ from: "42" })).toEqual(["in private"]);
    expect(await seen({ from: "43" })).toEqual(["by another"]);
    expect(await seen({ from: "1" })).toEqual(["by the owner"]);
    expect(await seen({ from: "43", group: "g" })).toEqual(["in the group", "among people"]);
    expect(await seen({ from: "1", group: "h" })).toEqual(["elsewhere"]);
  });

  it("shows of a session that several people share only what each of them said and was answered", async () => {
    const t = await setUp({ session: { dmScope: "main", ownerMain: false } });
    await t.say("the secret of Ada", { from: "1" });
    await t.say("the secret of Bob", { from: "2" });
    const shown = await t.say("look back", { from: "2" });
    expect(shown).toContain("secret of Bob");
    expect(shown).not.toContain("secret of Ada");
  });

  it("takes no chat, session or user, and gives no more than 50 at once", async () => {
    const t = await setUp();
    await t.say("hello");
    const use = (input: unknown) => t.assistant.tools.run("channel_history", input, { user: "memory:7" });
    for (const input of [
      { chat: "42" },
      { session: "agent:main:memory:direct:42" },
      { user: "memory:42" },
      { limit: 51 },
    ])
      expect(await use(input)).toMatchObject({ ok: false });
    expect(await use({})).toEqual({ ok: true, output: { messages: [] } });
  });

  it("shows a stranger nothing of a session that the host program names", async () => {
    const t = await setUp();
    await t.say("told in private");
    await t.receive("said among people", { group: "g", mentioned: false });
    for (const session of ["agent:main:memory:direct:42", "agent:main:memory:group:g"]) {
      const found = await t.assistant.tools.run("channel_history", {}, { user: "memory:7", session });
      expect(found).toEqual({ ok: true, output: { messages: [] } });
    }
  });
});
