import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hostFileSystem } from "../../adapters/storage/fs/file-system.ts";
import { recordsOf, rejection, withRoot } from "./fs-root.ts";
import type { FsRoot } from "./fs-root.ts";

const LOG = "sessions/main/s/log.jsonl";
const file = ["sessions", "main", "s", "log.jsonl"] as const;

/** A log of three records in its file, and no write-ahead log. */
async function threeRecords(root: FsRoot): Promise<void> {
  const store = await root.open();
  for (const n of [1, 2, 3]) await store.append(LOG, { n }, { id: `id-${n}` });
  await store.close();
}

const ns = async (store: Parameters<typeof recordsOf>[0], log = LOG) =>
  (await recordsOf(store, log)).map(({ record }) => (record as { n: number }).n);

describe("a damaged log", () => {
  it.each([
    { title: "half a line", tail: '{"v":1,"seq":4,"t":1,"record":{"n":' },
    { title: "half a character", tail: Buffer.from('{"v":1,"seq":4,"t":1,"record":{"n":"é').subarray(0, -1) },
    { title: "NULs", tail: "\0\0\0\0" },
    { title: "a whole line of another kind without a newline", tail: '{"n":4}' },
  ])("has its unfinished tail cut off, kept and reported: $title", async ({ tail }) => {
    await withRoot(async (root) => {
      await threeRecords(root);
      await appendFile(root.path(...file), tail);
      const store = await root.open();
      expect(await store.append(LOG, { n: 4 })).toEqual({ seq: 4, duplicate: false });
      expect(await ns(store)).toEqual([1, 2, 3, 4]);
      expect(root.reports).toMatchObject([{ kind: "torn-tail", level: "warning", file: root.path(...file), line: 4 }]);
      const [kept = ""] = await root.names("torn");
      expect(await readFile(root.path("torn", kept))).toEqual(Buffer.from(tail));
      await store.close();
      const lines = (await root.text(...file)).trimEnd().split("\n");
      expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3, 4]);
    });
  });

  it("that this user may not read is named with the remedy, and hides no other from a list", async () => {
    await withRoot(async (root) => {
      await threeRecords(root);
      const fs = hostFileSystem();
      const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      const openSync: typeof fs.openSync = (path, flags) => {
        if (path === root.path(...file)) throw denied;
        return fs.openSync(path, flags);
      };
      const store = await root.open({}, { fs: { ...fs, openSync } });
      const refused = {
        code: "STORE_UNAVAILABLE",
        message: `Cannot read the log ${JSON.stringify(root.path(...file))}: give this user read and write access to it (EACCES)`,
      };
      const listed: string[] = [];
      for await (const { key } of store.list("sessions/")) listed.push(key);
      expect(listed).toEqual([LOG]);
      expect(await rejection(recordsOf(store, LOG))).toMatchObject(refused);
    });
  });

  it("keeps a whole last line that lacks only its newline, and does not glue the next to it", async () => {
    await withRoot(async (root) => {
      await threeRecords(root);
      const text = await root.text(...file);
      await writeFile(root.path(...file), text.trimEnd());
      const store = await root.open();
      expect(await store.append(LOG, { n: 4 })).toEqual({ seq: 4, duplicate: false });
      await store.checkpoint();
      expect(await ns(store)).toEqual([1, 2, 3, 4]);
      expect((await root.text(...file)).startsWith(text)).toBe(true);
      expect(root.reports).toEqual([]);
    });
  });

  it("skips a bad line in the middle, reports it once with file and line, and leaves it where it is", async () => {
    await withRoot(async (root) => {
      await threeRecords(root);
      const lines = (await root.text(...file)).split("\n");
      lines[1] = `${lines[1]?.slice(0, 30)}#broken`;
      await writeFile(root.path(...file), lines.join("\n"));
      const store = await root.open();
      expect(await ns(store)).toEqual([1, 3]);
      expect(await ns(store)).toEqual([1, 3]);
      const last: number[] = [];
      for await (const { seq } of store.read(LOG, { last: 2 })) last.push(seq);
      expect(last).toEqual([1, 3]);
      expect(await store.append(LOG, { n: 4 }, { expectSeq: 3 })).toEqual({ seq: 4, duplicate: false });
      await store.close();
      expect((await root.text(...file)).startsWith(lines.join("\n"))).toBe(true);
      expect(root.reports).toMatchObject([{ kind: "bad-line", level: "warning", file: root.path(...file), line: 2 }]);
    });
  });

  it("does not give the seq of a bad last line again", async () => {
    await withRoot(async (root) => {
      await threeRecords(root);
      await appendFile(root.path(...file), '{"v":1,"seq":4,"t":1,"record":{"n":#}}\n');
      const store = await root.open();
      expect(await store.append(LOG, { n: 5 })).toEqual({ seq: 5, duplicate: false });
      expect(await ns(store)).toEqual([1, 2, 3, 5]);
    });
  });

  it("knows its ids again, and finds any seq in a file of many pieces", async () => {
    await withRoot(async (root) => {
      let store = await root.open();
      const big = "x".repeat(10_000);
      for (let n = 1; n <= 60; n++) await store.append(LOG, { n, big }, { id: `id-${n}` });
      await store.close();
      store = await root.open();
      expect(await store.append(LOG, { n: 0 }, { id: "id-1" })).toEqual({ seq: 1, duplicate: true });
      for (const after of [0, 1, 29, 58, 59, 60]) {
        const found: number[] = [];
        for await (const { seq } of store.read(LOG, { after, limit: 2 })) found.push(seq);
        expect(found).toEqual([after + 1, after + 2].filter((seq) => seq <= 60));
      }
    });
  });

  it("forgets ids after eight days, not before", async () => {
    await withRoot(async (root) => {
      let now = 1_800_000_000_000;
      const day = 24 * 3600 * 1000;
      const clock = { now: () => now, sleep: async () => {}, at: () => () => {} };
      let store = await root.open({ clock });
      await store.append(LOG, { n: 1 }, { id: "a" });
      await store.close();
      now += 7.9 * day;
      store = await root.open({ clock });
      expect((await store.append(LOG, { n: 2 }, { id: "a" })).duplicate).toBe(true);
      await store.close();
      now += 0.2 * day;
      store = await root.open({ clock });
      expect((await store.append(LOG, { n: 2 }, { id: "a" })).duplicate).toBe(false);
    });
  });

  it("refuses a line of a later format", async () => {
    await withRoot(async (root) => {
      await threeRecords(root);
      await appendFile(root.path(...file), '{"v":2,"seq":4,"what":"ever"}\n');
      const store = await root.open();
      expect(await rejection(store.append(LOG, { n: 4 }))).toMatchObject({ code: "FORMAT_TOO_NEW" });
      expect(await rejection(recordsOf(store, LOG))).toMatchObject({ code: "FORMAT_TOO_NEW" });
    });
  });
});

describe("a damaged write-ahead log", () => {
  const entry = (seq: number, n = seq) =>
    `{"v":1,"log":"${LOG}","lines":[{"v":1,"seq":${seq},"t":1800000000000,"id":"id-${seq}","record":{"n":${n}}}]}\n`;

  async function withSegments(segments: readonly string[], body: (root: FsRoot) => Promise<void>): Promise<void> {
    await withRoot(async (root) => {
      await threeRecords(root);
      for (const [index, text] of segments.entries()) await writeFile(root.path("wal", `${index + 8}.jsonl`), text);
      await body(root);
    });
  }

  it("gives back every whole entry before an unfinished one, which is kept aside", async () => {
    await withSegments([entry(3, 99) + entry(4) + entry(5).slice(0, 40)], async (root) => {
      const store = await root.open();
      expect(await ns(store)).toEqual([1, 2, 3, 4]);
      expect(await store.append(LOG, { n: 9 }, { id: "id-4" })).toEqual({ seq: 4, duplicate: true });
      expect(await store.append(LOG, { n: 5 }, { expectSeq: 4 })).toEqual({ seq: 5, duplicate: false });
      expect(root.reports.map(({ kind }) => kind)).toEqual(["torn-tail", "replayed"]);
      await store.close();
      expect(await root.names("wal")).toEqual([]);
      const [kept = ""] = await root.names("torn");
      expect(await root.text("torn", kept)).toBe(entry(5).slice(0, 40));
      expect((await root.text(...file)).trimEnd().split("\n")).toHaveLength(5);
    });
  });

  it("takes segments in the order of their numbers, and each record once", async () => {
    await withSegments([entry(4, 99), entry(4) + entry(5), entry(5) + entry(6)], async (root) => {
      const store = await root.open();
      expect(await ns(store)).toEqual([1, 2, 3, 4, 5, 6]);
    });
  });

  it("reports what is missing, and keeps what is there", async () => {
    await withSegments([`${entry(4)}nonsense\n${entry(6)}`], async (root) => {
      const store = await root.open();
      expect(await ns(store)).toEqual([1, 2, 3, 4, 6]);
      expect(root.reports.map(({ kind }) => kind)).toEqual(["bad-line", "gap", "replayed"]);
      expect(root.reports[0]).toMatchObject({ level: "warning", file: root.path("wal", "8.jsonl"), line: 2 });
    });
  });

  it("removes a log again that was removed, and keeps what came after", async () => {
    const removed = `{"v":1,"log":"${LOG}","removed":true}\n`;
    await withSegments([entry(4), removed + entry(1, 10), entry(2, 20)], async (root) => {
      const store = await root.open();
      expect(await ns(store)).toEqual([10, 20]);
      await store.close();
      expect((await root.text(...file)).trimEnd().split("\n")).toHaveLength(2);
      expect(await ns(await root.open())).toEqual([10, 20]);
    });
  });

  it("does not count what a segment holds after it was superseded", async () => {
    const bytes = Buffer.byteLength(entry(4));
    const superseding = `{"v":1,"supersedes":"8.jsonl","bytes":${bytes}}\n`;
    await withSegments([entry(4) + entry(5, 99) + entry(6, 99), superseding + entry(5)], async (root) => {
      expect(await ns(await root.open())).toEqual([1, 2, 3, 4, 5]);
    });
  });

  it("refuses to start on an entry of a later format", async () => {
    await withSegments(['{"v":2,"what":"ever"}\n'], async (root) => {
      expect(await rejection(root.open())).toMatchObject({ code: "FORMAT_TOO_NEW" });
      expect(await root.names("wal")).toEqual(["8.jsonl"]);
    });
  });
});

describe("a document edited by hand", () => {
  it("gives the new text under a new version, which a stale writer conflicts with", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const version = await store.put("memory/u/MEMORY.md", "# Memory\n");
      expect(await root.text("memory", "u", "MEMORY.md")).toBe("# Memory\n");
      await writeFile(root.path("memory", "u", "MEMORY.md"), "# Memory\nby hand\n");
      expect(await rejection(store.put("memory/u/MEMORY.md", "lost", { expect: version }))).toMatchObject({
        code: "CONFLICT",
      });
      const found = await store.get("memory/u/MEMORY.md");
      expect(found?.value).toBe("# Memory\nby hand\n");
      await store.put("memory/u/MEMORY.md", "merged", { expect: found?.version ?? null });
      expect(await root.text("memory", "u", "MEMORY.md")).toBe("merged");
    });
  });

  it("is found and listed when a person made it", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await mkdir(root.path("skills", "tea"), { recursive: true });
      await writeFile(root.path("skills", "tea", "SKILL.md"), "---\nname: tea\n---\n");
      await writeFile(root.path("skills", "tea", "SKILL.md~"), "an editor's backup");
      const keys: string[] = [];
      for await (const { key } of store.list("skills/")) keys.push(key);
      expect(keys).toEqual(["skills/tea/SKILL.md"]);
      expect((await store.get("skills/tea/SKILL.md"))?.value).toBe("---\nname: tea\n---\n");
    });
  });

  it("is JSON in an envelope with its format and version, and may be JSON alone", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      const version = await store.put("goals/u.json", { goal: 1 });
      const text = await root.text("goals", "u.json");
      expect(text).toMatch(/^\{\n {2}"v": 1,\n {2}"version": "[^"]+",\n {2}"value": \{\n {4}"goal": 1\n/);
      await writeFile(root.path("goals", "u.json"), text.replace('"goal": 1', '"goal": 2'));
      const edited = await store.get("goals/u.json");
      expect(edited?.value).toEqual({ goal: 2 });
      expect(edited?.version).not.toBe(version);
      await writeFile(root.path("goals", "u.json"), '{ "goal": 3 }');
      expect((await store.get("goals/u.json"))?.value).toEqual({ goal: 3 });
    });
  });

  it.each([
    { title: "broken JSON", text: '{ "v": 1, "version": "x", "value": { "goal": ', code: "STORE_UNSUITABLE" },
    { title: "an empty file", text: "", code: "STORE_UNSUITABLE" },
    { title: "an envelope without a value", text: '{ "v": 1 }', code: "STORE_UNSUITABLE" },
    { title: "an envelope of a later format", text: '{ "v": 2, "stuff": [] }', code: "FORMAT_TOO_NEW" },
  ])("is an error, never an empty document, when it holds $title", async ({ text, code }) => {
    await withRoot(async (root) => {
      const store = await root.open();
      await store.put("goals/u.json", { goal: 1 });
      await writeFile(root.path("goals", "u.json"), text);
      expect(await rejection(store.get("goals/u.json"))).toMatchObject({ code });
      expect(await root.text("goals", "u.json")).toBe(text);
    });
  });

  it("may be a log's file, edited or removed while the store is open", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      for (const n of [1, 2, 3]) await store.append(LOG, { n });
      await store.checkpoint();
      const lines = (await root.text(...file)).split("\n");
      await writeFile(root.path(...file), [lines[0], lines[2]].join("\n"));
      await store.append(LOG, { n: 4 });
      await store.checkpoint();
      expect(await ns(store)).toEqual([1, 3, 4]);
      await rm(root.path(...file));
      await store.append(LOG, { n: 5 });
      await store.checkpoint();
      expect(await ns(store)).toEqual([5]);
      expect(await store.lastSeq(LOG)).toBe(5);
    });
  });
});
