import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressProblem } from "../../src/guard/address.ts";
import { guardUrl } from "../../src/guard/index.ts";
import { URL_TABLE } from "./url-table.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("guardUrl()", () => {
  it.each(URL_TABLE)("judges %j", async (url, verdict) => {
    const found = await guardUrl(url);
    if (verdict === true) expect(found).toEqual({ ok: true });
    else expect(found).toEqual({ ok: false, reason: expect.stringContaining(verdict) });
  });

  it("takes a URL object as well as a text", async () => {
    expect(await guardUrl(new URL("https://example.com/"))).toEqual({ ok: true });
    expect(await guardUrl(new URL("http://127.1/"))).toMatchObject({ ok: false });
  });

  it("never shows the password of a URL that it refuses", async () => {
    const found = await guardUrl("https://ada:hunter2@example.com/");
    expect(JSON.stringify(found)).not.toContain("hunter2");
  });

  it("refuses a URL that is too long", async () => {
    expect(await guardUrl(`https://example.com/${"a".repeat(9000)}`)).toMatchObject({ ok: false });
  });
});

describe("guardUrl() with a resolver", () => {
  const guard = (addresses: readonly string[], url = "https://example.com/") =>
    guardUrl(url, { resolve: async () => addresses });

  it.each([
    [["93.184.216.34"]],
    [["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]],
    // As a resolver of an IPv6-only network gives them.
    [["64:ff9b::5db8:d822"]],
    [["::ffff:93.184.216.34"]],
  ])("lets a name through whose addresses are %j", async (addresses) => {
    expect(await guard(addresses)).toEqual({ ok: true });
  });

  it.each([
    [["127.0.0.1"]],
    [["93.184.216.34", "10.0.0.1"]],
    [["93.184.216.34", "::1"]],
    [["::ffff:7f00:1"]],
    [["64:ff9b::a00:1"]],
    [["fe80::1%eth0"]],
    [["2606:4700::1%eth0"]],
    [["2002:5db8:d822::1"]],
    [["example.org"]],
    [["2130706433"]],
    [["0127.0.0.1"]],
    [[""]],
    [[]],
  ])("refuses a name whose addresses are %j", async (addresses) => {
    expect(await guard(addresses)).toMatchObject({ ok: false });
  });

  it.each([
    [["127.0.0.1"]],
    [["10.11.12.13"]],
    [["93.184.216.34", "192.168.77.5"]],
    [["fd12:3456::7"]],
    [["fe80::1%eth0"]],
    [["::ffff:10.11.12.13"]],
    [["64:ff9b::a0b:c0d"]],
    [["169.254.169.254"]],
    [["10.11.12.13 (internal)"]],
  ])("names the host that was asked for, not the address: %j", async (addresses) => {
    expect(await guard(addresses)).toEqual({
      ok: false,
      reason: 'Cannot use "https://example.com/": its host example.com is not on the public internet',
    });
  });

  it("repeats no address of a resolver that failed", async () => {
    const resolve = () =>
      Promise.reject(new Error("queryA ETIMEOUT example.com via 10.11.12.13:53, [fd12:3456::7]:53"));
    const { reason } = (await guardUrl("https://example.com/", { resolve })) as { reason: string };
    expect(reason).toContain("queryA ETIMEOUT example.com via (an address), [(an address)]:53");
  });

  it("refuses a name that cannot be resolved, with what the resolver says", async () => {
    const resolve = () => Promise.reject(new Error("getaddrinfo ENOTFOUND nowhere.example"));
    expect(await guardUrl("https://nowhere.example/", { resolve })).toEqual({
      ok: false,
      reason: expect.stringContaining("ENOTFOUND"),
    });
  });

  it("asks for the name once, without its last dot, and not for an address", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ["93.184.216.34"];
    };
    await guardUrl("https://Example.COM./", { resolve });
    await guardUrl("https://1.1.1.1/", { resolve });
    expect(asked).toEqual(["example.com"]);
  });

  it("does not ask for a name that it refuses anyway", async () => {
    const resolve = () => {
      throw new Error("was asked");
    };
    const found = await guardUrl("http://printer.local/", { resolve });
    expect(JSON.stringify(found)).not.toContain("was asked");
  });
});

/** Ways to write an IPv4 address that URL parsers understand. */
const part = (value: number) =>
  fc.constantFrom(String(value), `0${value.toString(8)}`, `0x${value.toString(16)}`, `0X${value.toString(16)}`);
const wide = (text: string) => text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const spelling = ([a, b, c, d]: readonly [number, number, number, number]) => {
  const groups = [
    [a, b, c, d],
    [a, b, c * 256 + d],
    [a, b * 65_536 + c * 256 + d],
    [a * 16_777_216 + b * 65_536 + c * 256 + d],
  ];
  const v4 = fc
    .constantFrom(...groups)
    .chain((values) => fc.tuple(...values.map(part)))
    .chain((parts) => fc.constantFrom(".", "。", "．", "｡", "%2e").map((dot) => parts.join(dot)))
    .chain((text) => fc.constantFrom(text, wide(text), `${text}.`));
  const hex = (high: number, low: number) => (high * 256 + low).toString(16);
  const v6 = fc
    .constantFrom("::ffff:", "::", "64:ff9b::", "0:0:0:0:0:FFFF:")
    .chain((prefix) => fc.constantFrom(`[${prefix}${a}.${b}.${c}.${d}]`, `[${prefix}${hex(a, b)}:${hex(c, d)}]`));
  return fc.oneof(v4, v6);
};
const byte = fc.integer({ min: 0, max: 255 });
const privateAddress = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

describe("guardUrl(), whatever it is given", () => {
  it("lets no spelling of a private IPv4 address through", async () => {
    await fc.assert(
      fc.asyncProperty(privateAddress.chain(spelling), fc.constantFrom("", ":80", ":8080"), async (host, port) => {
        expect(await guardUrl(`http://${host}${port}/`)).toMatchObject({ ok: false });
      }),
      { numRuns: runs(2000) },
    );
  });

  it("judges an IPv4 address alike in all its spellings as text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(byte, byte, byte, byte), async ([a, b, c, d]) => {
        const plain = await guardUrl(`http://${a}.${b}.${c}.${d}/`);
        const number = await guardUrl(`http://${a * 16_777_216 + b * 65_536 + c * 256 + d}/`);
        expect(plain.ok).toBe(number.ok);
        expect(plain.ok).toBe(addressProblem(`${a}.${b}.${c}.${d}`) === undefined);
      }),
      { numRuns: runs(500) },
    );
  });

  it("never throws", async () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      // What `fc.webUrl` is for: its paths need a table of all 1.1 million code points.
      fc
        .tuple(fc.constantFrom("http", "https", "ftp"), fc.webAuthority(), fc.string({ unit: anyCharacter }))
        .map(([scheme, authority, path]) => `${scheme}://${authority}/${path}`),
      fc.string().map((text) => `http://${text}`),
      fc.string({ unit: "grapheme" }).map((text) => `https://${text}/`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(texts, fc.anything()),
        fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())),
        async (url, found) => {
          expect(typeof (await guardUrl(url)).ok).toBe("boolean");
          expect(typeof (await guardUrl(url, { resolve: async () => found })).ok).toBe("boolean");
          expect(typeof (await guardUrl(url, { resolve: async () => found as never })).ok).toBe("boolean");
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
