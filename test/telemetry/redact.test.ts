import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createModelRedactor,
  createRedactor,
  createStreamRedactor,
  errorLogger,
  redactingLogger,
  silentLogger,
} from "../../src/telemetry/index.ts";
import type { Logger } from "../../src/telemetry/index.ts";
import { runs } from "../support/thorough.ts";

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
  ["Anthropic", joined("sk-", "ant-api03-", "aB3d_".repeat(18))],
  ["GitLab, runner", joined("glrt", "-", "aB3d".repeat(5))],
  ["PyPI", joined("pypi", "-AgEIcHlwaS5vcmc", "aB3d_".repeat(12))],
  ["Stripe", joined("sk", "_live_", "aB3d".repeat(6))],
  ["Stripe, webhook", joined("whsec", "_", "aB3d".repeat(8))],
  ["Twilio", joined("SK", "0a1b2c3d".repeat(4))],
  ["SendGrid", joined("SG", ".", "aB3d_-".repeat(4).slice(0, 22), ".", "aB3d_".repeat(9).slice(0, 43))],
  ["DigitalOcean", joined("dop", "_v1_", "0a1b2c3d".repeat(8))],
  ["Docker", joined("dckr", "_pat_", "aB3d".repeat(7))],
  ["Shopify", joined("shpat", "_", "0a1b2c3d".repeat(4))],
  ["Hugging Face", joined("hf", "_", "aB3d".repeat(9))],
  ["Groq", joined("gsk", "_", "aB3d".repeat(13))],
  ["Databricks", joined("dapi", "0a1b2c3d".repeat(4))],
  ["Google, client secret", joined("GOCSPX", "-", "aB3d".repeat(7))],
  ["Google, access token", joined("ya29", ".a0Ad", "aB3d_".repeat(8))],
  ["Vault", joined("hvs", ".", "aB3d".repeat(8))],
  ["Cloudflare, origin", joined("v1.0", "-", "0a1b2c".repeat(4), "-", "0a1b2c".repeat(24))],
  ["Azure, client secret", joined("aB3", "8Q~", "aB3d_".repeat(7).slice(0, 34))],
  ["age", joined("AGE-", "SECRET-KEY-1", "Q7Z4".repeat(14))],
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

  it.each([
    ["AWS, secret key", 'aws_secret_access_key = "', "wJalrXUtnFEMI/K7MDENG/bPxRfiCYaB3dEfGhIj", '"'],
    ["AWS, as JSON", '{"SecretAccessKey":"', "wJalrXUtnFEMI/K7MDENG+bPxRfiCYaB3dEfGhIj", '"}'],
    ["Azure, storage", "DefaultEndpointsProtocol=https;AccountKey=", `${"aB3d".repeat(21)}ab==`, ";EndpointSuffix=x"],
    ["Azure, signed address", "https://x.blob.core.windows.net/a?se=2026&sig=", `${"aB3d".repeat(10)}abc%3D`, "&sv=1"],
    ["Cloudflare", "CLOUDFLARE_API_TOKEN=", "aB3d_".repeat(8), "\nNEXT=1"],
    ["Twilio, token", "TWILIO_AUTH_TOKEN=", "0a1b2c3d".repeat(4), ""],
    ["a setting", "db_password: '", "Tr0ub4dor-and-3more", "' # main"],
    ["a header of a command", 'curl -H "Authorization: Basic ', "dXNlcjpwYTU1d29yZA==", '" x'],
    ["a header in JSON", '{"authorization":"Bearer ', "abcdefgh12345678", '"}'],
    ["a cookie", "Cookie: ", "session=aB3daB3daB3d; other=12345678abc", "\nAccept: */*"],
    ["a webhook of Slack", "https://hooks.slack.com/services/", "T01AB2CD3/B01AB2CD3/aB3daB3daB3daB3daB3daB3d", " ok"],
    ["a webhook of Discord", "https://discord.com/api/webhooks/123456789012345678/", "aB3d_".repeat(13), " ok"],
    ["a URL's user", "postgres://app:", "p:a55-w.rd", "@db:5432/x"],
    ["a key in JSON in a text", String.raw`{"log":"line\n`, joined("ghp", "_", "aB3d".repeat(9)), String.raw`\nnext"}`],
    ["a key in a query", "https://x.org/?k%3D", joined("glpat", "-", "aB3d".repeat(5)), "&y=1"],
  ])("replaces the secret and leaves what stands around it: %s", (_name, before, secret, after) => {
    expect(createRedactor()(`${before}${secret}${after}`)).toBe(`${before}[redacted]${after}`);
  });

  it("replaces a private key that JSON wrote in one line, and one that is cut off", () => {
    const pem = joined("-----BEGIN ", "PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n-----END ", "PRIVATE KEY-----");
    const redact = createRedactor();
    expect(redact(`{"key":${JSON.stringify(pem)},"a":1}`)).toBe('{"key":"[redacted]","a":1}');
    expect(redact(`x ${pem.slice(0, 60)}`)).toBe("x [redacted]");
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
    `sha256:${"0a1b2c3d".repeat(8)}`,
    `commit ${"0a1b2c3d".repeat(5)} (HEAD -> main)`,
    "019a3f0e-7b1c-7d3e-9f2a-1c2d3e4f5a6b",
    '"integrity": "sha512-aB3daB3daB3daB3daB3daB3daB3daB3daB3daB3daB3daB3daB3daB3d=="',
    "const token = await createToken2ForUser(user);",
    "token: string; password?: string; apiKey: options.apiKey2Or3Default.value",
    "The bearer authentication-scheme is used by most tokens: see RFC 6750",
    "next_page_token: CAUQAAoIdGVzdDEyMzQ1",
    "npm_config_registry_is_a_long_name_without_digits",
    "the sk-learn-compatible-estimators-are-here and sk-SK locale",
    "http://localhost:8787/@scope/package@1.2.3",
    "12:30:45 1700000000:started-the-long-running-job-of-today",
    "cookie: chocolate chip; Cookie: a=b",
    "email ada@example.org, tel +46 70 123 45 67, iban SE45 5000 0000 0583 9825 7466",
    "ASIAN-PACIFIC AKIATOKYO xoxo hugs, eyJust a word. And.another",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
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
      { numRuns: runs(300) },
    );
  });

  const SECRET = 'k9&"canary/Zq+7?\u00e9end';
  const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const hex = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16)).join("");
  it.each([
    ["as it is", SECRET],
    ["as JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["as JSON in JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ["as a part of a URL", encodeURIComponent(SECRET)],
    [
      "with small letters in its escapes",
      encodeURIComponent(SECRET).replaceAll(/%../g, (escape) => escape.toLowerCase()),
    ],
    ["as a form", String(new URLSearchParams({ "": SECRET })).slice(1)],
    ["as hexadecimal digits", hex(SECRET)],
    ["as capital hexadecimal digits", hex(SECRET).toUpperCase()],
    ["as HTML", SECRET.replace("&", "&amp;").replace('"', "&quot;")],
  ])("finds a configured secret %s", (_name, form) => {
    expect(createRedactor([SECRET])(`before ${form} after`)).toBe("before [redacted] after");
  });

  it.each(["", "a", "ab", "abc", "user:"])("finds a configured secret in base64 behind %j", (before) => {
    const redact = createRedactor([SECRET]);
    const text = `${before}${SECRET}, and more`;
    for (const encoded of [base64(text), base64(text).replaceAll("+", "-").replaceAll("/", "_")]) {
      const shown = redact(`x ${encoded}`);
      expect(shown).toContain("[redacted]");
      expect(shown.length).toBeLessThan(encoded.length - SECRET.length + 10);
    }
  });

  it("finds a long secret that is broken over lines, also encoded, and a short one not", () => {
    const secret = "canary-0123456789-canary";
    const redact = createRedactor([secret, "abcdef"]);
    expect(redact("a canary-01234\n   56789-canary b")).toBe("a [redacted] b");
    expect(redact("a canary-01234\r\n56789-\r\ncanary b")).toBe("a [redacted] b");
    expect(redact(base64(secret).replaceAll(/(.{8})/g, "$1\n"))).not.toMatch(/[A-Za-z0-9]{8}\n[A-Za-z0-9]{8}/);
    expect(redact("abc\ndef")).toBe("abc\ndef");
  });

  it("finds a configured secret with the line break that a file put behind it", () => {
    expect(createRedactor(["hunter2-and-more\n"])("x hunter2-and-more y")).toBe("x [redacted] y");
  });

  it("leaves names alone where the model works with the value", () => {
    const redact = createModelRedactor(["hunter2-and-more"]);
    const page = { next_page_token: "abc", password: "see hunter2-and-more" };
    expect(redact(page)).toEqual({ next_page_token: "abc", password: "see [redacted]" });
  });

  it("gives back the very same value when there is nothing to hide", () => {
    const value = { a: ["b", { c: 1 }] };
    expect(createRedactor(["hunter2-and-more"])(value)).toBe(value);
  });

  it("keeps a property of the name __proto__ a property", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":"hunter2-and-more"}}');
    expect(JSON.stringify(createRedactor(["hunter2-and-more"])(value))).toBe('{"__proto__":{"a":"[redacted]"}}');
  });
});

describe("createStreamRedactor()", () => {
  const WHOLE_KEYS = KEYS.filter(([name]) => name !== "Azure, client secret");
  const inPieces = (text: string, sizes: readonly number[], secrets: readonly string[] = ["hunter2 and more"]) => {
    const redactor = createStreamRedactor(secrets);
    const shown: string[] = [];
    let at = 0;
    for (let index = 0; at < text.length; index += 1) {
      const size = sizes[index % sizes.length] ?? 1;
      shown.push(redactor.push(text.slice(at, at + size)));
      at += size;
    }
    shown.push(redactor.end());
    return shown;
  };

  it.each([...WHOLE_KEYS, ["a configured secret", "hunter2 and more"] as [string, string]])(
    "hides a secret that the pieces cut: %s",
    (_name, key) => {
      for (const size of [1, 2, 3, 7, 20])
        expect(inPieces(`so: ${key} and on`, [size]).join("")).toBe("so: [redacted] and on");
    },
  );

  it("shows ordinary words at once, but for a last letter that a key may begin with", () => {
    expect(inPieces("The plan is fine, 今天天气很好", [4])).toEqual([
      "The ",
      "pla",
      "n is ",
      "fin",
      "e, 今天",
      "天气很好",
      "",
    ]);
  });

  it("hides the rest of a key of which a part was shown before it could be known", () => {
    const [, key = ""] = KEYS.find(([name]) => name === "Azure, client secret") ?? [];
    expect(inPieces(`so: ${key} and on`, [1]).join("")).toBe(`so: ${key.slice(0, 3)}[redacted] and on`);
  });

  it("gives what the whole text would have given, however it is cut (property)", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...WHOLE_KEYS.map(([, key]) => key),
        "hunter2 and more",
        "Authorization: Bearer abcdefgh12345678",
      ),
      fc.lorem({ maxCount: 4 }),
      fc.string({ maxLength: 12 }),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), sizes, (pieces, cuts) => {
        const text = pieces.join(" ");
        expect(inPieces(text, cuts).join("")).toBe(createRedactor(["hunter2 and more"])(text));
      }),
      { numRuns: runs(300) },
    );
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

describe("errorLogger", () => {
  afterEach(() => vi.restoreAllMocks());

  it("prints errors alone, each as one line that no terminal obeys", () => {
    const printed: unknown[] = [];
    for (const level of ["debug", "info", "log", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...line) => void printed.push(...line));
    errorLogger.warn("not this");
    errorLogger.info("nor this");
    errorLogger.error("It failed", { error: "no\nanswer \u001b[31m", turn: "t1", tries: 2 });
    errorLogger.error("Bare");
    expect(printed).toEqual(["wakeful: It failed: no answer  [31m (turn t1, tries 2)", "wakeful: Bare"]);
  });
});
