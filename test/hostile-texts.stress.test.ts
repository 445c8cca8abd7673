import { describe, it } from "vitest";
import { HOSTILE_TEXTS } from "./support/hostile-texts.ts";
import { THOROUGH, wholeOnNode } from "./support/thorough.ts";

/** Characters. Exponential time never ends at this length; `npm run bench -- hostile-texts` tells linear from quadratic. */
const LENGTH = THOROUGH ? 40_000 : 8000;

describe("what reads texts from outside", () => {
  it.each(wholeOnNode(HOSTILE_TEXTS, 3))("comes to an end, whatever the text: $reader", async ({ read, texts }) => {
    for (const text of texts) await read(text(LENGTH));
  });
});
