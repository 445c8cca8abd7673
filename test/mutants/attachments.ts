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
const ARTIFACTS = "src/artifacts";
const TELEGRAM = "adapters/channels/telegram";
const HTTP = "src/http";
const AGENT = "src/agent";

/** Files that come with messages. */
export const ATTACHMENT_MUTANTS: readonly Mutant[] = [
  ...planted(BOUNDED, [
    [ARTIFACTS, "readDataUrl", "if (data.length / 4 > maxBytes) return", "if (data.length < 0) return"],
    [ARTIFACTS, "readDataUrl", "bytes && bytes.byteLength > maxBytes ?", "bytes && bytes.byteLength < 0 ?"],
    [ARTIFACTS, "readAll", "if (length > maxBytes) throw new NotKeptError(tooLarge(maxBytes));", ""],
    [ARTIFACTS, "readAll", "if (bytes.byteLength > maxBytes) throw new NotKeptError(tooLarge(maxBytes));", ""],
    [ARTIFACTS, "keepFetched", "if (sizeBytes > most) return { ...attachment, problem: tooLarge(most) };", ""],
    [ARTIFACTS, "readAll", "reader.cancel(error).catch(() => {});", ""],
    [ARTIFACTS, "detachInline", "files.attachments.slice(0, MAX_ATTACHMENTS).entries()", "files.attachments.entries()"],
    [ARTIFACTS, "withoutExcess", "&& address.length > MAX_URL_CHARS;", "&& address.length < 0;"],
    [ARTIFACTS, "withoutExcess", "!isLong && !isDataUrl(address) && {", "!isLong && {"],
    [ARTIFACTS, "storeAttachments", "(clock, TIMEOUT_MS, late,", "(clock, Infinity, late,"],
    [ARTIFACTS, "keepFetched", "stopped.throwIfAborted();", ""],
    [ARTIFACTS, "fileName", '.replace(/^.*[/\\\\]/s, "")', ""],
    [ARTIFACTS, "fileName", '.replace(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Surrogate}]+/gu, " ")', ""],
  ]),
  ...planted(INSIDE, [
    [
      ARTIFACTS,
      "fetchFile",
      "await fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, signal });",
      "await globalThis.fetch(url, { signal });",
    ],
    [ARTIFACTS, "fetchFile", "if (!fetch || !/^https?:/i.test(url)) throw", "if (url === '') throw"],
  ]),
  ...planted(ONCE, [
    [ARTIFACTS, "keepFetched", "if (known) return known;", ""],
    [ARTIFACTS, "keep", "callId: callIdOf(messageId, index),", ""],
    [ARTIFACTS, "callIdOf", "`attachment:${index}:${messageId}`", "`attachment:${messageId}`"],
  ]),
  ...planted(
    { ...ONCE, promise: "attachments: they go when its time is over", test: "test/artifacts/artifacts.test.ts" },
    [
      [ARTIFACTS, "sweep", "next = found.at(-1)?.session;", ""],
      [
        ARTIFACTS,
        "MAKES_ROOM",
        'const MAKES_ROOM = ["result", "attachment"]',
        'const MAKES_ROOM = ["attachment", "result"]',
      ],
    ],
  ),
  ...planted(
    { ...ONCE, promise: "attachments: they go when its time is over", test: "test/retention/sweeps.test.ts" },
    [
      ["src/retention", "look", "nextAtMs = nowMs + DAY_MS;", ""],
      ["src/retention", "round", "nextAtMs = startedMs + AFTER_FAILURE_MS; onFailure(error);", "onFailure(error);"],
      ["src/retention", "round", "else nextAtMs = startedMs + AFTER_FAILURE_MS;", ""],
      ["src/retention", "run", "while (after !== undefined && !signal.aborted)", "while (after === '')"],
    ],
  ),
  ...planted(TOKEN, [
    [
      TELEGRAM,
      "brokenOff",
      "`Telegram did not send the file: ${withoutToken(messageOf(error))}`",
      "`Telegram did not send the file: ${messageOf(error)}`",
    ],
    [TELEGRAM, "file", "failingWith(response.body, brokenOff)", "response.body"],
    [
      TELEGRAM,
      "file",
      '`${apiBase}/file/bot${token}/${path}`, { redirect: "manual", signal }',
      "`${apiBase}/file/bot${token}/${path}`, { signal }",
    ],
    [TELEGRAM, "download", "!/^(?:[\\w-][\\w.-]*\\/)*[\\w-][\\w.-]*$/.test(path)", 'path === ""'],
    [TELEGRAM, "download", 'if (typeof size === "number" && size > MAX_FILE_BYTES) throw refused(TOO_BIG);', ""],
  ]),
  ...planted(DATA, [
    ["src/context", "shownAttachment.plain", "/[\\p{Cc}\\p{Cf}]+|[[\\],;\\s]+/gu", "/[\\p{Cc}\\p{Cf}]+|[\\s]+/gu"],
    ["src/context", "shownAttachment.plain", "/[\\p{Cc}\\p{Cf}]+|[[\\],;\\s]+/gu", "/[[\\],;\\s]+/gu"],
  ]),
  ...planted(OWN, [
    [HTTP, "sessionKeyFor", 'if (caller.role === "owner") return given;', "return given;"],
    [HTTP, "sessionKeyFor", "speakerOf(caller, { session: name }).session ?? name", "name"],
  ]),
  ...planted(SAVED, [
    [HTTP, "download", "ACTIVE.test(mediaType) ?", 'mediaType === "" ?'],
    [
      HTTP,
      "download",
      "`attachment; filename=\"${plainName(name)}\"; filename*=UTF-8''${encodedName(name)}`",
      "`inline; filename=\"${plainName(name)}\"; filename*=UTF-8''${encodedName(name)}`",
    ],
    [HTTP, "plainName", 'name.replace(/[^ -~]|["\\\\/:*?<>|%;]/gu, "_")', "name"],
    [
      HTTP,
      "download",
      "\"sandbox; default-src 'none'; frame-ancestors 'none'\"",
      "\"default-src 'none'; frame-ancestors 'none'\"",
    ],
  ]),
  ...planted(SHOWN, [
    [AGENT, "takesFile", "if (!SHOWABLE.test(mediaType)) return false;", ""],
    [AGENT, "MAX_FILES", "const MAX_FILES = 10;", "const MAX_FILES = 100;"],
    [AGENT, "withFiles", "if (!isRefusal(error)) throw error;", "throw error;"],
  ]),
  ...planted(UNASKED, [
    [HTTP, "notificationRoutes.handle", "speakerOf(caller, { user }).user;", "user;"],
    [HTTP, "notificationRoutes.handle", "speakerOf(caller, {}).user;", "undefined;"],
    [
      "src/turn",
      "isUnasked",
      "source !== undefined && origin === undefined && target === undefined &&",
      "target === undefined &&",
    ],
  ]),
];
