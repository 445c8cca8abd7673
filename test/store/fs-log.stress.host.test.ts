import { describe, expect, it } from "vitest";
import { recordsOf, withRoot } from "./fs-root.ts";

describe("the write-ahead log of an fs store", () => {
  it("ends a segment that has grown long, and keeps all that is appended meanwhile", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const text = "x".repeat(200_000);
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, n) => store.append(`logs/${n % 5}`, { n, text }, { id: `${n}` })),
      );
      await Promise.all(Array.from({ length: 60 }, (_, n) => store.append(`logs/${n % 5}`, { n: 60 + n, text })));
      expect(results).toHaveLength(60);
      await store.checkpoint();
      expect(store.stats().checkpoints).toBeGreaterThan(1);
      await store.close();
      const again = await root.open();
      for (let log = 0; log < 5; log++) expect(await recordsOf(again, `logs/${log}`)).toHaveLength(24);
    });
  });
});
