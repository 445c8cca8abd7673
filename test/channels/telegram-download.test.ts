import { describe, expect, it } from "vitest";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import type { Attachment } from "../../src/message.ts";
import { telegramPlatform } from "../support/telegram-platform.ts";

const token = "7001:AAHsecret-token_value";
const never = new AbortController().signal;
const attachment: Attachment = { mediaType: "application/pdf", url: "telegram-file:doc-id" };
const MIB = 1_048_576;

function setUp(options: { apiBase?: string } = {}) {
  const platform = telegramPlatform({ token });
  const channel = telegram({ token, secret: "webhook_secret-1", fetch: platform.fetch, ...options });
  const bytes = async (given = attachment, signal = never) => {
    const { bytes: body, ...rest } = await channel.download(given, signal);
    return { text: await new Response(body as ReadableStream<Uint8Array>).text(), ...rest };
  };
  return { platform, channel, bytes };
}

/** What was thrown, the token in none of it. */
async function failureOf(work: Promise<unknown>) {
  const error = (await work.then(
    () => new Error("nothing was thrown"),
    (thrown: unknown) => thrown,
  )) as Error & { retryable?: boolean; retryAfterMs?: number };
  for (let part: unknown = error; part instanceof Error; part = part.cause)
    expect(`${part.message} ${part.stack}`).not.toContain("AAHsecret");
  return { name: error.name, message: error.message, retryable: error.retryable, retryAfterMs: error.retryAfterMs };
}

describe("telegram().download", () => {
  it("asks for the path of the file by its id, and then for the file", async () => {
    const { platform, bytes } = setUp();
    platform.files["doc-id"] = { path: "documents/file_10.pdf", body: "the file" };
    expect(await bytes()).toEqual({ text: "the file", name: "file_10.pdf", mediaType: "application/octet-stream" });
    expect(platform.calls).toMatchObject([{ method: "getFile", payload: { file_id: "doc-id" } }]);
    expect(platform.fetched).toEqual(["documents/file_10.pdf"]);
  });

  it.each([
    ["an address that is not Telegram's", "https://example.org/a"],
    ["no id", "telegram-file:"],
    ["no address", undefined],
  ])("refuses %s without asking", async (_, url) => {
    const { platform, channel } = setUp();
    const given = { mediaType: "text/plain", ...(url !== undefined && { url }) };
    expect(await failureOf(channel.download(given, never))).toMatchObject({
      name: "ChannelSendError",
      retryable: false,
      message: expect.stringContaining("not one of Telegram's") as string,
    });
    expect(platform.calls).toEqual([]);
  });

  it("fetches nothing over the 20 MB that Telegram gives to bots", async () => {
    const { platform, channel } = setUp();
    platform.files["doc-id"] = { path: "documents/a", body: "x", size: 20 * MIB + 1 };
    const tooBig = { retryable: false, message: "Telegram gives bots no files over 20 MB" };
    expect(await failureOf(channel.download(attachment, never))).toMatchObject(tooBig);
    platform.script([{ kind: "status", status: 400, description: "Bad Request: file is too big" }]);
    expect(await failureOf(channel.download(attachment, never))).toMatchObject(tooBig);
    expect(platform.fetched).toEqual([]);
  });

  it.each([
    "../../etc/passwd",
    "/var/lib/telegram-bot-api/documents/a.pdf",
    "documents/../a",
    "documents//a",
    "a?b",
    "a#b",
    "a%2f..%2fb",
    "a\\b",
    "a b",
    "",
    7,
    undefined,
  ])("fetches nothing from the path %j", async (path) => {
    const { platform, channel } = setUp();
    platform.files["doc-id"] = { path, body: "x" };
    expect(await failureOf(channel.download(attachment, never))).toMatchObject({ retryable: false });
    expect(platform.fetched).toEqual([]);
  });

  it.each([
    [{ kind: "status", status: 429, description: "Too Many Requests", retryAfterSeconds: 7 }, true, 7000],
    [{ kind: "status", status: 502 }, true, undefined],
    [{ kind: "status", status: 400, description: "Bad Request: invalid file_id" }, false, undefined],
    [{ kind: "drop" }, true, undefined],
  ] as const)("says whether it can be tried again when getFile fails: %j", async (answer, retryable, retryAfterMs) => {
    const { platform, channel } = setUp();
    platform.script([answer]);
    expect(await failureOf(channel.download(attachment, never))).toMatchObject({
      name: "ChannelSendError",
      retryable,
      retryAfterMs,
    });
  });

  it.each([
    ["gone", 404, false],
    ["moved", 302, false],
    ["busy", 429, true],
    ["broken", 500, true],
  ])("says whether it can be tried again when the file is %s", async (_, status, retryable) => {
    const { platform, channel } = setUp();
    platform.files["doc-id"] = { path: "documents/a", status };
    expect(await failureOf(channel.download(attachment, never))).toMatchObject({ name: "ChannelSendError", retryable });
    expect(platform.fetched).toEqual(["documents/a"]);
  });

  it("tells no token when the connection fails, before the file or in the middle of it", async () => {
    const { platform, channel, bytes } = setUp();
    platform.files["doc-id"] = { path: "documents/a", drop: true };
    expect(await failureOf(channel.download(attachment, never))).toMatchObject({
      retryable: true,
      message: expect.stringContaining("<token>") as string,
    });
    platform.files["doc-id"] = { path: "documents/a", body: "half of", breaks: true };
    expect(await failureOf(bytes())).toMatchObject({
      name: "ChannelSendError",
      retryable: true,
      message: expect.stringContaining("<token>") as string,
    });
  });

  it("follows no redirect, which could lead anywhere", async () => {
    const redirects: string[] = [];
    const platform = telegramPlatform({ token });
    platform.files["doc-id"] = { path: "documents/a", body: "x" };
    const fetch: typeof globalThis.fetch = (input, init) => {
      redirects.push(new Request(input, init).redirect);
      return platform.fetch(input, init);
    };
    await telegram({ token, secret: "webhook_secret-1", fetch }).download(attachment, never);
    expect(redirects).toEqual(["manual", "manual"]);
  });

  it("lets go of a file that is not wanted to its end", async () => {
    const { platform, channel } = setUp();
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void (cancelled = true),
    });
    platform.files["doc-id"] = { path: "documents/a", body };
    const file = await channel.download(attachment, never);
    const reader = (file.bytes as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value?.byteLength).toBe(1000);
    await reader.cancel();
    expect(cancelled).toBe(true);
  });
});
