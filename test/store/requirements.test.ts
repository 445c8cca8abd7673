import { describe, expect, it } from "vitest";
import { memoryStore, requireCaps, type StoreCaps, type StoreNeeds } from "../../src/store/index.ts";

const best: StoreCaps = { replace: "atomic", append: "native", cas: "global", durable: "server" };

describe("requireCaps()", () => {
  it.each<{ title: string; caps: Partial<StoreCaps>; needs: StoreNeeds }>([
    { title: "anything of a store that has all", caps: {}, needs: { append: true, cas: "global", durable: "power" } },
    { title: "nothing of a store for blobs", caps: { cas: "none", durable: "server" }, needs: {} },
    { title: "logs of a memory store", caps: memoryStore().caps, needs: { append: true, cas: true } },
    {
      title: "a killed process of a store that keeps to the operating system",
      caps: { durable: "os" },
      needs: { durable: "os" },
    },
  ])("lets through $title", ({ caps, needs }) => {
    expect(() => requireCaps({ caps: { ...best, ...caps } }, needs, "Sessions")).not.toThrow();
  });

  it.each<{ title: string; caps: Partial<StoreCaps>; needs: StoreNeeds; says: RegExp }>([
    {
      title: "Workers KV for logs",
      caps: { cas: "none" },
      needs: { append: true },
      says: /^Sessions .*Workers KV.*: use a Durable Object/,
    },
    {
      title: "Workers KV for compare-and-set",
      caps: { cas: "none" },
      needs: { cas: "process" },
      says: /use a Durable Object/,
    },
    {
      title: "one process for every client",
      caps: { cas: "process" },
      needs: { cas: "global" },
      says: /one process only.*redisStore/,
    },
    {
      title: "one process for the whole host",
      caps: { cas: "process" },
      needs: { cas: "host" },
      says: /every process of the host.*sqliteStore/,
    },
    {
      title: "memory for what must outlive the process",
      caps: { durable: "none" },
      needs: { durable: "os" },
      says: /loses everything.*fsStore/,
    },
    {
      title: "the operating system's word for a power loss",
      caps: { durable: "os" },
      needs: { durable: "power" },
      says: /power loss.*fsStore/,
    },
  ])("refuses $title, and says what to use", ({ caps, needs, says }) => {
    const check = () => requireCaps({ caps: { ...best, ...caps } }, needs, "Sessions");
    expect(check).toThrow(expect.objectContaining({ code: "STORE_UNSUITABLE", message: expect.stringMatching(says) }));
  });
});
