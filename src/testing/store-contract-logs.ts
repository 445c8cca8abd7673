import { ConflictError } from "../errors.ts";
import { type LogRecord, type Store, rewriteLog } from "../store/index.ts";
import type { StoreGroup } from "./store-contract-group.ts";
import {
  conflictOf,
  expectSame,
  expectTypeError,
  failureOf,
  gather,
  keysOf,
  largeRecord,
  TROUBLESOME_JSON,
  TROUBLESOME_TEXTS,
} from "./store-contract-values.ts";

const numbered = (count: number, from = 1): LogRecord[] =>
  Array.from({ length: count }, (_, index) => ({ n: from + index }));
const seqs = async (store: Store, log: string, options?: Parameters<Store["read"]>[1]) =>
  (await gather(store.read(log, options))).map(({ seq }) => seq);

/** The contract of `append`, `read`, `lastSeq` and of `remove` on logs. */
export function logContract(group: StoreGroup): void {
  appendContract(group);
  readContract(group);
  expectSeqContract(group);
  idContract(group);
  removalContract(group);
}

function appendContract({ it, expect }: StoreGroup): void {
  it("numbers the records of a log from 1, without gaps", async (store) => {
    for (let seq = 1; seq <= 5; seq++) expect(await store.append("log", { n: seq })).toEqual({ seq, duplicate: false });
    expect(await store.append("other", { n: 1 })).toEqual({ seq: 1, duplicate: false });
    expect(await gather(store.read("log"))).toEqual(numbered(5).map((record, index) => ({ seq: index + 1, record })));
  });

  it("appends several records in order, and answers the last one's seq", async (store) => {
    expect(await store.append("log", numbered(3))).toEqual({ seq: 3, duplicate: false });
    expect(await store.append("log", numbered(2, 4))).toEqual({ seq: 5, duplicate: false });
    expect(await gather(store.read("log"))).toEqual(numbered(5).map((record, index) => ({ seq: index + 1, record })));
  });

  it("appends a long list in one call", async (store) => {
    expect(await store.append("log", numbered(1200))).toEqual({ seq: 1200, duplicate: false });
    expect((await gather(store.read("log", { after: 1190 }))).map(({ record }) => record)).toEqual(numbered(10, 1191));
  });

  it("refuses an empty list", async (store) => {
    expect((await failureOf(store.append("log", []))) instanceof RangeError).toBe(true);
    expect(await keysOf(store, "")).toEqual([]);
  });

  it("gives back every record equal to what was appended", async (store) => {
    const records: LogRecord[] = [
      ...TROUBLESOME_TEXTS.map((text) => ({ text })),
      ...TROUBLESOME_JSON.map((value) => ({ value })),
      { kept: 1, left: undefined },
    ];
    records.push(JSON.parse('{"__proto__":1,"seq":99,"id":"x","key":"k","record":{}}') as LogRecord, {});
    for (const record of records) await store.append("log", record);
    const read = await gather(store.read("log"));
    expect(read.length).toBe(records.length);
    for (const [index, { record }] of read.entries()) expectSame(expect, record, records[index]);
  });

  it("keeps a record of more than 3 MB between small ones", async (store) => {
    await store.append("log", [{ n: 1 }, largeRecord(), { n: 3 }]);
    await store.append("log", largeRecord());
    const records = (await gather(store.read("log"))).map(({ record }) => record);
    expect(records.length).toBe(4);
    for (const [index, expected] of [{ n: 1 }, largeRecord(), { n: 3 }, largeRecord()].entries())
      expectSame(expect, records[index], expected);
  });

  it("never interleaves the records of concurrent appends", async (store) => {
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, call) =>
        store.append(
          "log",
          [
            { call, part: 0 },
            { call, part: 1 },
            { call, part: 2 },
          ],
          call % 3 === 0 ? { flush: false } : {},
        ),
      ),
    );
    const read = await gather(store.read("log"));
    expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 72 }, (_, index) => index + 1));
    for (const [call, { seq }] of results.entries()) {
      expect(read.slice(seq - 3, seq).map(({ record }) => record)).toEqual([0, 1, 2].map((part) => ({ call, part })));
    }
  });

  it("keeps the order of appends that one caller starts in turn without waiting", async (store) => {
    await Promise.all(numbered(30).map((record) => store.append("log", record)));
    expect((await gather(store.read("log"))).map(({ record }) => record)).toEqual(numbered(30));
  });

  it("appends to many logs at once", async (store) => {
    const logs = Array.from({ length: 20 }, (_, index) => `logs/${index}`);
    await Promise.all(logs.flatMap((log) => numbered(3).map((record) => store.append(log, record))));
    for (const log of logs) expect((await gather(store.read(log))).map(({ record }) => record)).toEqual(numbered(3));
  });

  it("shows an append that was not flushed at once", async (store) => {
    await store.append("log", { n: 1 }, { flush: false });
    expect(await store.lastSeq("log")).toBe(1);
    expect(await seqs(store, "log")).toEqual([1]);
    expect(await store.append("log", { n: 2 })).toEqual({ seq: 2, duplicate: false });
    await store.append("log", { n: 3 }, { flush: false });
    expect(await seqs(store, "log")).toEqual([1, 2, 3]);
    expect(await gather(store.list(""))).toEqual([{ key: "log", version: "3" }]);
  });

  it("refuses a document's key as a log's", async (store) => {
    await store.put("doc", "text");
    await expectTypeError(expect, store.append("doc", { n: 1 }));
    await expectTypeError(expect, store.append("doc", { n: 1 }, { expectSeq: 0, id: "x" }));
    expect((await store.get("doc"))?.value).toBe("text");
  });
}

function readContract({ it, expect }: StoreGroup): void {
  it("reads a log that does not exist as empty, and creates nothing by it", async (store) => {
    expect(await gather(store.read("none"))).toEqual([]);
    expect(await store.lastSeq("none")).toBe(0);
    expect(await keysOf(store, "")).toEqual([]);
  });

  it("reads after a seq, up to a limit, or the last ones, always ascending", async (store) => {
    await store.append("log", numbered(4));
    await store.append("log", { n: 5 });
    await store.append("log", numbered(5, 6));
    expect(await seqs(store, "log", { after: 7 })).toEqual([8, 9, 10]);
    expect(await seqs(store, "log", { after: 2, limit: 3 })).toEqual([3, 4, 5]);
    expect(await seqs(store, "log", { after: 0, limit: 1 })).toEqual([1]);
    expect(await seqs(store, "log", { limit: 3 })).toEqual([1, 2, 3]);
    expect(await seqs(store, "log", { limit: 0 })).toEqual([]);
    expect(await seqs(store, "log", { after: 10 })).toEqual([]);
    expect(await seqs(store, "log", { after: 99 })).toEqual([]);
    expect(await seqs(store, "log", { after: Infinity })).toEqual([]);
    expect(await seqs(store, "log", { last: 3 })).toEqual([8, 9, 10]);
    expect(await seqs(store, "log", { last: 99 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await seqs(store, "log", { last: Infinity, limit: Infinity })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await seqs(store, "log", { last: 0 })).toEqual([]);
    expect(await seqs(store, "log", { last: 5, after: 8 })).toEqual([9, 10]);
    expect(await store.lastSeq("log")).toBe(10);
  });

  it("reads a whole long log in order", async (store) => {
    for (let from = 1; from <= 1000; from += 250) await store.append("log", numbered(250, from));
    const read = await gather(store.read("log"));
    expect(read.every(({ seq, record }, index) => seq === index + 1 && record["n"] === seq)).toBe(true);
    expect(read.length).toBe(1000);
    expect(await seqs(store, "log", { last: 400, limit: 2 })).toEqual([601, 602]);
  });

  it("reads without gaps while others append", async (store) => {
    await store.append("log", numbered(5));
    const read: number[] = [];
    for await (const { seq } of store.read("log")) {
      read.push(seq);
      if (seq <= 5) await store.append("log", { n: 5 + seq });
    }
    expect(read.length >= 5).toBe(true);
    expect(read).toEqual(read.map((_, index) => index + 1));
    expect(await store.lastSeq("log")).toBe(10);
  });

  it("can be left in the middle of a read and of a list", async (store) => {
    await store.append("log", numbered(50));
    await store.put("a", 1);
    for await (const { seq } of store.read("log")) if (seq === 2) break;
    for await (const { key } of store.list("")) if (key === "a") break;
    expect(await store.append("log", { n: 51 })).toEqual({ seq: 51, duplicate: false });
  });
}

function expectSeqContract({ it, expect }: StoreGroup): void {
  it("appends only after the seq that is expected", async (store) => {
    expect(await store.append("log", { n: 1 }, { expectSeq: 0 })).toEqual({ seq: 1, duplicate: false });
    expect(await store.append("log", numbered(2, 2), { expectSeq: 1 })).toEqual({ seq: 3, duplicate: false });
    expect(await conflictOf(expect, store.append("log", { n: 9 }, { expectSeq: 1 }))).toBe(3);
    expect(await conflictOf(expect, store.append("log", { n: 9 }, { expectSeq: 4 }))).toBe(3);
    expect(await conflictOf(expect, store.append("log", { n: 9 }, { expectSeq: 0 }))).toBe(3);
    expect((await gather(store.read("log"))).map(({ record }) => record)).toEqual(numbered(3));
  });

  it("writes nothing and remembers no id on a conflict", async (store) => {
    expect(await conflictOf(expect, store.append("log", numbered(3), { expectSeq: 1, id: "a" }))).toBe(0);
    expect(await keysOf(store, "")).toEqual([]);
    expect(await store.append("log", { n: 1 }, { id: "a" })).toEqual({ seq: 1, duplicate: false });
  });

  it("lets exactly one of many appends with the same expected seq through", async (store) => {
    await store.append("log", { n: 0 });
    const failures = await Promise.all(
      Array.from({ length: 12 }, (_, writer) =>
        failureOf(store.append("log", [{ writer }, { writer }], { expectSeq: 1 })),
      ),
    );
    expect(failures.filter((failure) => failure === undefined).length).toBe(1);
    expect(failures.filter((failure) => ConflictError.is(failure)).length).toBe(11);
    expect(await store.lastSeq("log")).toBe(3);
  });
}

function idContract({ it, expect }: StoreGroup): void {
  it("writes an id once, and answers the first append's seq for every other", async (store) => {
    expect(await store.append("log", numbered(2), { id: "a" })).toEqual({ seq: 2, duplicate: false });
    expect(await store.append("log", { n: 3 })).toEqual({ seq: 3, duplicate: false });
    expect(await store.append("log", { n: 4 }, { id: "a" })).toEqual({ seq: 2, duplicate: true });
    expect(await store.append("log", { n: 4 }, { id: "b" })).toEqual({ seq: 4, duplicate: false });
    expect(await store.append("other", { n: 1 }, { id: "a" })).toEqual({ seq: 1, duplicate: false });
    expect(await seqs(store, "log")).toEqual([1, 2, 3, 4]);
  });

  it("keeps difficult ids apart", async (store) => {
    const ids = [
      "",
      " ",
      "a",
      "A",
      "é",
      "e\u0301",
      "a:b",
      "a/b",
      "a?b",
      "..",
      "__proto__",
      "toString",
      "1",
      "1.0",
      "🌍",
      "\ud800",
      "\udbff",
      "n\u0000",
      "x".repeat(2000),
      `${"x".repeat(1999)}y`,
    ];
    for (const [index, id] of ids.entries())
      expect(await store.append("log", { index }, { id })).toEqual({ seq: index + 1, duplicate: false });
    for (const [index, id] of ids.entries())
      expect(await store.append("log", { index }, { id })).toEqual({ seq: index + 1, duplicate: true });
    expect(await store.lastSeq("log")).toBe(ids.length);
  });

  it("lets a known id win over an expected seq", async (store) => {
    await store.append("log", { n: 1 }, { id: "a" });
    await store.append("log", { n: 2 });
    expect(await store.append("log", { n: 3 }, { id: "a", expectSeq: 0 })).toEqual({ seq: 1, duplicate: true });
    expect(await store.append("log", { n: 3 }, { id: "a", expectSeq: 7 })).toEqual({ seq: 1, duplicate: true });
    expect(await conflictOf(expect, store.append("log", { n: 3 }, { id: "b", expectSeq: 1 }))).toBe(2);
    expect(await store.lastSeq("log")).toBe(2);
  });

  it("writes one of many concurrent appends with one id", async (store) => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, writer) => store.append("log", { writer }, { id: "same" })),
    );
    expect(results.filter(({ duplicate }) => !duplicate).length).toBe(1);
    expect(results.every(({ seq }) => seq === 1)).toBe(true);
    expect(await store.lastSeq("log")).toBe(1);
  });
}

function removalContract({ it, expect }: StoreGroup): void {
  it("starts a removed log again at 1, without its old ids", async (store) => {
    await store.append("log", numbered(3), { id: "a" });
    await store.append("log", { n: 4 });
    await store.remove("log");
    await store.remove("log");
    expect(await store.lastSeq("log")).toBe(0);
    expect(await seqs(store, "log")).toEqual([]);
    expect(await keysOf(store, "")).toEqual([]);
    expect(await store.append("log", { n: 9 }, { id: "a", expectSeq: 0 })).toEqual({ seq: 1, duplicate: false });
    expect(await gather(store.read("log"))).toEqual([{ seq: 1, record: { n: 9 } }]);
  });

  it("removes a log only at the seq that is expected", async (store) => {
    await store.append("log", numbered(3));
    expect(await conflictOf(expect, store.remove("log", { expect: 2 }))).toBe(3);
    expect(await store.lastSeq("log")).toBe(3);
    await store.remove("log", { expect: 3 });
    expect(await store.lastSeq("log")).toBe(0);
    expect(await keysOf(store, "")).toEqual([]);
  });

  it("leaves other logs alone when it removes one", async (store) => {
    for (const log of ["a", "a/b", "ab"]) await store.append(log, numbered(2), { id: "same" });
    await store.remove("a");
    expect(await keysOf(store, "")).toEqual(["a/b", "ab"]);
    expect(await store.append("ab", { n: 3 }, { id: "same" })).toEqual({ seq: 2, duplicate: true });
    expect(await seqs(store, "a/b")).toEqual([1, 2]);
  });

  it("gives a log other records, known by the ids that they have now", async (store) => {
    for (const id of ["of ada", "of bob", "of cyd"]) await store.append("log", { id, said: id }, { id });
    const change = (record: LogRecord): LogRecord =>
      record["id"] === "of cyd" ? record : { ...record, id: "forgotten" };
    const idOf = ({ id }: LogRecord) => (typeof id === "string" ? id : undefined);
    expect(await rewriteLog(store, "log", change, { idOf })).toBe(2);
    const ids = (await gather(store.read("log"))).map(({ record }) => record["id"]);
    expect(ids).toEqual(["forgotten", "forgotten", "of cyd"]);
    expect(await keysOf(store, "")).toEqual(["log"]);
    expect(await store.append("log", { n: 4 }, { id: "of cyd" })).toEqual({ seq: 3, duplicate: true });
    expect(await store.append("log", { n: 4 }, { id: "forgotten" })).toEqual({ seq: 1, duplicate: true });
    expect(await store.append("log", { n: 4 }, { id: "of ada" })).toEqual({ seq: 4, duplicate: false });
  });
}
