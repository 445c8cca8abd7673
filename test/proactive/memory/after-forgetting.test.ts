import { describe, expect, it } from "vitest";
import { othersThanWhoForgot } from "../../../src/proactive/memory/after-forgetting.ts";
import { call, said } from "./support.ts";

const peer = { kind: "group", id: "-100" } as const;
const ADA = { user: "telegram:42", peer, sender: { id: "42", name: "Ada" } };
const BOB = { user: "telegram:7", peer, sender: { id: "7", name: "Bob" } };
const EVE = { user: "telegram:8", peer, sender: { id: "8", name: "Eve" } };

type Told = readonly [id: string, text: string, from: Parameters<typeof said>[2]];

/** Who of a turn's messages is still heard, and which of these statements would be kept. */
function after(messages: readonly Told[], forgot: object, statements: readonly string[] = []) {
  const records = messages.flatMap((message) => {
    const record = said(...message);
    return record.type === "in" ? [{ ...record, v: 1 as const, at: 0 }] : [];
  });
  const others = othersThanWhoForgot(records, { toolCalls: [{ ...call("memory_forget"), ...forgot }] });
  return {
    heard: others.messages.map(({ id }) => id),
    kept: statements.filter((statement) => !others.quotes(statement)),
  };
}

describe("what is kept of a turn in which somebody had something forgotten", () => {
  it("is nothing where nobody's words tell who asked: the call named ids alone", () => {
    const messages: Told[] = [
      ["1", "The second one, please. I live in Oslo.", ADA],
      ["2", "I prefer green tea.", BOB],
      ["3", "I live in Rome.", EVE],
    ];
    expect(after(messages, { input: { ids: ["01J0"] }, output: { forgotten: 1 } }).heard).toEqual([]);
  });

  it.each(["Please delete what I said of the door. I live in Oslo.", "请忘掉门的事。我住在奥斯陆。"])(
    "is nothing of who asks in other words than the model looked with: %s",
    (text) => {
      const messages: Told[] = [
        ["1", text, ADA],
        ["2", "I prefer green tea.", BOB],
        ["3", "My gate is blue.", EVE],
      ];
      expect(after(messages, { input: { query: "gate code" } }).heard).toEqual(["2"]);
    },
  );

  it("is no statement of others with a word of who asked: it may be all that was to go", () => {
    const messages: Told[] = [
      ["1", "I prefer to use 4711 at Ada's door.", BOB],
      ["2", "Forget my gate code 4711. I live in Oslo.", ADA],
    ];
    const statements = ["Bob: I prefer to use 4711 at the back entrance.", "Bob: I prefer green tea in the morning."];
    expect(after(messages, { input: { query: "gate code" } }, statements).kept).toEqual(statements.slice(1));
  });

  it("is what others said in Chinese, of which single signs stand in what everybody says", () => {
    const messages: Told[] = [
      ["1", "喜欢喝绿茶。", BOB],
      ["2", "忘记门禁密码，我住上海。", ADA],
    ];
    const statements = ["Bob: 我喜欢喝绿茶。", "Bob: 她住上海。"];
    expect(after(messages, { input: { query: "门禁" } }, statements).kept).toEqual(statements.slice(0, 1));
  });
});
