import type { StoreGroup } from "./store-contract-group.ts";
import {
  conflictOf,
  expectSame,
  expectTypeError,
  failureOf,
  keysOf,
  LARGE_VALUES,
  TROUBLESOME_JSON,
  TROUBLESOME_TEXTS,
} from "./store-contract-values.ts";
import { ConflictError } from "../errors.ts";

/** The contract of `get`, `put` and `remove` on documents. */
export function documentContract({ it, expect }: StoreGroup, options: { blobsOnly: boolean }): void {
  it("has nothing under a key that was never put", async (store) => {
    expect(await store.get("sessions/none")).toBe(null);
  });

  it("gives back every text exactly as it was put", async (store) => {
    for (const [index, text] of TROUBLESOME_TEXTS.entries()) {
      await store.put(`texts/${index}`, text);
      expect((await store.get(`texts/${index}`))?.value).toBe(text);
    }
  });

  it("gives back a text that holds half a surrogate pair", async (store) => {
    await store.put("texts/cut", "cut \ud83d");
    expect((await store.get("texts/cut"))?.value).toBe("cut \ud83d");
  });

  it("gives back every JSON value equal to what was put", async (store) => {
    for (const [index, value] of [...TROUBLESOME_JSON, { texts: TROUBLESOME_TEXTS }].entries()) {
      await store.put(`json/${index}`, value);
      expectSame(expect, (await store.get(`json/${index}`))?.value, value);
    }
  });

  it("leaves out fields that are undefined", async (store) => {
    await store.put("a", { kept: 1, left: undefined });
    expectSame(expect, (await store.get("a"))?.value, { kept: 1 });
  });

  it("gives back bytes as bytes", async (store) => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (const [index, bytes] of [
      new Uint8Array(0),
      all,
      new TextEncoder().encode('{"a":1}'),
      all.subarray(100, 120),
    ].entries()) {
      await store.put(`bytes/${index}`, bytes);
      expectSame(expect, (await store.get(`bytes/${index}`))?.value, bytes);
    }
  });

  for (const { name, make } of LARGE_VALUES) {
    it(`keeps more than 3 MB of ${name}, replaces it and removes it`, async (store) => {
      const value = make();
      await store.put("large", value);
      expectSame(expect, (await store.get("large"))?.value, value);
      await store.put("large", "small");
      expect((await store.get("large"))?.value).toBe("small");
      await store.put("large", value);
      expectSame(expect, (await store.get("large"))?.value, value);
      await store.remove("large");
      expect(await store.get("large")).toBe(null);
    });
  }

  it("does not change when the caller changes what was put or what was read", async (store) => {
    const put = { list: [1] };
    const bytes = Uint8Array.of(1, 2);
    await store.put("json", put);
    await store.put("bytes", bytes);
    put.list.push(2);
    bytes[0] = 9;
    const read = (await store.get("json"))?.value as { list: number[] };
    expect(read.list).toEqual([1]);
    read.list.push(3);
    const readBytes = (await store.get("bytes"))?.value as Uint8Array;
    readBytes[1] = 9;
    expectSame(expect, (await store.get("json"))?.value, { list: [1] });
    expectSame(expect, (await store.get("bytes"))?.value, Uint8Array.of(1, 2));
  });

  it("replaces a document whole, by another kind too", async (store) => {
    await store.put("a", { one: 1, two: 2 });
    await store.put("a", { one: 1 });
    expectSame(expect, (await store.get("a"))?.value, { one: 1 });
    await store.put("a", Uint8Array.of(1));
    expectSame(expect, (await store.get("a"))?.value, Uint8Array.of(1));
    await store.put("a", "text");
    expect((await store.get("a"))?.value).toBe("text");
  });

  it("answers get with the version that put returned, and another one after a change", async (store) => {
    const first = await store.put("a", { n: 1 });
    expect((await store.get("a"))?.version).toBe(first);
    const second = await store.put("a", { n: 2 });
    expect((await store.get("a"))?.version).toBe(second);
    expect(first === second).toBe(false);
  });

  it("removes a document, and nothing where there is none", async (store) => {
    await store.put("a", 1);
    await store.put("b", 2);
    await store.remove("a");
    await store.remove("a");
    expect(await store.get("a")).toBe(null);
    expect((await store.get("b"))?.value).toBe(2);
    expect(await keysOf(store, "")).toEqual(["b"]);
  });

  it("closes twice without complaint", async (store) => {
    await store.put("a", 1);
    await store.close?.();
    await store.close?.();
  });

  if (!options.blobsOnly) compareAndSetContract({ it, expect });
}

function compareAndSetContract({ it, expect }: StoreGroup): void {
  it("creates only where there is nothing when null is expected", async (store) => {
    const version = await store.put("a", "first", { expect: null });
    expect(await conflictOf(expect, store.put("a", "second", { expect: null }))).toBe(version);
    expect(await store.get("a")).toEqual({ value: "first", version });
  });

  it("replaces only the version that is expected", async (store) => {
    const first = await store.put("a", { n: 1 });
    const second = await store.put("a", { n: 2 }, { expect: first });
    expect(await conflictOf(expect, store.put("a", { n: 3 }, { expect: first }))).toBe(second);
    expectSame(expect, await store.get("a"), { value: { n: 2 }, version: second });
  });

  it("refuses a version of a document that was removed", async (store) => {
    const version = await store.put("a", { n: 1 });
    await store.remove("a");
    expect(await conflictOf(expect, store.put("a", { n: 2 }, { expect: version }))).toBe(null);
    expect(await store.get("a")).toBe(null);
    await store.put("a", { n: 3 }, { expect: null });
    expectSame(expect, (await store.get("a"))?.value, { n: 3 });
  });

  it("lets the last writer win when nothing is expected", async (store) => {
    await store.put("a", 1);
    await store.put("a", 2);
    expect((await store.get("a"))?.value).toBe(2);
  });

  it("removes only the version that is expected", async (store) => {
    const first = await store.put("a", { n: 1 });
    const second = await store.put("a", { n: 2 });
    expect(await conflictOf(expect, store.remove("a", { expect: first }))).toBe(second);
    expectSame(expect, (await store.get("a"))?.value, { n: 2 });
    await store.remove("a", { expect: second });
    expect(await store.get("a")).toBe(null);
    expect(await conflictOf(expect, store.remove("a", { expect: second }))).toBe(null);
  });

  it("lets exactly one of many writers create a document", async (store) => {
    const results = await Promise.all(
      Array.from({ length: 12 }, async (_, writer) =>
        (await failureOf(store.put("a", { writer }, { expect: null }))) === undefined ? writer : -1,
      ),
    );
    const winners = results.filter((writer) => writer >= 0);
    expect(winners.length).toBe(1);
    expectSame(expect, (await store.get("a"))?.value, { writer: winners[0] ?? -1 });
  });

  it("lets exactly one of many writers replace a version", async (store) => {
    const version = await store.put("a", { writer: -1 });
    const failures = await Promise.all(
      Array.from({ length: 12 }, (_, writer) => failureOf(store.put("a", { writer }, { expect: version }))),
    );
    expect(failures.filter((failure) => failure === undefined).length).toBe(1);
    expect(failures.filter((failure) => ConflictError.is(failure)).length).toBe(11);
  });

  it("loses no increment of many that read, compare and set", async (store) => {
    await store.put("count", { n: 0 });
    const increment = async () => {
      for (;;) {
        const found = await store.get("count");
        const { n } = (found?.value ?? { n: -1 }) as { n: number };
        const failure = await failureOf(store.put("count", { n: n + 1 }, { expect: found?.version ?? null }));
        if (failure === undefined) return;
        if (!ConflictError.is(failure)) throw new Error("The increment failed", { cause: failure });
      }
    };
    await Promise.all(Array.from({ length: 10 }, increment));
    expectSame(expect, (await store.get("count"))?.value, { n: 10 });
  });

  it("refuses a log's key as a document's", async (store) => {
    await store.append("log", { type: "note" });
    await expectTypeError(expect, store.get("log"));
    await expectTypeError(expect, store.put("log", "text"));
    await expectTypeError(expect, store.put("log", "text", { expect: null }));
    expect(await store.lastSeq("log")).toBe(1);
  });
}
