import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDueHeap } from "../../src/engine/due-heap.ts";
import { wakeBackoffMs } from "../../src/engine/index.ts";

describe("createDueHeap()", () => {
  it("always has the earliest item first, whatever is set, moved and removed (property)", () => {
    const change = fc.record({
      item: fc.nat({ max: 15 }),
      dueMs: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        const heap = createDueHeap();
        const items = Array.from({ length: 16 }, () => ({ dueMs: 0, place: -1 }));
        const inside = new Map<number, number>();
        for (const { item, dueMs } of changes) {
          const one = items[item] ?? { dueMs: 0, place: -1 };
          if (dueMs === undefined) {
            heap.remove(one);
            inside.delete(item);
          } else {
            heap.set(one, dueMs);
            inside.set(item, dueMs);
          }
          expect(heap.size).toBe(inside.size);
          expect(heap.first()?.dueMs).toBe(inside.size === 0 ? undefined : Math.min(...inside.values()));
        }
      }),
    );
  });
});

describe("wakeBackoffMs()", () => {
  it.each([
    [1, 1000],
    [2, 5000],
    [3, 25_000],
    [4, 125_000],
    [5, 300_000],
    [1000, 300_000],
  ])("waits after %i throws %i ms", (failures, ms) => {
    expect(wakeBackoffMs(failures)).toBe(ms);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %d throws", (failures) => {
    expect(() => wakeBackoffMs(failures)).toThrow(RangeError);
  });
});
