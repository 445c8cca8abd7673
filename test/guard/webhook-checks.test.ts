import { describe, expect, it } from "vitest";
import { createHmac } from "../../src/guard/hmac.ts";
import { parseJsonBody, readBody } from "../../src/guard/read-body.ts";
import { createSecretCheck, timingSafeEqual } from "../../src/guard/timing-safe.ts";

describe("timingSafeEqual()", () => {
  it.each([
    { given: "s3cret", expected: "s3cret", equal: true },
    { given: "s3cre", expected: "s3cret", equal: false },
    { given: "s3cret ", expected: "s3cret", equal: false },
    { given: "s3cret, s3cret", expected: "s3cret", equal: false },
    { given: "", expected: "s3cret", equal: false },
    { given: null, expected: "s3cret", equal: false },
    { given: undefined, expected: "s3cret", equal: false },
    { given: "", expected: "", equal: false },
    { given: null, expected: "", equal: false },
  ])("finds $given and $expected equal: $equal", async ({ given, expected, equal }) => {
    expect(await timingSafeEqual(given, expected)).toBe(equal);
  });
});

describe("createSecretCheck()", () => {
  it("answers each text anew", async () => {
    const isSecret = createSecretCheck("s3cret");
    expect(await Promise.all(["s3cret", "other", null, "s3cret"].map(isSecret))).toEqual([true, false, false, true]);
  });
});

describe("createHmac()", () => {
  // Test case 2 of RFC 4231.
  const signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const data = "what do ya want for nothing?";

  it("signs as RFC 4231 says", async () => {
    expect(await createHmac("Jefe").sign(data)).toBe(signature);
    expect(await createHmac("Jefe").sign(new TextEncoder().encode(data))).toBe(signature);
  });

  it.each([
    { title: "the right signature", signature, data, valid: true },
    { title: "an altered byte", signature, data: `${data}!`, valid: false },
    { title: "upper-case hex", signature: signature.toUpperCase(), data, valid: false },
    { title: "a signature that is cut short", signature: signature.slice(2), data, valid: false },
    { title: "two joined signatures", signature: `${signature}, ${signature}`, data, valid: false },
    { title: "an empty signature", signature: "", data, valid: false },
    { title: "a trailing newline", signature: `${signature}\n`, data, valid: false },
  ])("verifies $title: $valid", async ({ signature, data, valid }) => {
    expect(await createHmac("Jefe").verify(data, signature)).toBe(valid);
  });

  it("refuses an empty secret", () => {
    expect(() => createHmac("")).toThrow(RangeError);
  });
});

describe("readBody()", () => {
  const stream = (chunks: readonly number[], onPull: (chunk: number) => void = () => {}) => {
    let index = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const size = chunks[index];
          if (size === undefined) return controller.close();
          onPull(index++);
          controller.enqueue(new Uint8Array(size).fill(120));
        },
      },
      { highWaterMark: 0 },
    );
  };
  const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
    // `duplex` is needed for a stream, and missing from the DOM's types.
    new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);

  it("joins what arrives in pieces", async () => {
    expect(new TextDecoder().decode(await readBody(post(stream([3, 2])), { maxBytes: 5 }))).toBe("xxxxx");
  });

  it("stops at the limit when no length is declared, and leaves the rest unread", async () => {
    const pulled: number[] = [];
    const body = stream(
      Array.from({ length: 100 }, () => 10),
      (chunk) => pulled.push(chunk),
    );
    await expect(readBody(post(body), { maxBytes: 25 })).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(pulled.length).toBeLessThan(10);
  });

  it("refuses a declared length over the limit before it reads", async () => {
    await expect(readBody(post("hello", { "content-length": "6" }), { maxBytes: 5 })).rejects.toMatchObject({
      code: "BODY_TOO_LARGE",
    });
  });

  it("does not believe a declared length that is too small", async () => {
    await expect(readBody(post("hello!", { "content-length": "2" }), { maxBytes: 5 })).rejects.toMatchObject({
      code: "BODY_TOO_LARGE",
    });
  });

  it("reads no body as no bytes", async () => {
    expect(await readBody(new Request("http://localhost/", { method: "POST" }), { maxBytes: 5 })).toHaveLength(0);
  });
});

describe("parseJsonBody()", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it("reads JSON in UTF-8, emoji and all", () => {
    expect(parseJsonBody(bytes('{"text":"👩‍👩‍👧 哈"}'))).toEqual({ text: "👩‍👩‍👧 哈" });
  });

  it.each([
    { title: "bytes that are not UTF-8", body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), message: "UTF-8" },
    { title: "a text that is not JSON", body: bytes("a=1"), message: "JSON" },
    { title: "nothing", body: new Uint8Array(), message: "JSON" },
  ])("refuses $title", ({ body, message }) => {
    expect(() => parseJsonBody(body)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining(message) }),
    );
  });
});
