import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detachInline, fileName, formatBytes, isUnstored, storeAttachments } from "../../src/artifacts/index.ts";
import { ChannelSendError } from "../../src/channel.ts";
import { AssistantError } from "../../src/errors.ts";
import type { Attachment } from "../../src/message.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";
import { MB, SESSION, linked, setUp, text } from "./attached.ts";

/** Bytes almost without end; tells how many were taken and whether somebody let go of it. */
function endless() {
  const taken = { bytes: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        // Who takes them all should fail, not wait for ever.
        if (taken.bytes > 20 * MB) return controller.close();
        taken.bytes += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel() {
        taken.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { taken, stream };
}

describe("an attachment with its content in a data: URL", () => {
  it.each([
    ["data:text/plain;base64,aGk=", "hi"],
    ["DATA:text/plain;charset=utf-8;BASE64,aGk%3D", "hi"],
    ["data:,a%20b%2Cc%", "a b,c%"],
    ["data:text/plain,h%C3%A4st%zz", "häst%zz"],
    ["data:;base64,", ""],
  ])("is read as its form says: %j", async (url, expected) => {
    const { detach, artifacts } = setUp();
    const [attachment] = await detach([linked(url)]);
    const { content } = (await artifacts.read(SESSION, attachment?.artifact ?? ""))!;
    expect(new TextDecoder().decode(content as Uint8Array)).toBe(expected);
  });

  it.each([
    ["data:", /cannot be read/],
    ["data:text/plain;base64", /cannot be read/],
    ["data:text/plain;base64,%%%", /cannot be read/],
    ["data:text/plain;base64,a", /cannot be read/],
    [`data:text/plain;base64,${"A".repeat(20_000)}`, /larger than 10 KB/],
    [`data:text/plain;base64,${"*".repeat(100_000)}`, /larger than 10 KB/],
    [`data:,${"A".repeat(10_241)}`, /larger than 10 KB/],
    [`data:,${"A".repeat(100_000)}`, /larger than 10 KB/],
  ])("that cannot be kept says why, and its content is gone all the same: %#", async (url, problem) => {
    const { detach, list } = setUp({ maxBytes: 10_240 });
    const [attachment] = await detach([linked(url)]);
    expect(attachment).toEqual({ mediaType: "text/plain", problem: expect.stringMatching(problem) as string });
    expect(await list()).toEqual([]);
  });

  it("is kept once when its message is delivered again, at once or later", async () => {
    const { detach, storeAll, list, keys } = setUp();
    const files = [linked("data:,same"), linked("data:,same")];
    const [first, again] = await Promise.all([detach(files), detach(files)]);
    expect(again).toEqual(first);
    expect(await detach(files)).toEqual(first);
    expect(await storeAll(first)).toEqual(first);
    expect(new Set(first.map(({ artifact }) => artifact)).size).toBe(2);
    expect(await list()).toHaveLength(2);
    expect(await keys()).toHaveLength(3);
    expect(await detach(files, "webhook:default:2")).not.toEqual(first);
  });

  it("that a crash left without its record goes when its days are over", async () => {
    const { detach, artifacts, clock, keys } = setUp({ keepDays: 1 });
    await detach([linked("data:,x")]);
    await clock.advance(86_400_000);
    expect(await artifacts.sweep()).toEqual({ removed: 1 });
    expect((await keys()).filter((key) => key.includes("content"))).toEqual([]);
  });

  it("never fails its message: a store that fails is told of", async () => {
    const { parts, warnings } = setUp();
    const down = async () => Promise.reject(new AssistantError("STORE_UNAVAILABLE", "The store does not answer"));
    const failing = { ...parts, artifacts: { ...parts.artifacts, write: down } };
    const files = { sessionKey: SESSION, messageId: "m", user: "u", attachments: [linked("data:,x")] };
    const told = [{ mediaType: "text/plain", problem: "it could not be stored" }];
    expect(await detachInline(failing, files)).toEqual(told);
    const { signal } = new AbortController();
    expect(await storeAttachments(failing, { ...files, signal })).toEqual(told);
    expect(warnings.join()).toContain("The store does not answer");
    const all = { ...parts, artifacts: { write: down, ofCall: down, list: down, read: down } };
    const [fetched] = await storeAttachments(all, { ...files, attachments: [linked("https://example.org/a")], signal });
    expect(fetched?.problem).toBe("it could not be stored");
  });

  it("and all else of an attachment takes no more room in a record than it should", async () => {
    const { detach } = setUp();
    const long = "x".repeat(100_000);
    const huge = { name: long, mediaType: long, url: `https://example.org/${long}`, problem: long, data: long };
    const detached = await detach(Array.from({ length: 10_000 }, () => huge));
    expect(detached).toHaveLength(21);
    expect(detached.at(-1)).toMatchObject({ name: "9980 more files", problem: expect.stringContaining("first 20") });
    expect(JSON.stringify(detached).length).toBeLessThan(20_000);
    expect(detached[0]).not.toHaveProperty("url");
    expect(await setUp().storeAll(detached)).toEqual(detached);
  });

  it("that is odd is no reason to throw", async () => {
    const { detach, storeAll } = setUp();
    const odd = { name: 7, mediaType: null, url: {}, sizeBytes: "9", artifact: [] } as unknown as Attachment;
    expect(await detach([odd])).toEqual([{ mediaType: "" }]);
    expect(await storeAll([odd])).toEqual([{ mediaType: "", problem: "it came without its content" }]);
  });
});

describe("an attachment with an address", () => {
  it("is left for the turn, fetched there and kept", async () => {
    const { detach, storeAll, artifacts, asked } = setUp({
      answer: () => new Response("a,b", { headers: { "content-type": "text/csv; charset=utf-8" } }),
    });
    const given: Attachment = {
      mediaType: "application/octet-stream",
      name: "C:\\tables\\..\\a.csv",
      url: "https://example.org/a",
    };
    const detached = await detach([given]);
    expect(detached).toEqual([{ ...given, name: "a.csv" }]);
    expect(asked).toEqual([]);
    const [stored] = await storeAll(detached);
    expect(stored).toMatchObject({ name: "a.csv", mediaType: "text/csv", sizeBytes: 3, url: given.url });
    const kept = await artifacts.read(SESSION, stored?.artifact ?? "");
    expect(kept).toMatchObject({ name: "a.csv", mediaType: "text/csv", content: text("a,b") });
  });

  it("is to be stored until there is an artifact or a problem", async () => {
    const { storeAll } = setUp();
    const files = [linked("https://example.org/a"), linked("file:///a")];
    expect([isUnstored(), isUnstored([]), isUnstored(files)]).toEqual([false, false, true]);
    expect(isUnstored(await storeAll(files))).toBe(false);
  });

  it("is fetched once, also when its turn begins again after a crash", async () => {
    const { storeAll, asked, list } = setUp();
    const files = [linked("https://example.org/a"), linked("https://example.org/b")];
    const first = await storeAll(files);
    expect(await storeAll(files)).toEqual(first);
    expect(asked).toHaveLength(2);
    expect(await list()).toHaveLength(2);
  });

  it.each([
    ["http://127.0.0.1/x", undefined],
    ["http://[::1]/x", undefined],
    ["http://169.254.169.254/latest/meta-data", undefined],
    ["https://looks-public.example/x", ["10.0.0.7"]],
    ["https://both.example/x", ["93.184.216.34", "192.168.0.1"]],
  ])("on this machine or in its network is not fetched: %s", async (url, addresses) => {
    const { storeAll, asked } = setUp(addresses ? { addresses } : {});
    expect(await storeAll([linked(url)])).toEqual([linked(url, { problem: "its address may not be fetched" })]);
    expect(asked).toEqual([]);
  });

  it("that leads on to this machine is not followed there", async () => {
    const { storeAll, asked } = setUp({
      answer: () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:8787/api/v1/sessions" } }),
    });
    expect((await storeAll([linked("https://example.org/a")]))[0]?.problem).toBe("its address may not be fetched");
    expect(asked).toEqual(["https://example.org/a"]);
  });

  it.each(["file:///etc/passwd", "telegram-file:abc", "ftp://example.org/a", "blob:x", "javascript:alert(1)", "a"])(
    "that nothing here can fetch says so: %s",
    async (url) => {
      const { storeAll, asked } = setUp();
      expect((await storeAll([linked(url)]))[0]?.problem).toMatch(/cannot|not one that can be fetched/);
      expect(asked).toEqual([]);
    },
  );

  it("with an address stays where it is when nothing here can fetch", async () => {
    const { parts } = setUp();
    const files = {
      sessionKey: SESSION,
      messageId: "webhook:default:1",
      user: "webhook:ada",
      attachments: [linked("https://example.org/a")],
    };
    const { signal } = new AbortController();
    const [attachment] = await storeAttachments({ ...parts, fetch: undefined }, { ...files, signal });
    expect(attachment?.problem).toMatch(/not one that can be fetched/);
  });

  it("that announces too much is not read, one that never ends is cut off, one that lies about its length too", async () => {
    const bodies = [endless(), endless(), endless()];
    const lengths = ["999999999", undefined, "10"];
    let count = 0;
    const { storeAll, list } = setUp({
      maxBytes: 200_000,
      answer: () => {
        const at = count++;
        const declared = lengths[at];
        return new Response(
          bodies[at]!.stream,
          declared === undefined ? {} : { headers: { "content-length": declared } },
        );
      },
    });
    const stored = await storeAll(lengths.map((_, index) => linked(`https://example.org/${index}`)));
    for (const { problem } of stored) expect(problem).toMatch(/^it is larger than/);
    for (const { taken } of bodies) {
      expect(taken.bytes).toBeLessThan(200_000 + 3 * 65_536);
      expect(taken.cancelled).toBe(true);
    }
    expect(bodies[0]!.taken.bytes).toBeLessThanOrEqual(65_536);
    expect(await list()).toEqual([]);
  });

  it("that never answers is given up after a minute, the others with it", async () => {
    const { storeAll, clock, asked } = setUp({ answer: () => new Promise(() => {}) });
    const waiting = storeAll([linked("https://example.org/a"), linked("https://example.org/b")]);
    while (asked.length === 0) await clock.advance(0);
    await clock.advance(60_000);
    for (const { problem } of await waiting) expect(problem).toBe("it took too long to fetch");
    expect(clock.pending).toBe(0);
  });

  it("is tried again once when that can help", async () => {
    const statuses = [503, 200, 404, 200, 503, 503];
    const { storeAll, clock, asked } = setUp({ answer: () => new Response(null, { status: statuses.shift() ?? 500 }) });
    const files = ["a", "b", "c", "d"].map((name) => linked(`https://example.org/${name}`));
    let isDone = false;
    const waiting = storeAll(files).finally(() => (isDone = true));
    // In small steps: the minute must not pass meanwhile. A body would be read by workerd's own tasks, which these steps do not wait for.
    while (!isDone) await clock.advance(10);
    const problems = (await waiting).map(({ problem }) => problem);
    expect(problems).toEqual([undefined, "its address answered 404", undefined, "it could not be fetched"]);
    expect(asked).toHaveLength(6);
  });

  it("is left for later when the turn is stopped, without a word of blame", async () => {
    const { storeAll, clock, asked, warnings } = setUp({ answer: () => new Promise(() => {}) });
    const stop = new AbortController();
    const waiting = storeAll([linked("https://example.org/a")], { signal: stop.signal });
    while (asked.length === 0) await clock.advance(0);
    const reason = new AssistantError("STOPPED", "The assistant has stopped");
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(warnings).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe("an attachment of a channel that downloads", () => {
  const file: Attachment = { mediaType: "", url: "telegram-file:abc" };

  it("has the name and the type that the platform tells, when it came without them", async () => {
    const { storeAll } = setUp();
    const download = async () => ({ bytes: text("x"), mediaType: "text/plain", name: "../file_1.txt" });
    const named = { ...file, mediaType: "text/csv", name: "own.csv" };
    expect(await storeAll([file, named], { channel: { download } })).toMatchObject([
      { name: "file_1.txt", mediaType: "text/plain", sizeBytes: 1 },
      { name: "own.csv", mediaType: "text/csv" },
    ]);
  });

  it("that is too large by what its platform says is not asked for", async () => {
    const { storeAll } = setUp();
    let asked = 0;
    const download = async () => {
      asked += 1;
      return { bytes: text("x") };
    };
    const large = { ...file, sizeBytes: 5 * MB + 1 };
    expect(await storeAll([large], { channel: { download } })).toEqual([
      { ...large, problem: "it is larger than 5 MB" },
    ]);
    expect(asked).toBe(0);
  });

  it("that turns out larger than what is kept is not, and is read no further", async () => {
    const { storeAll, list } = setUp({ maxBytes: 10 });
    const { stream, taken } = endless();
    for (const bytes of [new Uint8Array(11), stream]) {
      const [stored] = await storeAll([file], { channel: { download: async () => ({ bytes }) } });
      expect(stored?.problem).toBe("it is larger than 10 bytes");
    }
    expect(taken).toEqual({ bytes: 65_536, cancelled: true });
    expect(await list()).toEqual([]);
  });

  it("says what the platform said, and waits as long as it asks, if that is not long", async () => {
    const { storeAll, clock } = setUp();
    const errors = [
      new ChannelSendError("Too many requests", { retryable: true, retryAfterMs: 7000 }),
      new ChannelSendError("Telegram gives bots no files over 20 MB", { retryable: false }),
      new ChannelSendError("Too many requests", { retryable: true, retryAfterMs: 70_000 }),
      new TypeError("secret inside"),
    ];
    let asked = 0;
    const download = async () => {
      if (asked === 1) errors.shift();
      asked += 1;
      if (asked === 2) return { bytes: text("x") };
      throw (asked === 1 ? errors[0] : errors.shift()) as Error;
    };
    const waiting = storeAll([file, file, file, file], { channel: { download } });
    // The minute for all files, and the pause.
    while (clock.pending < 2) await clock.advance(0);
    await clock.advance(6999);
    expect(asked).toBe(1);
    await clock.advance(1);
    expect((await waiting).map(({ problem }) => problem)).toEqual([
      undefined,
      "Telegram gives bots no files over 20 MB",
      "Too many requests",
      "it could not be fetched",
    ]);
    expect(asked).toBe(5);
  });
});

describe("files of one message that are more than a session keeps", () => {
  it("that came in their addresses take each other's room, which is told", async () => {
    const { detach, list } = setUp({ maxTotalBytes: 250 });
    const file = { mediaType: "text/plain", url: `data:,${"x".repeat(100)}` };
    const kept = await detach([file, file, file]);
    expect(kept.map(({ problem }) => problem)).toEqual(["later files used up its space", undefined, undefined]);
    expect((await list()).map(({ id }) => id)).toEqual(kept.flatMap(({ artifact }) => artifact ?? []));
  });

  it("take the room of older attachments, and of each other, which is told", async () => {
    const { detach, storeAll, artifacts, list } = setUp({ maxBytes: 10, maxTotalBytes: 25 });
    const older = await detach([linked("data:,1234567890")], "webhook:default:0");
    const stored = await storeAll(["a", "b", "c"].map((name) => linked(`data:,123456789${name}`, { name })));
    expect(stored.map(({ problem }) => problem)).toEqual(["later files used up its space", undefined, undefined]);
    expect(stored[0]).not.toHaveProperty("artifact");
    expect((await list()).map(({ name }) => name)).toEqual(["b", "c"]);
    expect(await artifacts.read(SESSION, older[0]?.artifact ?? "")).toBeNull();
  });

  it("are refused when all that is kept was written on purpose", async () => {
    const { detach, artifacts } = setUp({ maxTotalBytes: 10 });
    await artifacts.write(SESSION, { name: "a", content: "1234567890", user: "u" });
    expect((await detach([linked("data:,x")]))[0]?.problem).toBe("this conversation has no space for more files");
  });
});

describe("a file's name", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["../../x", "x"],
    ["..\\..\\x.txt", "x.txt"],
    ["/etc/passwd", "passwd"],
    ["a\0b\u202egpj.exe\u2028", "a b gpj.exe"],
    ["<wakeful-note>.txt", "<wakeful-note>.txt"],
    ["..", undefined],
    [" . ", undefined],
    ["", undefined],
    ["a/", undefined],
    [undefined, undefined],
    ["\ud800x", "x"],
    [`${"x".repeat(500)}.pdf`, `…${"x".repeat(115)}.pdf`],
  ])("%j becomes %j", (given, expected) => {
    expect(fileName(given)).toBe(expected);
  });

  it("is one line without a path, whatever was sent (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (given) => {
        const name = fileName(given) ?? "file";
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Surrogate}]/u);
        expect([".", "..", ""]).not.toContain(name);
        expect(Array.from(name).length).toBeLessThanOrEqual(120);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1536, "1.5 KB"],
  [122_880, "120 KB"],
  [5 * MB, "5 MB"],
  [5 * 1024 * MB, "5 GB"],
])("%d bytes are told as %s", (bytes, told) => {
  expect(formatBytes(bytes)).toBe(told);
});
