import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import { storeHolder } from "../../adapters/storage/fs/index.ts";
import { programFile } from "../support/programs.ts";
import { recordsOf, rejection, still, withRoot } from "./fs-root.ts";

const writer = programFile("test/store/crash-writer.ts");
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--node-modules-dir=manual"] : [];

it("fsStore() without its folder says which option names it", async () => {
  for (const options of [{ root: "" }, {}, { path: "data" }] as unknown as { root: string }[])
    expect(await rejection(openFsStore(options, {}))).toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining("root must be the path of a folder") as unknown,
    });
});

it("fsStore() with a folder that the system does not let anybody make names it, and does not hang", async (context) => {
  if (process.platform !== "linux") return context.skip("there is no /proc");
  for (const root of ["/proc/wakeful", "/proc/wakeful/data"])
    expect(await rejection(openFsStore({ root }, {}))).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(`Cannot open a store in "${root}": ENOENT`) as unknown,
    });
});

describe("the lock of an fs store", () => {
  it("refuses a second store in this process, and lets one in after a close", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const error = await rejection(root.open());
      expect(error).toMatchObject({ code: "STORE_LOCKED" });
      expect((error as Error).message).toBe(
        `Cannot open the store at ${JSON.stringify(store === undefined ? "" : root.path())}: this process (pid ${process.pid}) already has it open; use that store, or close it first`,
      );
      await store.append("log", { n: 1 });
      await store.close();
      expect(await root.names()).not.toContain("lock");
      expect(await recordsOf(await root.open(), "log")).toHaveLength(1);
    });
  });

  it("refuses while another process has it, and says which; takes over once that one was killed", async () => {
    await withRoot(async (root) => {
      const child = spawn(process.execPath, [...runtimeArguments, writer, "fs", root.root, "0"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      child.stdout.resume();
      const error = await rejection(root.open());
      expect(error).toMatchObject({ code: "STORE_LOCKED" });
      expect((error as Error).message).toContain(
        `process ${child.pid} has it open; stop that process, or choose another root`,
      );
      child.kill("SIGKILL");
      await once(child, "exit");
      await root.open();
      expect(root.reports.map(({ kind }) => kind)).toContain("lock-taken-over");
    });
  });

  it("says who has the store open and where it serves, and nothing after a close", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const here = { pid: process.pid, host: hostname() };
      expect(storeHolder(root.root)).toEqual(here);
      store.announce("http://127.0.0.1:8787");
      expect(storeHolder(root.root)).toEqual({ ...here, url: "http://127.0.0.1:8787" });
      // It is still the lock of this store.
      await store.append("log", { n: 1 });
      expect(await rejection(root.open())).toMatchObject({ code: "STORE_LOCKED" });
      await store.close();
      expect(storeHolder(root.root)).toBeUndefined();
    });
  });

  it("announces nothing in a lock that another process has taken", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const taken = owner({ token: "another's" });
      await writeFile(root.path("lock"), taken);
      store.announce("http://127.0.0.1:8787");
      expect(await readFile(root.path("lock"), "utf8")).toBe(taken);
    });
  });

  const owner = (changes: object) =>
    JSON.stringify({ v: 1, pid: process.pid, host: hostname(), started: "elsewhen", token: "t", ...changes });

  it.each([
    { title: "an earlier process with this pid, as in a container", lock: owner({}) },
    { title: "a pid that nobody has", lock: owner({ pid: 2 ** 22 + 1 }) },
    { title: "nobody, since it is unreadable", lock: "{" },
  ])("takes over a lock of $title", async ({ lock }) => {
    // Where a process's start cannot be known, a lock with this pid counts as held.
    await withRoot(async (root) => {
      await writeFile(root.path("lock"), lock);
      await root.open();
      expect(root.reports).toMatchObject([{ kind: "lock-taken-over" }]);
      expect(JSON.parse(await root.text("lock"))).toMatchObject({ pid: process.pid });
    });
  });

  it("believes a lock of another host while it is touched, and for thirty seconds after", async () => {
    await withRoot(async (root) => {
      await writeFile(root.path("lock"), owner({ host: "another.host", pid: 7 }));
      const error = await rejection(root.open());
      expect((error as Error).message).toContain('process 7 on host "another.host" has it open');
      const longAgo = new Date(Date.now() - 31_000);
      await utimes(root.path("lock"), longAgo, longAgo);
      await root.open();
    });
  });

  it.each([
    { title: "has it", ended: false },
    { title: "had it, and has ended", ended: true },
  ])("after a pause in which another process $title, nothing more is written", async ({ ended }) => {
    await withRoot(async (root) => {
      const clock = fakeClock();
      const paused = await root.open({ clock });
      await paused.append("log", { n: 1 });
      // As another host sees it: silent for so long that it counts as gone.
      await writeFile(root.path("lock"), owner({ host: "another.host", token: "of the one that pauses" }));
      const longAgo = new Date(Date.now() - 31_000);
      await utimes(root.path("lock"), longAgo, longAgo);
      const other = await root.open();
      await other.append("log", { n: 2 });
      await other.checkpoint();
      if (ended) await other.close();
      const files = async () => [
        await root.text("log~log.jsonl"),
        ...(await root.names("wal")),
        ...(await root.names()).filter((name) => name === "lock"),
      ];
      const before = await files();
      // The checkpoint of what it had appended is due now.
      await clock.advance(40_000);
      expect(await rejection(paused.put("a", 1))).toMatchObject({ code: "STORE_LOCKED" });
      expect(await rejection(paused.append("log", { n: 3 }))).toMatchObject({ code: "STORE_LOCKED" });
      await paused.close();
      expect(await files()).toEqual(before);
      if (!ended) await other.append("log", { n: 3 });
      const records = await recordsOf(ended ? await root.open() : other, "log");
      expect(records.map(({ record }) => record)).toEqual([{ n: 1 }, { n: 2 }, ...(ended ? [] : [{ n: 3 }])]);
    });
  });

  it("is let go when opening fails", async () => {
    await withRoot(async (root) => {
      await writeFile(root.path("store.json"), '{"v": 99}');
      expect(await rejection(root.open())).toMatchObject({ code: "FORMAT_TOO_NEW" });
      expect(await root.names()).not.toContain("lock");
    });
  });
});

describe("opening an fs store", () => {
  it("sweeps the temp files of an earlier run", async () => {
    await withRoot(async (root) => {
      await (await root.open()).close();
      await writeFile(root.path("tmp", "17"), "half a docu");
      const store = await root.open();
      expect(await root.names("tmp")).toEqual([]);
      expect(root.reports).toMatchObject([{ kind: "swept", level: "info" }]);
      await store.put("a", 1);
      expect(await root.names("tmp")).toEqual([]);
    });
  });

  it("converts an older format step by step, after a backup", async () => {
    await withRoot(async (root) => {
      let store = await root.open();
      await store.put("memory/u/MEMORY.md", "old words");
      await store.append("log", { n: 1 });
      await store.close();
      const migrations = [1, 2].map((from) => ({
        from,
        async run(path: string) {
          const file = `${path}/memory/u/MEMORY.md`;
          await writeFile(file, `${readFileSync(file, "utf8")} ${from}`);
        },
      }));
      store = await openFsStore(
        { root: root.root, clock: still, onReport: (report) => root.reports.push(report) },
        { format: { current: 3, migrations } },
      );
      expect((await store.get("memory/u/MEMORY.md"))?.value).toBe("old words 1 2");
      expect(await recordsOf(store, "log")).toHaveLength(1);
      await store.close();
      const [backup = ""] = await root.names("backup");
      expect(await root.text("backup", backup, "memory", "u", "MEMORY.md")).toBe("old words");
      expect(await root.names("backup", backup)).toContain("log~log.jsonl");
      expect(root.reports.map(({ kind }) => kind)).toEqual(["migrated"]);
      expect(await rejection(root.open())).toMatchObject({ code: "FORMAT_TOO_NEW" });
    });
  });

  it("refuses a root that is a file, with the remedy", async () => {
    await withRoot(async (root) => {
      await writeFile(root.path("file"), "");
      const error = await rejection(root.open({ root: root.path("file") }));
      expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
    });
  });

  it("refuses work after a close", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.close();
      for (const work of [
        store.get("a"),
        store.put("a", 1),
        store.append("a", {}),
        store.lastSeq("a"),
        store.remove("a"),
        recordsOf(store, "a"),
      ]) {
        expect(await rejection(work)).toMatchObject({ code: "STORE_UNAVAILABLE" });
      }
    });
  });

  it("finishes what was under way when it was closed", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const work = [
        store.put("a.md", "x".repeat(1_000_000)),
        store.append("log", { n: 1 }),
        store.append("log", { n: 2 }, { flush: false }),
      ];
      await store.close();
      await Promise.all(work);
      expect(await readFile(root.path("a.md"), "utf8")).toHaveLength(1_000_000);
      expect(await recordsOf(await root.open(), "log")).toHaveLength(2);
    });
  });
});
