import { describe, it } from "vitest";
import { WORDS, fitsIntoOne, of } from "./digests.ts";

describe("digestOf()", () => {
  it.each([{ title: "100 of 5,000 characters", texts: of(100, (at) => `n${at} ${WORDS.repeat(120)}`), shown: 31 }])(
    "fits $title into one message, and keeps the whole",
    fitsIntoOne,
  );
});
