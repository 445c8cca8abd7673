import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { codeOf, codeOfError, from, setUp } from "./support.ts";

const OWNER = { user: "telegram:1" };

describe("a crowd", () => {
  it("is not let in without end: a thousand people an account, and what was denied is remembered first", async () => {
    const store = memoryStore();
    const people = Array.from({ length: 999 }, (_, n) => ({ id: `p${n}`, by: "cli", at: 1 }));
    const key = "access/accounts/telegram/default";
    await store.put(key, { v: 1, channel: "telegram", account: "default", asked: [], ended: [], people });
    const { access } = await setUp({ store });
    const [first, second] = [await codeOf(access, from("a")), await codeOf(access, from("b"))];
    await access.approve(first, OWNER);
    expect(await codeOfError(access.approve(second, OWNER))).toBe("OPTION_INVALID");
    expect(access.decide(from("b"), {}).verdict).toBe("refuse");
    await access.remove("telegram:p0", OWNER);
    await access.approve(second, OWNER);
    for (let n = 0; n < 250; n += 1) await access.deny(await codeOf(access, from(`d${n}`)), OWNER);
    const { ended = [], people: kept = [] } = ((await store.get(key))?.value ?? {}) as {
      ended?: { how: string; id: string }[];
      people?: unknown[];
    };
    expect([ended.length, kept.length, new Set(ended.map(({ how }) => how)).size]).toEqual([200, 1000, 1]);
    expect(await access.request(from("d249"))).toEqual({ verdict: "denied" });
  });
});
