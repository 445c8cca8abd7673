import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArtifactLimits,
  type ArtifactsOptions,
  createArtifacts,
  createArtifactsApi,
} from "../../src/artifacts/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { runs } from "../support/thorough.ts";

const ADA = "agent:main:memory:direct:ada";
const BOB = "agent:main:memory:direct:bob";
const DAY_MS = 86_400_000;

/** How a ULID of that time begins. */
function timeDigits(timeMs: number): string {
  return timeMs
    .toString(32)
    .padStart(10, "0")
    .replaceAll(/./g, (digit) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ".charAt(Number.parseInt(digit, 32)));
}

function setUp(limits: ArtifactLimits & Pick<ArtifactsOptions, "logger"> = {}) {
  const store = memoryStore();
  const clock = fakeClock();
  const artifacts = createArtifacts({ store, clock, ...limits });
  const write = async (
    content: string | Uint8Array,
    rest: { session?: string; origin?: "result" | "attachment"; callId?: string } = {},
  ) => {
    const { session = ADA, ...more } = rest;
    return artifacts.write(session, { name: "a.txt", content, user: "memory:ada", ...more });
  };
  const keep = async (...input: Parameters<typeof write>) => {
    const written = await write(...input);
    if (!written.ok) throw new Error(written.reason);
    return written.artifact.id;
  };
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of store.list("artifacts/")) found.push(key);
    return found;
  };
  return { store, clock, artifacts, write, keep, keys };
}

describe("artifacts", () => {
  it("that work under way holds stay until that lets them go", async () => {
    const { artifacts, write, clock } = setUp({ maxTotalBytes: 10 });
    const held = await artifacts.write(ADA, {
      name: "a.txt",
      content: "123456",
      user: "memory:ada",
      origin: "result",
      heldBy: "run-1",
    });
    const id = held.ok ? held.artifact.id : "";
    expect(await write("12345", { origin: "result" })).toMatchObject({ ok: false, code: "QUOTA_EXCEEDED" });
    await clock.advance(40 * DAY_MS);
    await artifacts.sweep();
    await artifacts.hold(ADA, "run-2", []);
    expect((await artifacts.read(ADA, id))?.content).toBe("123456");
    await artifacts.hold(ADA, "run-1", []);
    expect(await artifacts.read(ADA, id)).toBeNull();
    expect(await write("12345", { origin: "result" })).toMatchObject({ ok: true });
  });

  it("come back as they were written, texts and bytes", async () => {
    const { artifacts, keep, clock } = setUp();
    const text = await keep("häst \ud83d\ude00\n");
    const bytes = await keep(new Uint8Array([0, 255, 128]));
    expect(await artifacts.read(ADA, text)).toEqual({
      id: text,
      name: "a.txt",
      mediaType: "text/plain",
      bytes: 11,
      createdAt: clock.now(),
      expiresAt: clock.now() + 30 * DAY_MS,
      user: "memory:ada",
      origin: "written",
      content: "häst \ud83d\ude00\n",
    });
    expect((await artifacts.read(ADA, bytes))?.content).toEqual(new Uint8Array([0, 255, 128]));
    expect((await artifacts.list(ADA)).map(({ id }) => id)).toEqual([text, bytes]);
  });

  it("belong to the session that made them", async () => {
    const { artifacts, keep } = setUp();
    const id = await keep("private");
    expect(await artifacts.read(BOB, id)).toBeNull();
    expect(await artifacts.list(BOB)).toEqual([]);
    expect(await artifacts.remove(BOB, id)).toBe(false);
    await artifacts.removeSession(BOB);
    expect((await artifacts.read(ADA, id))?.content).toBe("private");
    expect(await artifacts.sessionOf(id)).toBe(ADA);
  });

  it.each(["", "..", "../index", "index", "content/../index", "%2e%2e", "a".repeat(26), "01JD8XK3VQ5W8T9Y2Z4N6M7P0R"])(
    "are not found by the id %j",
    async (id) => {
      const { artifacts, keep } = setUp();
      await keep("private");
      expect(await artifacts.read(ADA, id)).toBeNull();
      expect(await artifacts.remove(ADA, id)).toBe(false);
      expect(await artifacts.sessionOf(id)).toBeNull();
    },
  );

  it("of two sessions never meet, whatever their keys are (property)", async () => {
    const key = fc.oneof(
      fc
        .array(fc.constantFrom("a", "/", "%", "%2F", "..", "index", "content", ":"), { minLength: 1, maxLength: 5 })
        .map((parts) => parts.join("")),
      fc.string({ minLength: 1, unit: "grapheme" }),
    );
    await fc.assert(
      fc.asyncProperty(key, key, async (one, other) => {
        fc.pre(one !== other);
        const { artifacts, keep } = setUp();
        const id = await keep("one's", { session: one });
        await keep("other's", { session: other });
        expect(await artifacts.read(other, id)).toBeNull();
        expect(await artifacts.list(other)).toHaveLength(1);
        await artifacts.removeSession(other);
        expect((await artifacts.read(one, id))?.content).toBe("one's");
      }),
      { numRuns: runs(200) },
    );
  });

  it("are gone when they were removed, with their content", async () => {
    const { artifacts, keep, keys } = setUp();
    const id = await keep("x");
    expect(await artifacts.remove(ADA, id)).toBe(true);
    expect(await artifacts.remove(ADA, id)).toBe(false);
    expect(await artifacts.read(ADA, id)).toBeNull();
    expect((await keys()).filter((key) => key.includes("content"))).toEqual([]);
    await keep("y");
    await artifacts.removeSession(ADA);
    expect(await keys()).toEqual([]);
  });

  it("are refused over their size and over what a session may keep, and nothing is left of them", async () => {
    const { artifacts, write, keep, keys } = setUp({ maxBytes: 10, maxTotalBytes: 25 });
    expect(await write("é".repeat(6))).toMatchObject({
      ok: false,
      code: "TOO_LARGE",
      reason: expect.stringContaining("12 bytes") as string,
    });
    await keep("1234567890");
    await keep("1234567890");
    expect(await write("123456")).toMatchObject({
      ok: false,
      code: "QUOTA_EXCEEDED",
      reason: expect.stringContaining("delete some") as string,
    });
    expect(await artifacts.list(ADA)).toHaveLength(2);
    expect((await keys()).filter((key) => key.includes("content"))).toHaveLength(2);
    await keep("123456", { session: BOB });
    await keep("12345");
  });

  it("hold the limit also when many are written at once", async () => {
    const { artifacts, write } = setUp({ maxTotalBytes: 50 });
    const written = await Promise.all(Array.from({ length: 12 }, async () => write("1234567890")));
    expect(written.filter(({ ok }) => ok)).toHaveLength(5);
    expect((await artifacts.list(ADA)).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(50);
  });

  it("are all kept when a hundred come at once", async () => {
    const { artifacts, write } = setUp();
    const written = await Promise.all(Array.from({ length: 100 }, async (_, n) => write(`file ${n}`)));
    expect(written.every(({ ok }) => ok)).toBe(true);
    expect(await artifacts.list(ADA)).toHaveLength(100);
  });

  it("leave no content behind when somebody else always changes the list first", async () => {
    const { store, artifacts, write, keys } = setUp();
    await write("one");
    const other = createArtifacts({
      clock: fakeClock(),
      store: {
        ...store,
        async put(key, value, options) {
          if (key.endsWith("/index")) await artifacts.write(ADA, { name: "b", content: "other", user: "sdk" });
          return store.put(key, value, options);
        },
      },
    });
    await expect(other.write(ADA, { name: "c", content: "never", user: "sdk" })).rejects.toThrow("version");
    const listed = await artifacts.list(ADA);
    expect((await keys()).filter((key) => key.includes("/content/"))).toHaveLength(listed.length);
  });

  it("make room for others when they are results, the oldest first", async () => {
    const { artifacts, keep } = setUp({ maxTotalBytes: 30 });
    const ids = [
      await keep("oldest....", { origin: "result" }),
      await keep("written..."),
      await keep("newest....", { origin: "result" }),
      await keep("one more.."),
    ];
    expect((await artifacts.list(ADA)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await artifacts.read(ADA, ids[0]!)).toBeNull();
  });

  it("make room for others when they came with a message, after all results", async () => {
    const { artifacts, keep, write } = setUp({ maxTotalBytes: 40 });
    const ids = [
      await keep("attachment", { origin: "attachment" }),
      await keep("written...", {}),
      await keep("result....", { origin: "result" }),
      await keep("newer file", { origin: "attachment" }),
    ];
    const left = async () => (await artifacts.list(ADA)).map(({ id }) => ids.indexOf(id));
    ids.push(await keep("1234567890", { origin: "attachment" }));
    expect(await left()).toEqual([0, 1, 3, 4]);
    ids.push(await keep("1234567890"));
    expect(await left()).toEqual([1, 3, 4, 5]);
    ids.push(await keep("12345678901234567890"));
    expect(await left()).toEqual([1, 5, 6]);
    expect(await write("1", { origin: "attachment" })).toMatchObject({ ok: false, code: "QUOTA_EXCEEDED" });
  });

  it("are swept a part of the sessions at a time, each of them in its turn", async () => {
    const { artifacts, keep, clock, keys } = setUp({ keepDays: 1 });
    const sessions = ["a", "a b", "a/b", "a!", "b", "content", "index"];
    for (const session of sessions) await keep("old", { session });
    await clock.advance(DAY_MS);
    let after: string | undefined;
    const parts: number[] = [];
    do {
      const { removed, next } = await artifacts.sweep({ sessions: 3, ...(after !== undefined && { after }) });
      parts.push(removed);
      after = next;
    } while (after !== undefined);
    expect(parts).toEqual([3, 3, 1]);
    expect((await keys()).filter((key) => key.split("/").length === 4)).toEqual([]);
  });

  it("are known by the call that wrote them, in its session and until they go", async () => {
    const { artifacts, keep, clock } = setUp({ keepDays: 1 });
    const id = await keep("x", { callId: "attachment:0:m" });
    expect(await artifacts.ofCall(ADA, "attachment:0:m")).toMatchObject({ id, bytes: 1 });
    expect(await artifacts.ofCall(BOB, "attachment:0:m")).toBeNull();
    await clock.advance(DAY_MS);
    expect(await artifacts.ofCall(ADA, "attachment:0:m")).toBeNull();
  });

  it("are written once for one call", async () => {
    const { artifacts, keep, keys } = setUp();
    const ids = [
      await keep("x", { callId: "t.0.0" }),
      await keep("x", { callId: "t.0.0" }),
      await keep("x", { callId: "t.0.1" }),
    ];
    expect(ids[1]).toBe(ids[0]);
    expect(await artifacts.list(ADA)).toHaveLength(2);
    expect(await keys()).toHaveLength(3);
  });

  it("go when their days are over: at once out of sight, and with the next sweep or write from the store", async () => {
    const { artifacts, keep, clock, keys } = setUp({ keepDays: 2 });
    const id = await keep("old");
    await keep("old too", { session: BOB });
    await clock.advance(2 * DAY_MS);
    expect(await artifacts.read(ADA, id)).toBeNull();
    expect(await artifacts.list(ADA)).toEqual([]);
    await keep("new");
    expect((await keys()).filter((key) => key.includes("content") && key.includes("ada"))).toHaveLength(1);
    expect(await artifacts.sweep()).toEqual({ removed: 1 });
    expect((await keys()).filter((key) => key.includes("content"))).toHaveLength(1);
    expect(await artifacts.sweep()).toEqual({ removed: 0 });
    expect(await artifacts.list(ADA)).toHaveLength(1);
  });

  it("that a crash left without an entry go with a sweep, but not while they may still be written", async () => {
    const { artifacts, keep, store, clock, keys } = setUp();
    const id = await keep("whole");
    const lost = "01JD8XK3VQ5W8T9Y2Z4N6M7P0R";
    await store.put(`artifacts/${ADA}/content/${lost}`, "half");
    const fresh = `${timeDigits(clock.now())}0000000000000000`;
    await store.put(`artifacts/${ADA}/content/${fresh}`, "being written");
    expect(await artifacts.sweep()).toEqual({ removed: 1 });
    expect((await keys()).map((key) => key.split("/").at(-1))).toEqual(expect.arrayContaining([id, fresh, "index"]));
    await clock.advance(3_600_000);
    expect(await artifacts.sweep()).toEqual({ removed: 1 });
    expect((await artifacts.read(ADA, id))?.content).toBe("whole");
  });

  it("of a session whose list cannot be read stay as they are, and keep no other session's from going", async () => {
    const logged: unknown[] = [];
    const { artifacts, keep, clock, store } = setUp({
      keepDays: 1,
      logger: { error: (_, fields) => void logged.push(fields?.["error"]) },
    });
    const id = await keep("hers");
    await keep("his", { session: BOB });
    const broken = { v: 1, entries: [null] };
    await store.put(`artifacts/${ADA}/index`, broken);
    await clock.advance(DAY_MS);
    expect(await artifacts.sweep()).toEqual({ removed: 1 });
    expect(logged).toEqual([expect.stringContaining(`Cannot read artifacts/${ADA}/index`)]);
    await expect(keep("more")).rejects.toMatchObject({ code: "STORE_UNSUITABLE" });
    expect((await store.get(`artifacts/${ADA}/index`))?.value).toEqual(broken);
    expect((await store.get(`artifacts/${ADA}/content/${id}`))?.value).toBe("hers");
  });

  it("have a name and a media type that are no more than that", async () => {
    const { artifacts } = setUp();
    const written = await artifacts.write(ADA, {
      name: "../../etc/passwd\n\u202e",
      content: "x",
      mediaType: "text/html\r\nx: y",
      user: "u",
    });
    expect(written).toMatchObject({ ok: true, artifact: { name: "../../etc/passwd", mediaType: "text/plain" } });
  });

  it("are there for the host by the name of the session", async () => {
    const { artifacts } = setUp();
    const api = createArtifactsApi(artifacts, (session) => `agent:main:sdk:direct:${session}`);
    const written = await api.write({ session: "s", name: "n", content: "c" });
    const id = written.ok ? written.artifact.id : "";
    expect(await api.read({ session: "s", id })).toMatchObject({ content: "c", user: "sdk" });
    expect(await api.list({ session: "other" })).toEqual([]);
    expect(await api.remove({ session: "s", id })).toBe(true);
    expect(await artifacts.list("agent:main:sdk:direct:s")).toEqual([]);
  });
});
