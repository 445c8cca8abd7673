import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { type Assistant, createAssistant } from "../../entry.host.ts";
import { storeKey } from "../../kit.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { systemClock } from "../../src/clock.ts";
import { wholeOnNode } from "../support/thorough.ts";

const IDS = wholeOnNode(
  [
    "../outside",
    "../../outside/file",
    "..",
    ".",
    "/etc/passwd",
    "..\\outside",
    "C:\\outside",
    "%2e%2e%2foutside",
    "..%2foutside",
    "%252e%252e%252foutside",
    "a/../../outside",
    "a\u0000/../../outside",
    "．．/outside",
    "..\u2215outside",
    "con",
    "nul.txt",
    "store.json",
    "~root",
    "-rf",
    "a".repeat(3000),
    "__proto__",
    "*",
    "line\nbreak",
    "CASE",
    "case",
  ],
  3,
);

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "wakeful-ids-")));
  root = join(folder, "inner/root");
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/file"), "canary");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whatever lies beside the store's folder, however deep. */
function beside(): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("inner/root"))
    .toSorted();
}
const UNTOUCHED = ["inner", "outside", "outside/file"];

function expectUntouched(): void {
  expect(beside()).toEqual(UNTOUCHED);
  expect(readFileSync(join(folder, "outside/file"), "utf8")).toBe("canary");
}

describe("an id is never a path", () => {
  it("as the name of a session, of a person or of a conversation: each is its own, and all lie in the store", async () => {
    const store = await fsStore({ root });
    const assistant: Assistant = await createAssistant({ store, model: scriptedModel(() => "noted") });
    await assistant.start();
    for (const id of IDS) await assistant.send({ text: `said in ${id.slice(0, 40)}`, session: id });
    for (const id of IDS) await assistant.send({ text: "said", user: `app:${id}` });
    expectUntouched();
    const sessions = await assistant.sessions.list();
    expect(sessions.length).toBe(2 * IDS.length);
    for (const { key } of sessions) expect((await assistant.sessions.show(key))?.entries.length).toBeGreaterThan(1);
    for (const { key } of sessions) expect(await assistant.sessions.remove(key)).toBe(true);
    expectUntouched();
    expect(await assistant.sessions.list()).toEqual([]);
    await assistant.stop();
  });

  it("as the name or the id of an artifact", async () => {
    const store = await fsStore({ root });
    const artifacts = createArtifacts({ store, clock: systemClock() });
    for (const id of IDS) {
      const written = await artifacts.write(id, { name: id, content: `of ${id}`, user: id });
      if (!written.ok) throw new Error(written.reason);
      expect((await artifacts.read(id, written.artifact.id))?.content).toBe(`of ${id}`);
      expect(await artifacts.read("s", id)).toBeNull();
      expect(await artifacts.remove(id, id)).toBe(false);
    }
    for (const id of IDS) expect((await artifacts.list(id)).length).toBe(1);
    expectUntouched();
    for (const [index, id] of IDS.entries()) {
      await artifacts.removeSession(id);
      const left = await Promise.all(IDS.map(async (one) => (await artifacts.list(one)).length));
      expect(left).toEqual(IDS.map((_, at) => (at <= index ? 0 : 1)));
    }
    expectUntouched();
    await store.close?.();
  });

  it("as a segment of any key of the store", async () => {
    const store = await fsStore({ root });
    for (const id of IDS) {
      await store.put(storeKey("any", id, "document"), id);
      await store.append(storeKey("any", id, "log"), { id });
    }
    expectUntouched();
    for (const id of IDS) expect((await store.get(storeKey("any", id, "document")))?.value).toBe(id);
    const keys: string[] = [];
    for await (const { key } of store.list("any/")) keys.push(key);
    expect(keys.length).toBe(2 * IDS.length);
    for (const key of keys) await store.remove(key);
    expectUntouched();
    await store.close?.();
  });

  it.each(["../outside/file", "any/../../outside", "/etc/passwd", "any//x", "", "any/./x", "any/../x"])(
    "and a key that somebody put together by hand is refused or stays inside: %j",
    async (key) => {
      const store = await fsStore({ root });
      await store.put(key, "planted").catch(() => undefined);
      await store.remove(key).catch(() => undefined);
      await store.get(key).catch(() => null);
      expectUntouched();
      await store.close?.();
    },
  );

  it("as the id of an agent: its sessions and its files lie in the store", async () => {
    for (const id of ["../outside", "a/../../outside", ".."]) {
      const store = await fsStore({ root: join(root, encodeURIComponent(id).replaceAll(".", "-")) });
      const assistant = await createAssistant({ store, model: scriptedModel(() => "noted"), agents: [{ id }] }).catch(
        () => undefined,
      );
      await assistant?.send({ text: "hello" });
      await assistant?.tools.run("file_write", { path: "note.txt", content: "x" }, { user: "cli", channel: "cli" });
      await assistant?.stop();
      if (!assistant) await store.close?.();
      expectUntouched();
    }
  });
});
