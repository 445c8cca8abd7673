import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, redactingLogger, silentLogger } from "../../src/telemetry/index.ts";
import type { Logger } from "../../src/telemetry/index.ts";

// Made up here, in the formats that the services use; joined, so that no scanner of the repository takes them for real ones.
const joined = (...parts: string[]): string => parts.join("");
const KEYS: [string, string][] = [
  ["OpenAI", joined("sk-", "proj-", "aB3".repeat(12))],
  ["GitHub", joined("ghp", "_", "aB3d".repeat(9))],
  ["GitHub, fine-grained", joined("github", "_pat_", "aB3d".repeat(9))],
  ["GitLab", joined("glpat", "-", "aB3d".repeat(5))],
  ["npm", joined("npm", "_", "aB3d".repeat(9))],
  ["Slack", joined("xoxb", "-123456789012-", "aB3d".repeat(6))],
  ["Slack, app", joined("xapp", "-1-A0-", "aB3d".repeat(6))],
  ["AWS", joined("AKIA", "Q7Z4".repeat(4))],
  ["Google", joined("AIza", "aB3d_".repeat(7))],
  ["Telegram", joined("123456789", ":", "aB3d_".repeat(7))],
  ["JSON Web Token", joined("eyJ", "hbGciOiJIUzI1NiJ9", ".eyJ", "zdWIiOiI0MiJ9", ".c2lnbmF0dXJl")],
  ["private key", joined("-----BEGIN RSA ", "PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA ", "PRIVATE KEY-----")],
];

describe("createRedactor()", () => {
  it("replaces configured secrets wherever they stand", () => {
    const redact = createRedactor(["hunter2-and-more"]);
    expect(redact("before hunter2-and-more after hunter2-and-more")).toBe("before [redacted] after [redacted]");
    expect(redact({ a: ["x hunter2-and-more"], "hunter2-and-more": 1 })).toEqual({
      a: ["x [redacted]"],
      "[redacted]": 1,
    });
  });

  it("finds a secret also as it stands in URLs and in JSON", () => {
    const secret = 'p@ss "word"/1';
    const redact = createRedactor([secret]);
    expect(redact(`https://example.org/?k=${encodeURIComponent(secret)}`)).toBe("https://example.org/?k=[redacted]");
    expect(redact(JSON.stringify({ k: secret }))).toBe('{"k":"[redacted]"}');
  });

  it("replaces a secret whole that begins with another one", () => {
    expect(createRedactor(["secret", "secret-longer"])("secret-longer")).toBe("[redacted]");
  });

  it("does not look for a secret that ordinary words would contain", () => {
    expect(createRedactor(["", "abc"])("abcdef")).toBe("abcdef");
  });

  it.each(KEYS)("replaces what looks like a key: %s", (_name, key) => {
    const redact = createRedactor();
    expect(redact(`before ${key} after`)).toBe("before [redacted] after");
    expect(redact({ log: [`x=${key}`] })).toEqual({ log: ["x=[redacted]"] });
  });

  it("replaces bearer tokens and passwords in URLs, and leaves the rest of the line", () => {
    const redact = createRedactor();
    expect(redact("Authorization: Bearer abcdefgh12345678 ok")).toBe("Authorization: Bearer [redacted] ok");
    expect(redact("redis://user:pa55word@10.0.0.1:6379/0")).toBe("redis://user:[redacted]@10.0.0.1:6379/0");
  });

  it.each(["password", "token", "apiKey", "api_key", "client_secret", "botToken", "Authorization", "x-api-key"])(
    "replaces any text under the name %s",
    (name) => {
      expect(createRedactor()({ [name]: "whatever" })).toEqual({ [name]: "[redacted]" });
    },
  );

  it.each([
    "agent:main:telegram:direct:123456789",
    "2026-11-21T10:00:00.000Z",
    "01JD8XK3VQ5W8T9Y2Z4N6M7P0R",
    "https://example.org/path?x=1#y",
    "the task-list is risk-free and ask-me-anything",
    "今天天气很好，sk-短",
    "sha256:0123456789abcdef",
  ])("leaves alone what is no secret: %s", (text) => {
    expect(createRedactor()(text)).toBe(text);
  });

  it("leaves numbers of tokens alone", () => {
    const usage = { inputTokens: 12, outputTokens: 3, maxToken: 4 };
    expect(createRedactor()(usage)).toEqual(usage);
  });

  it("does not change what it is given, and copes with errors, dates, bytes and circles", () => {
    const redact = createRedactor(["hunter2-and-more"]);
    const circle: Record<string, unknown> = { text: "hunter2-and-more" };
    circle["self"] = circle;
    expect(() => redact(circle)).not.toThrow();
    expect(circle["text"]).toBe("hunter2-and-more");
    const error = new Error("failed with hunter2-and-more", { cause: new Error("hunter2-and-more") });
    expect(JSON.stringify(redact({ error }))).not.toContain("hunter2");
    expect(redact({ error })).toMatchObject({ error: { message: "failed with [redacted]" } });
    expect(redact({ at: new Date(0), bytes: new Uint8Array(3) })).toEqual({ at: new Date(0), bytes: "[3 bytes]" });
  });

  it("never leaves a configured secret in any JSON (property)", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 30 }), fc.jsonValue(), fc.string(), (secret, json, text) => {
        const redact = createRedactor([secret]);
        const out = redact({ json: [json, `${text}${secret}${text}`] });
        const [, line] = out.json;
        expect(typeof line === "string" && line.includes(secret) && !"[redacted]".includes(secret)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("takes time in proportion to the text, whatever the text is", () => {
    const redact = createRedactor();
    for (const unit of ["://a:", "eyJa.", "-----BEGIN PRIVATE KEY-----", "sk-", "1:", "Bearer "]) {
      const text = unit.repeat(200_000 / unit.length);
      const startedMs = Date.now();
      redact(text);
      expect(Date.now() - startedMs < 1000, unit).toBe(true);
    }
  });
});

describe("redactingLogger()", () => {
  it("redacts message and fields on every level", () => {
    const lines: unknown[] = [];
    const keep = (level: string) => (message: string, fields?: unknown) => void lines.push([level, message, fields]);
    const inner: Logger = { debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
    const logger = redactingLogger(inner, createRedactor(["hunter2-and-more"]));
    logger.debug("a hunter2-and-more");
    logger.info("b", { token: "x" });
    logger.warn("c", { text: "hunter2-and-more" });
    logger.error("d", { error: "hunter2-and-more" });
    expect(lines).toEqual([
      ["debug", "a [redacted]", undefined],
      ["info", "b", { token: "[redacted]" }],
      ["warn", "c", { text: "[redacted]" }],
      ["error", "d", { error: "[redacted]" }],
    ]);
  });

  it("does not let a logger that throws disturb its caller", () => {
    const broken = () => {
      throw new Error("disk is full");
    };
    const logger = redactingLogger({ debug: broken, info: broken, warn: broken, error: broken }, createRedactor());
    expect(() => logger.error("x")).not.toThrow();
  });

  it("costs nothing over the silent logger", () => {
    expect(redactingLogger(silentLogger, createRedactor())).toBe(silentLogger);
  });
});
