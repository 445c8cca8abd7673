import { describe, expect, it } from "vitest";
import { createKeywordIndex } from "../../../src/memory/index.ts";
import { IN_PASSING, MESSAGES } from "./chinese-life.ts";
import { NOON, entry } from "./documents.ts";

describe("questions in other words than the message", () => {
  it("find it among the first five three times in four, and mostly first", () => {
    const index = createKeywordIndex();
    const at = (minutes: number) => ({ createdAtMs: NOON - minutes * 60_000 });
    MESSAGES.forEach(([message], place) => index.add(entry(`m${place}`, message, at(20 * place))));
    IN_PASSING.forEach((message, place) => index.add(entry(`p${place}`, message, at(20 * place + 10))));
    const places = MESSAGES.flatMap(([, ...questions], place) =>
      questions.map((text) => index.search({ text, nowMs: NOON, limit: 10 }).findIndex(({ id }) => id === `m${place}`)),
    );
    expect(places.filter((place) => place >= 0 && place < 5).length / places.length).toBeGreaterThan(0.74);
    const ranks = places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0);
    expect(ranks / places.length).toBeGreaterThan(0.57);
  });
});
