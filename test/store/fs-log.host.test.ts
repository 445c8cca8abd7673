import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hostFileSystem } from "../../adapters/storage/fs/file-system.ts";
import { openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import { recordsOf, rejection, still, withRoot } from "./fs-root.ts";
import type { FsRoot } from "./fs-root.ts";

const LOG = "sessions/main/s/log.jsonl";
const file = ["sessions", "main", "s", "log.jsonl"] as const;

describe("the write-ahead log of an fs store", () => {
  it("makes the appends of one tick durable by one sync, whatever their logs", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.append("warm", { n: 0 });
      const before = store.stats();
      await Promise.all([
        store.append(LOG, { n: 1 }),
        store.append("engine/wakes", { at: 1 }),
        store.append("warm", [{ n: 1 }, { n: 2 }]),
      ]);
      const { fsyncs, appends } = store.stats();
      expect({ fsyncs: fsyncs - before.fsyncs, appends: appends - before.appends }).toEqual({ fsyncs: 1, appends: 3 });
    });
  });

  it("takes room to read a short log for what is in it", async () => {
    await withRoot(async (root) => {
      const host = hostFileSystem();
      const sizes: number[] = [];
      const read = (descriptor: number, into: Uint8Array, position: number) => {
        sizes.push(into.byteLength);
        return host.read(descriptor, into, position);
      };
      const store = await root.open({}, { fs: { ...host, read } });
      await store.append(LOG, [{ n: 1 }, { text: "x".repeat(3000) }, { n: 3 }]);
      await store.checkpoint();
      sizes.length = 0;
      expect((await recordsOf(store, LOG)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(Math.max(...sizes)).toBeLessThan(4096);
    });
  });

  it("gives what arrives while a sync runs to the next one", async () => {
    await withRoot(async (root) => {
      const host = hostFileSystem();
      const held: (() => void)[] = [];
      let holding = false;
      let began = () => {};
      const sync = (descriptor: number) =>
        holding
          ? new Promise<void>((resolve) => {
              held.push(() => void host.sync(descriptor).then(resolve));
              began();
            })
          : host.sync(descriptor);
      const nextSync = () => new Promise<void>((resolve) => (began = resolve));
      const tick = () => new Promise<void>((resolve) => void setImmediate(resolve));
      const store = await openFsStore({ root: root.root, clock: still }, { fs: { ...host, sync } });
      holding = true;

      const firstSync = nextSync();
      const first = store.append("a", { n: 1 });
      await firstSync;
      const others = [store.append("a", { n: 2 })];
      await tick();
      others.push(store.append("b", { n: 1 }));
      await tick();
      expect(await root.text("wal", "1.jsonl")).toContain('"log":"b"');
      expect(held).toHaveLength(1);

      const secondSync = nextSync();
      held[0]?.();
      await first;
      await secondSync;
      held[1]?.();
      expect(await Promise.all(others)).toEqual([
        { seq: 2, duplicate: false },
        { seq: 1, duplicate: false },
      ]);
      expect(held).toHaveLength(2);
      holding = false;
      await store.close();
    });
  });

  it("hands an append without flush over at once, and syncs nothing for it", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.append(LOG, { n: 1 });
      const before = store.stats();
      await store.append(LOG, { n: 2 }, { flush: false });
      expect(store.stats().fsyncs).toBe(before.fsyncs);
      expect(store.stats().bytes).toBeGreaterThan(before.bytes);
      expect(await root.text("wal", "1.jsonl")).toContain('"record":{"n":2}');
    });
  });

  it("makes a first append durable before it tells a second with its id", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.append(LOG, { n: 1 }, { id: "a", flush: false });
      const before = store.stats().walSyncs;
      expect(await store.append(LOG, { n: 1 }, { id: "a" })).toEqual({ seq: 1, duplicate: true });
      expect(store.stats().walSyncs).toBeGreaterThan(before);
    });
  });

  it("keeps a file that a person can read, complete after a checkpoint", async () => {
    await withRoot(async (root) => {
      const clock = { now: () => 1_800_000_000_000, sleep: async () => {}, at: () => () => {} };
      const store = await root.open({ clock });
      await store.append(LOG, [{ type: "in", text: "héllo" }, { type: "note" }], { id: "telegram:7" });
      expect(await root.names("sessions", "main", "s").catch(() => [])).toEqual([]);
      expect(await root.names("wal")).toEqual(["1.jsonl"]);
      await store.checkpoint();
      expect(await root.text(...file)).toBe(
        '{"v":1,"seq":1,"t":1800000000000,"record":{"type":"in","text":"héllo"}}\n' +
          '{"v":1,"seq":2,"t":1800000000000,"id":"telegram:7","record":{"type":"note"}}\n',
      );
      expect(await root.names("wal")).toEqual([]);
      await store.append(LOG, { n: 3 });
      expect(await root.names("wal")).toEqual(["2.jsonl"]);
      await store.close();
      expect(await root.names("wal")).toEqual([]);
    });
  });

  it("brings files up to date by itself within seconds", async () => {
    await withRoot(async (root) => {
      const timers: { timeMs: number; callback: () => void }[] = [];
      const clock = {
        now: () => 1_000,
        sleep: async () => {},
        at: (timeMs: number, callback: () => void) => (timers.push({ timeMs, callback }), () => {}),
      };
      const store = await root.open({ clock });
      await store.append(LOG, { n: 1 });
      await store.append("other", { n: 1 });
      expect(timers.map(({ timeMs }) => timeMs)).toEqual([3_000]);
      timers[0]?.callback();
      await store.checkpoint();
      expect(await root.text(...file)).toContain('"record":{"n":1}');
      expect(store.stats().checkpoints).toBeGreaterThan(0);
    });
  });

  it("reads the same while checkpoints run and files grow under the reader", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      for (let n = 1; n <= 30; n++) await store.append(LOG, { n });
      await store.checkpoint();
      for (let n = 31; n <= 60; n++) await store.append(LOG, { n });
      const seqs: number[] = [];
      for await (const { seq } of store.read(LOG)) {
        seqs.push(seq);
        if (seq === 3) await store.checkpoint();
        if (seq === 40) await store.append(LOG, { n: 61 });
      }
      expect(seqs.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      const last: number[] = [];
      for await (const { seq } of store.read(LOG, { last: 3 })) last.push(seq);
      expect(last).toEqual([59, 60, 61]);
    });
  });

  it("forgets idle logs, and knows them again", async () => {
    await withRoot(async (root) => {
      const store = await root.open({}, { warmLogs: 64 });
      const logs = Array.from({ length: 200 }, (_, n) => `sessions/main/s${n}/log.jsonl`);
      await Promise.all(logs.map((log, n) => store.append(log, { n }, { id: "a" })));
      await store.checkpoint();
      await store.append("other", { n: 1 });
      for (let n = 0; n < 30; n++) await store.lastSeq(`none/${n}`);
      expect(store.stats().warmLogs).toBeLessThanOrEqual(64);
      for (const log of [logs[0] ?? "", logs[199] ?? ""]) {
        expect(await store.append(log, { n: 9 }, { id: "a" })).toEqual({ seq: 1, duplicate: true });
        expect(await store.append(log, { n: 9 }, { expectSeq: 1 })).toEqual({ seq: 2, duplicate: false });
      }
    });
  });

  it("forgets logs that are idle although older ones wait for a checkpoint", async () => {
    await withRoot(async (root) => {
      const store = await root.open({}, { warmLogs: 64 });
      const idle = Array.from({ length: 150 }, (_, n) => `s/${n}/log`);
      await Promise.all(idle.map((log, n) => store.append(log, { n })));
      await store.checkpoint();
      const waiting = Array.from({ length: 40 }, (_, n) => `waiting/${n}/log`);
      await Promise.all(waiting.map((log) => store.append(log, { n: 1 })));
      for (const log of idle) expect(await store.lastSeq(log)).toBe(1);
      expect(store.stats().warmLogs).toBeLessThanOrEqual(64);
      expect(await recordsOf(store, waiting[0] ?? "")).toHaveLength(1);
    });
  });

  it("keeps nothing in mind of a log that is not there and is only asked for", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.append("there", { n: 1 });
      const before = store.stats().warmLogs;
      for (let n = 0; n < 20; n++) {
        expect(await store.lastSeq(`none/${n}`)).toBe(0);
        expect(await recordsOf(store, `none/${n}`)).toEqual([]);
      }
      expect(store.stats().warmLogs).toBe(before);
      await store.append("none/7", { n: 1 });
      expect(await store.lastSeq("none/7")).toBe(1);
    });
  });

  it("lists logs before and after they have a file", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const listed = async () => {
        const found: string[] = [];
        for await (const { key, version } of store.list("s/")) found.push(`${key} ${version}`);
        return found;
      };
      await Promise.all([
        store.append("s/a/log", { n: 1 }),
        store.append("s/b/log", { n: 1 }),
        store.append("t", { n: 1 }),
      ]);
      expect(await listed()).toEqual(["s/a/log 1", "s/b/log 1"]);
      await store.checkpoint();
      expect(await listed()).toEqual(["s/a/log 1", "s/b/log 1"]);
      await store.append("s/b/log", { n: 2 });
      await store.remove("s/a/log");
      expect(await listed()).toEqual(["s/b/log 2"]);
    });
  });

  it("removes a log's file and the folders that it leaves empty", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.append(LOG, { n: 1 });
      await store.checkpoint();
      await store.append(LOG, { n: 2 });
      await store.remove(LOG);
      expect(await root.names()).not.toContain("sessions");
      await store.append(LOG, { n: 3 });
      await store.checkpoint();
      expect((await root.text(...file)).trimEnd().split("\n")).toHaveLength(1);
    });
  });
});

describe("a log that is removed while a checkpoint is under way", () => {
  /** Opens a store whose files under `held/` open only after `release`, and waits until a checkpoint stands there with both its hands full. */
  async function halted(root: FsRoot) {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    const host = hostFileSystem();
    const fs = {
      ...host,
      async open(path: string, flags: "a+" | "r" | "wx") {
        if (path.includes("held")) {
          waiting += 1;
          await released;
        }
        return host.open(path, flags);
      },
    };
    const store = await openFsStore({ root: root.root, clock: still, onReport: () => {} }, { fs });
    for (const log of ["held/a", "held/b", LOG]) await store.append(log, { n: 1 });
    const checkpoint = store.checkpoint();
    while (waiting < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    return { store, release, checkpoint };
  }

  it("does not come back with what the checkpoint still held of it", async () => {
    await withRoot(async (root) => {
      const { store, release, checkpoint } = await halted(root);
      await store.remove(LOG);
      release();
      await checkpoint;
      expect(await root.names()).not.toContain("sessions");
      await store.close();
      const again = await root.open();
      expect(await again.lastSeq(LOG)).toBe(0);
    });
  });

  it("keeps what is appended to it afterwards, and only that", async () => {
    await withRoot(async (root) => {
      const { store, release, checkpoint } = await halted(root);
      await store.remove(LOG);
      await store.append(LOG, { n: 2 });
      release();
      await checkpoint;
      await store.close();
      const again = await root.open();
      expect(await recordsOf(again, LOG)).toEqual([{ seq: 1, record: { n: 2 } }]);
    });
  });
});

describe("watch() of an fs store", () => {
  it("tells of this store's changes and of changes by hand, until it is aborted", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.put("memory/u/MEMORY.md", "one");
      const abort = new AbortController();
      const seen = new Set<string>();
      const waiting = new Map<string, () => void>();
      const watching = (async () => {
        for await (const { key } of store.watch("memory/", abort.signal)) {
          seen.add(key);
          waiting.get(key)?.();
        }
      })();
      const told = (key: string) => new Promise<void>((resolve) => void waiting.set(key, resolve));
      const ours = told("memory/u/log.jsonl");
      await store.append("memory/u/log.jsonl", { n: 1 });
      await store.append("elsewhere", { n: 1 });
      await ours;
      const byHand = told("memory/u/MEMORY.md");
      // Written until it is seen: some systems take a moment to begin watching.
      const again = setInterval(() => void writeFile(root.path("memory", "u", "MEMORY.md"), "by hand"), 20);
      await byHand;
      clearInterval(again);
      abort.abort();
      await watching;
      expect([...seen].sort()).toEqual(["memory/u/MEMORY.md", "memory/u/log.jsonl"]);
      expect(await rejection(watching)).toBe(undefined);
    });
  });
});
