import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { addressProblem } from "../../src/guard/address.ts";
import { formatAddress, isInNetwork, parseV4, parseV6 } from "../../src/guard/ip.ts";
import { parseAddress } from "../../src/guard/index.ts";

const bytes = (count: number) =>
  fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 255 })), {
    minLength: count,
    maxLength: count,
  });
/** Addresses that lie in ranges of which something is known. */
const v6 = fc.oneof(
  bytes(16),
  fc
    .tuple(
      fc.constantFrom(
        "::ffff:0:0",
        "::",
        "64:ff9b::",
        "2000::",
        "2001::",
        "2001:db8::",
        "2002::",
        "2620:4f:8000::",
        "3fff::",
      ),
      bytes(16),
      fc.integer({ min: 0, max: 96 }),
    )
    .map(([name, rest, kept]) =>
      ipaddr
        .parse(name)
        .toByteArray()
        .map((byte, index) => (index < kept / 8 ? byte : (rest[index] ?? 0))),
    ),
);
const v4 = fc.oneof(
  bytes(4),
  fc
    .tuple(
      fc.constantFrom(
        "10.0.0.0",
        "127.0.0.0",
        "169.254.0.0",
        "172.16.0.0",
        "192.0.0.0",
        "192.31.196.0",
        "192.175.48.0",
        "192.52.193.0",
        "224.0.0.0",
      ),
      bytes(4),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([name, rest, kept]) =>
      ipaddr
        .parse(name)
        .toByteArray()
        .map((byte, index) => (index < kept ? byte : (rest[index] ?? 0))),
    ),
);

describe("IP addresses, as another library reads them", () => {
  it("are written alike", () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6), (address) => {
        expect(formatAddress(address)).toBe(ipaddr.fromByteArray(address).toString());
      }),
    );
  });

  it("are read from every spelling of theirs", () => {
    fc.assert(
      fc.property(v6, fc.boolean(), (address, dotted) => {
        const other = ipaddr.fromByteArray(address) as ipaddr.IPv6;
        const tail = address.slice(12).join(".");
        const spellings = [other.toString(), other.toNormalizedString(), other.toString().toUpperCase()];
        if (dotted) spellings.push(other.toNormalizedString().replace(/[0-9a-f]+:[0-9a-f]+$/, tail));
        for (const text of spellings) expect(parseV6(text)).toEqual(address);
      }),
    );
    fc.assert(
      fc.property(v4, (address) => {
        expect(parseV4(address.join("."))).toEqual(address);
      }),
    );
  });

  it("are refused alike, but for groups of more than four digits", () => {
    const piece = fc.constantFrom(
      ":",
      "::",
      ".",
      "0",
      "1",
      "00",
      "ff",
      "f",
      "255",
      "256",
      "010",
      "1.2.3.4",
      "%",
      " ",
      "-1",
      "ffff",
      "g",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(parseV4(text) !== undefined).toBe(ipaddr.IPv4.isValidFourPartDecimal(text));
        const isLong = text.split(":").some((group) => group.length > 4 && !group.includes("."));
        if (!text.includes("%") && !isLong && !/(?:^|[:.])0\d+\.|\.0\d/.test(text))
          expect([text, parseV6(text) !== undefined]).toEqual([text, ipaddr.IPv6.isValid(text)]);
      }),
      { numRuns: 2000 },
    );
  });

  it("lie in the same networks", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(v4, v4), fc.tuple(v6, v6), fc.tuple(v4, v6)),
        fc.nat(128),
        ([one, other], length) => {
          const bits = Math.min(length, other.length * 8);
          const mixed =
            one.length === other.length ? other.map((byte, index) => (index % 3 ? byte : (one[index] ?? 0))) : other;
          const expected =
            one.length === mixed.length && ipaddr.fromByteArray(one).match(ipaddr.fromByteArray(mixed), bits);
          expect(isInNetwork(one, [mixed, bits])).toBe(expected);
        },
      ),
    );
  });

  it("are public only where the other library calls them unicast", () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6), (address) => {
        const text = formatAddress(address);
        if (addressProblem(text) === undefined) expect([text, ipaddr.parse(text).range()]).toEqual([text, "unicast"]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["fe80::1%eth0", "fe80::1"],
    ["010.0.0.1", undefined],
    ["10.1", undefined],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["1:2:3:4:5:6:7:8::", undefined],
    [":1:2:3:4:5:6:7", undefined],
    ["1:::2", undefined],
    ["", undefined],
  ])("reads %j as %j", (text, expected) => {
    const address = parseAddress(text);
    expect(address && formatAddress(address)).toBe(expected);
  });
});
