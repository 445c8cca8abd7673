import * as fc from "fast-check";
import { runs } from "../support/thorough.ts";
import { ConflictError } from "../../src/errors.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";
import type { StoreContractOptions, OpenedStore, TestApi } from "../../src/testing/index.ts";

/** The simplest thing that keeps the contract: what every store must agree with after any sequence of calls. */
interface Model {
  readonly documents: Map<string, { value: string; version: string }>;
  readonly logs: Map<string, { records: LogRecord[]; ids: Map<string, number> }>;
}

const KEYS = ["a", "a/b", "a/b/c", "A", "ab", "k/🌍", "k/\uff5e"] as const;
const key = fc.constantFrom(...KEYS);

/** How a call names the state it expects: not at all, the state there is, one there was, or none. */
const expected = fc.constantFrom("any" as const, "current" as const, "stale" as const, "none" as const);

const call = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("put" as const),
      key,
      value: fc.string({ unit: "grapheme", maxLength: 8 }),
      expected,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      key,
      count: fc.integer({ min: 1, max: 3 }),
      id: fc.option(fc.constantFrom("x", "y", "z")),
      expected,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), key, expected }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("get" as const), key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      key,
      after: fc.option(fc.integer({ min: 0, max: 6 })),
      limit: fc.option(fc.integer({ min: 0, max: 4 })),
      last: fc.option(fc.integer({ min: 0, max: 4 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("list" as const),
      prefix: fc.constantFrom("", "a", "a/", "k/", "z"),
      after: fc.option(fc.constantFrom(...KEYS, "a/a")),
      limit: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
  },
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

/** `null` stands for an option that is left out. */
const given = <T extends Record<string, unknown>>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** Runs random sequences of calls against the store and the model, and compares every answer. */
export function storeModel<Opened extends OpenedStore>(
  api: TestApi,
  options: StoreContractOptions<Opened> & { runs?: number },
): void {
  api.describe(`${options.name} agrees with a simple model`, () => {
    api.it("after any sequence of calls", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 25 }), async (calls) => {
          const opened = await options.open();
          try {
            const model: Model = { documents: new Map(), logs: new Map() };
            for (const each of calls) await step(opened.store, model, each, api.expect);
          } finally {
            await opened.store.close?.();
            await opened.dispose();
          }
        }),
        { numRuns: runs(options.runs ?? 40) },
      );
    });
  });
}

async function step(store: Store, model: Model, each: Call, expect: TestApi["expect"]): Promise<void> {
  if (each.do === "list") {
    const keys = [...model.documents.keys(), ...model.logs.keys()].sort((a, b) => (a < b ? -1 : 1));
    const wanted = keys
      .filter((key) => key.startsWith(each.prefix) && (each.after === null || key > each.after))
      .slice(0, each.limit ?? Infinity);
    const versions = wanted.map((key) => ({
      key,
      version: model.documents.get(key)?.version ?? String(model.logs.get(key)?.records.length),
    }));
    expect(await all(store.list(each.prefix, given({ after: each.after, limit: each.limit })))).toEqual(versions);
    return;
  }
  const document = model.documents.get(each.key);
  const log = model.logs.get(each.key);

  switch (each.do) {
    case "get": {
      const result = await outcome(store.get(each.key));
      expect(result).toEqual(log === undefined ? { value: document ?? null } : { failure: "TypeError" });
      return;
    }
    case "put": {
      const expect_ = { any: undefined, current: document?.version ?? null, stale: "0-stale", none: null }[
        each.expected
      ];
      const result = await outcome(store.put(each.key, each.value, expect_ === undefined ? {} : { expect: expect_ }));
      if (log !== undefined) return expect(result).toEqual({ failure: "TypeError" });
      if (expect_ !== undefined && expect_ !== (document?.version ?? null))
        return expect(result).toEqual({ failure: "Conflict", actual: document?.version ?? null });
      if (!("value" in result)) return expect(result).toEqual({ value: "a version" });
      model.documents.set(each.key, { value: each.value, version: result.value });
      return;
    }
    case "append": {
      const last = log?.records.length ?? 0;
      const expectSeq = { any: undefined, current: last, stale: last + 3, none: 0 }[each.expected];
      const records = Array.from({ length: each.count }, (_, index) => ({ n: last + index, text: "1.0" }));
      const result = await outcome(store.append(each.key, records, given({ id: each.id, expectSeq })));
      if (document !== undefined) return expect(result).toEqual({ failure: "TypeError" });
      const known = each.id === null ? undefined : log?.ids.get(each.id);
      if (known !== undefined) return expect(result).toEqual({ value: { seq: known, duplicate: true } });
      if (expectSeq !== undefined && expectSeq !== last)
        return expect(result).toEqual({ failure: "Conflict", actual: last });
      expect(result).toEqual({ value: { seq: last + each.count, duplicate: false } });
      const kept: NonNullable<typeof log> = log ?? { records: [], ids: new Map() };
      kept.records.push(...records);
      if (each.id !== null) kept.ids.set(each.id, last + each.count);
      model.logs.set(each.key, kept);
      return;
    }
    case "remove": {
      const state = document?.version ?? log?.records.length;
      const expect_ = { any: undefined, current: state, stale: "0-stale", none: log === undefined ? "0-none" : 0 }[
        each.expected
      ];
      const result = await outcome(store.remove(each.key, expect_ === undefined ? {} : { expect: expect_ }));
      if (expect_ !== undefined && expect_ !== state)
        return expect("failure" in result ? result.failure : result).toEqual("Conflict");
      expect(result).toEqual({ value: undefined });
      model.documents.delete(each.key);
      model.logs.delete(each.key);
      return;
    }
    case "read": {
      if (document !== undefined) return;
      const numbered = (log?.records ?? [])
        .map((record, index) => ({ seq: index + 1, record }))
        .filter(({ seq }) => seq > (each.after ?? 0));
      const newest = each.last === null ? numbered : numbered.slice(Math.max(0, numbered.length - each.last));
      expect(await all(store.read(each.key, given({ after: each.after, limit: each.limit, last: each.last })))).toEqual(
        newest.slice(0, each.limit ?? Infinity),
      );
      expect(await store.lastSeq(each.key)).toBe(log?.records.length ?? 0);
      return;
    }
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

async function outcome<T>(promise: Promise<T>): Promise<{ value: T } | { failure: string; actual?: unknown }> {
  try {
    return { value: await promise };
  } catch (error) {
    if (ConflictError.is(error)) return { failure: "Conflict", actual: error.actual };
    if (error instanceof TypeError) return { failure: "TypeError" };
    throw error;
  }
}
