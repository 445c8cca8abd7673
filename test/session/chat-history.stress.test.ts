import { describe, expect, it } from "vitest";
import { KEY, groupChat } from "./group-chat.ts";

describe("createChatHistory()", () => {
  it("gives each message once, whatever the page and however long the log", async () => {
    const t = groupChat();
    const said: string[] = [];
    for (let n = 0; n < 500; n += 1) {
      await t.asks(`${n}`, n % 3 === 0 ? "7" : "8");
      for (let filler = 0; filler < 4; filler += 1) await t.sessions.addNote(KEY, { source: "runtime", text: "x" });
      await t.answers(`${n}`);
      said.push(`asked ${n}`, `answered ${n}`);
    }
    for (const limit of [1, 7, 50, 999, 1000]) expect((await t.all(limit)).texts).toEqual(said);
    const ofOne = said.filter((text) => Number(text.split(" ")[1]) % 3 === 0);
    expect((await t.all(50, ({ user }) => user === "memory:7")).texts).toEqual(ofOne);
  });
});
