import { describe, expect, it } from "vitest";
import { createKeywordIndex } from "../../../src/memory/index.ts";
import { NOON, entry, idsOf } from "./documents.ts";

// A conversation of two people over three days, one entry a line.

const DAYS = [
  [
    "Mara: Hi Jonas! How was the move?",
    "Jonas: Exhausting, but the flat in Porto is bright and close to the sea.",
    "Mara: Did you take the old piano with you?",
    "Jonas: No, my brother has it now, his daughter just began lessons.",
    "Mara: That's sweet. I joined a climbing gym yesterday.",
    "Jonas: Brave! Are you not afraid of heights any more?",
    "Mara: A little. My trainer says breathing helps.",
  ],
  [
    "Jonas: I found a job at the aquarium.",
    "Mara: Wow! What will you do there?",
    "Jonas: Feeding the otters and guiding school classes.",
    "Mara: My cousin would love that, she studies marine biology.",
    "Jonas: Tell her to visit in August, the jellyfish hall opens then.",
  ],
  [
    "Mara: We lost the cat for two days.",
    "Jonas: Oh no! Where was she?",
    "Mara: Behind the boiler in the cellar, hungry but fine.",
    "Jonas: What a relief. By the way, I bought a kayak last Saturday.",
    "Mara: Which colour?",
    "Jonas: Bright orange, so that ships see me.",
  ],
];
const QUESTIONS = [
  ["Where does Jonas live since he moved?", "0-1"],
  ["Who has the old piano now?", "0-3"],
  ["When did Mara join a climbing gym?", "0-4"],
  ["What does Jonas do at his job at the aquarium?", "1-2"],
  ["What does Mara's cousin study?", "1-3"],
  ["Where was the lost cat?", "2-2"],
  ["When did Jonas buy a kayak?", "2-3"],
  ["Which colour is the kayak of Jonas?", "2-5"],
] as const;

describe("a conversation", () => {
  const index = createKeywordIndex({ segmentAt: 8 });
  DAYS.forEach((lines, day) => {
    lines.forEach((text, at) => {
      index.add(entry(`${day}-${at}`, text, { createdAtMs: NOON + day * 86_400_000 + at * 30_000 }));
    });
  });

  it.each(QUESTIONS)("answers %j within the first four", (question, id) => {
    expect(idsOf(index, question, 4)).toContain(id);
  });
});
