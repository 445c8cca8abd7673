import { type Mutant, planted } from "./mutant.ts";

const BOUNDED = {
  threat: 6,
  promise: "attachments: what somebody sends is bounded",
  test: "test/artifacts/attachments.test.ts",
};
const INSIDE = {
  threat: 7,
  promise: "attachments: no address leads to the inside",
  test: "test/artifacts/attachments.test.ts",
};
const ONCE = { threat: 4, promise: "attachments: kept once", test: "test/artifacts/attachments.test.ts" };
const TOKEN = { threat: 5, promise: "attachments: no token is told", test: "test/channels/telegram-download.test.ts" };
const DATA = { threat: 15, promise: "attachments: a name is data", test: "test/context/context.test.ts" };
const OWN = {
  threat: 13,
  promise: "attachments: whose they are cannot be confused",
  test: "test/http/artifacts.test.ts",
};
const SAVED = { threat: 17, promise: "attachments: none becomes a page", test: "test/http/artifacts.test.ts" };
const SHOWN = {
  threat: 13,
  promise: "attachments: shown to the model of their own conversation alone",
  test: "test/turn/shown-files.test.ts",
};
const UNASKED = {
  threat: 13,
  promise: "attachments and what is said unasked: whose they are cannot be confused",
  test: "test/turn/unasked.test.ts",
};
const ATTACHMENTS = "src/artifacts/attachments.ts";
const TELEGRAM = "adapters/channels/telegram/telegram.ts";
const BOT_API = "adapters/channels/telegram/bot-api.ts";
const PROMPT = "src/context/turn-messages.ts";
const HTTP = "src/http/artifacts.ts";

/** Files that come with messages. */
export const ATTACHMENT_MUTANTS: readonly Mutant[] = [
  ...planted(BOUNDED, [
    ["src/artifacts/data-url.ts", "if (data.length / 4 > maxBytes) return", "if (data.length < 0) return"],
    ["src/artifacts/data-url.ts", "bytes && bytes.byteLength > maxBytes ?", "bytes && bytes.byteLength < 0 ?"],
    [ATTACHMENTS, "if (length > maxBytes) throw new NotKeptError(tooLarge(maxBytes));", ""],
    [ATTACHMENTS, "if (bytes.byteLength > maxBytes) throw new NotKeptError(tooLarge(maxBytes));", ""],
    [ATTACHMENTS, "if (sizeBytes > most) return { ...attachment, problem: tooLarge(most) };", ""],
    [ATTACHMENTS, "reader.cancel(error).catch(() => {});", ""],
    [ATTACHMENTS, "files.attachments.slice(0, MAX_ATTACHMENTS).entries()", "files.attachments.entries()"],
    [ATTACHMENTS, "&& address.length > MAX_URL_CHARS;", "&& address.length < 0;"],
    [ATTACHMENTS, "!isLong && !isDataUrl(address) && {", "!isLong && {"],
    [ATTACHMENTS, "late.abort(new NotKeptError(", "void (new NotKeptError("],
    [ATTACHMENTS, "stopped.throwIfAborted();", ""],
    [ATTACHMENTS, '.replace(/^.*[/\\\\]/s, "")', ""],
    [ATTACHMENTS, '.replace(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Surrogate}]+/gu, " ")', ""],
  ]),
  ...planted(INSIDE, [
    [
      ATTACHMENTS,
      "await fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, signal });",
      "await globalThis.fetch(url, { signal });",
    ],
    [ATTACHMENTS, "if (!fetch || !/^https?:/i.test(url)) throw", "if (url === '') throw"],
  ]),
  ...planted(ONCE, [
    [ATTACHMENTS, "    if (known) return known;\n", ""],
    [ATTACHMENTS, "callId: callIdOf(messageId, index),", ""],
    [ATTACHMENTS, "`attachment:${index}:${messageId}`", "`attachment:${messageId}`"],
  ]),
  ...planted(
    { ...ONCE, promise: "attachments: they go when its time is over", test: "test/artifacts/artifacts.test.ts" },
    [
      ["src/artifacts/artifacts.ts", "next = found.at(-1)?.session;", ""],
      [
        "src/artifacts/artifacts.ts",
        'const MAKES_ROOM = ["result", "attachment"]',
        'const MAKES_ROOM = ["attachment", "result"]',
      ],
    ],
  ),
  ...planted(
    { ...ONCE, promise: "attachments: they go when its time is over", test: "test/artifacts/sweeps.test.ts" },
    [
      ["src/artifacts/sweeps.ts", "nextAtMs = nowMs + DAY_MS;", ""],
      ["src/artifacts/sweeps.ts", "nextAtMs = nowMs + AFTER_FAILURE_MS;", ""],
      ["src/artifacts/sweeps.ts", "while (after !== undefined && !signal.aborted)", "while (after === '')"],
    ],
  ),
  ...planted(TOKEN, [
    [BOT_API, "did not send the file: ${withoutToken(messageOf(error))}", "did not send the file: ${messageOf(error)}"],
    [BOT_API, "failingWith(response.body, brokenOff)", "response.body"],
    [
      BOT_API,
      '`${apiBase}/file/bot${token}/${path}`, { redirect: "manual", signal }',
      "`${apiBase}/file/bot${token}/${path}`, { signal }",
    ],
    [TELEGRAM, "!/^(?:[\\w-][\\w.-]*\\/)*[\\w-][\\w.-]*$/.test(path)", 'path === ""'],
    [TELEGRAM, 'if (typeof size === "number" && size > MAX_FILE_BYTES) throw refused(TOO_BIG);', ""],
  ]),
  ...planted(DATA, [
    [PROMPT, "/[\\p{Cc}\\p{Cf}]+|[[\\],;\\s]+/gu", "/[\\p{Cc}\\p{Cf}]+|[\\s]+/gu"],
    [PROMPT, "/[\\p{Cc}\\p{Cf}]+|[[\\],;\\s]+/gu", "/[[\\],;\\s]+/gu"],
  ]),
  ...planted(OWN, [
    ["src/http/session-key.ts", 'if (caller.role === "owner") return given;', "return given;"],
    ["src/http/session-key.ts", "speakerOf(caller, { session: name }).session ?? name", "name"],
  ]),
  ...planted(SAVED, [
    [HTTP, "ACTIVE.test(mediaType) ?", 'mediaType === "" ?'],
    [HTTP, "`attachment; filename=", "`inline; filename="],
    [HTTP, 'name.replace(/[^ -~]|["\\\\/:*?<>|%;]/gu, "_")', "name"],
    [HTTP, '"sandbox; default-src', '"default-src'],
  ]),
  ...planted(SHOWN, [
    ["src/agent/show-files.ts", "if (!SHOWABLE.test(mediaType)) return false;", ""],
    ["src/agent/show-files.ts", "const MAX_FILES = 10;", "const MAX_FILES = 100;"],
    ["src/agent/show-files.ts", "if (!isRefusal(error)) throw error;", "throw error;"],
  ]),
  ...planted(UNASKED, [
    ["src/http/notifications.ts", "speakerOf(caller, { user }).user;", "user;"],
    ["src/http/notifications.ts", "speakerOf(caller, {}).user;", "undefined;"],
    ["src/turn/replies.ts", "source !== undefined && target === undefined &&", "target === undefined &&"],
  ]),
];
