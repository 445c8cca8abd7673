import { describe, expect, it } from "vitest";
import { tokensOf } from "../../../src/memory/index.ts";
import { USED_SHARE, createRecallUse, shareUsed } from "../../../src/proactive/memory/recall-use.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";

describe("shareUsed()", () => {
  it.each([
    {
      title: "what the reply says",
      memory: "My sister Marta lives in Bergen, near the harbour",
      message: "where does Marta live?",
      reply: "Your sister lives in Bergen near the harbour.",
      used: true,
    },
    {
      title: "what the reply says in Chinese",
      memory: "用户对花生过敏，随身带着肾上腺素",
      message: "聚会可以带什么点心？",
      reply: "你对花生过敏，所以带水果最好。",
      used: true,
    },
    {
      title: "an inflected word as the word itself",
      memory: "Ada sails every Sunday",
      message: "what about the weekend?",
      reply: "You usually go sailing on Sundays.",
      used: true,
    },
    {
      title: "nothing where the reply is about something else",
      memory: "My sister Marta lives in Bergen, near the harbour",
      message: "what is seven times eight?",
      reply: "Seven times eight is fifty-six.",
      used: false,
    },
    {
      title: "nothing where the reply only repeats the question",
      memory: "Marta likes green tea from Uji",
      message: "does Marta like green tea?",
      reply: "I do not know whether Marta likes green tea.",
      used: false,
    },
    {
      title: "nothing where only single Chinese signs are the same",
      memory: "用户住在上海浦东",
      message: "今天吃什么？",
      reply: "晚上可以在家里煮面。",
      used: false,
    },
    { title: "nothing of a memory without words", memory: "👍", message: "hello", reply: "hello 👍", used: false },
  ])("finds $title", ({ memory, message, reply, used }) => {
    const words = { asked: new Set(tokensOf(message)), held: new Set(tokensOf(reply)) };
    expect(shareUsed(new Set(tokensOf(memory)), words) >= USED_SHARE).toBe(used);
  });
});

describe("createRecallUse()", () => {
  function counted() {
    const metrics = createMetrics();
    const use = createRecallUse(metrics);
    return {
      ...use,
      sums: () => [metrics.sum("memory.recall.injected_total"), metrics.sum("memory.recall.used_total")],
    };
  }

  it("counts what a turn was shown once it is answered, and what of it the reply holds", () => {
    const { shown, ended, sums } = counted();
    shown("t1", "where does Marta live?", ["Marta lives in Bergen", "The boiler was repaired by Olsen"]);
    expect(sums()).toEqual([0, 0]);
    ended("t1", "In Bergen.");
    ended("t1", "In Bergen.");
    expect(sums()).toEqual([2, 1]);
  });

  it("counts nothing of a turn without an answer, nor of one that was shown nothing", () => {
    const { shown, ended, sums } = counted();
    shown("t1", "hello", ["Marta lives in Bergen"]);
    shown("t2", "hello", []);
    ended("t1", "");
    ended("t1", "Marta lives in Bergen");
    ended("t2", "Hello");
    ended("t3", "Hello");
    expect(sums()).toEqual([0, 0]);
  });

  it("forgets the oldest of turns that are never answered", () => {
    const { shown, ended, sums } = counted();
    for (let turn = 0; turn < 1000; turn += 1) shown(`t${turn}`, "hello", ["Marta lives in Bergen"]);
    ended("t0", "Bergen");
    expect(sums()).toEqual([0, 0]);
    ended("t999", "Bergen");
    expect(sums()).toEqual([1, 1]);
  });
});
