import { expect, it } from "vitest";
import type { InRecord, Sequenced } from "../../src/session/index.ts";
import { spokenTexts } from "../../src/turn/spoken-texts.ts";

const said = (seq: number, id: string, kind: "group" | "direct"): Sequenced<InRecord> => ({
  ...{ v: 1, at: 0, seq, type: "in", id: `m${seq}`, turn: "t", text: "I'm allergic to nuts.", user: `memory:${id}` },
  ...{ roles: ["user"], channel: "memory", account: "default", peer: { kind, id: "p" }, sender: { id, name: "Alex" } },
});

it("tells two members of a group apart who have one name, for what is kept of a conversation", () => {
  const speakers = (...inputs: readonly Sequenced<InRecord>[]) =>
    spokenTexts({ id: "t", inputs, steps: [], tools: [], out: undefined }).map(({ speaker }) => speaker);
  expect(speakers(said(1, "11", "group"), said(2, "12", "group"))).toEqual(["Alex (11)", "Alex (12)"]);
  expect(speakers(said(1, "11", "direct"))).toEqual([undefined]);
});
