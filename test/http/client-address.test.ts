import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClientReader } from "../../src/http/client-address.ts";

function read(
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
  trusted: readonly string[] = [],
) {
  return createClientReader(trusted)(new Request("http://localhost/", { headers }), { remoteAddress });
}

const forwarded = (value: string) => ({ "x-forwarded-for": value });

describe("the client's address", () => {
  it.each([
    { title: "is the connection's", remote: "203.0.113.9", address: "203.0.113.9", source: "203.0.113.9" },
    {
      title: "is IPv4 when it is written as IPv6",
      remote: "::ffff:203.0.113.9",
      address: "203.0.113.9",
      source: "203.0.113.9",
    },
    {
      title: "counts with its network of 64 bits",
      remote: "2001:db8:1:2:3:4:5:6",
      address: "2001:db8:1:2:3:4:5:6",
      source: "2001:db8:1:2::/64",
    },
    { title: "has no zone", remote: "fe80::1%eth0", address: "fe80::1", source: "fe80::/64" },
    { title: "may be a name", remote: "/run/wakeful.sock", address: "/run/wakeful.sock", source: "/run/wakeful.sock" },
    { title: "may be unknown", remote: undefined, address: "unknown", source: undefined },
    { title: "is unknown when it is empty", remote: "", address: "unknown", source: undefined },
  ])("$title", ({ remote, address, source }) => {
    expect(read(remote)).toMatchObject({ address, source, near: false });
  });

  it.each([
    { title: "any address without trusted proxies", remote: "203.0.113.9", trusted: [] },
    { title: "a loopback connection without trusted proxies", remote: "127.0.0.1", trusted: [] },
    { title: "an address beside the trusted network", remote: "10.1.0.1", trusted: ["10.0.0.0/16"] },
    { title: "an unknown address", remote: undefined, trusted: ["10.0.0.0/8", "::/1"] },
  ])("is not taken from a header of $title", ({ remote, trusted }) => {
    expect(read(remote, forwarded("8.8.8.8"), trusted).address).toBe(remote ?? "unknown");
  });

  const proxies = ["10.0.0.0/8", "127.0.0.1", "fd00::/8"];

  it.each([
    { title: "the only hop", header: "203.0.113.9", address: "203.0.113.9" },
    { title: "the right-most hop that is no proxy", header: "8.8.8.8, 203.0.113.9, 10.0.0.2", address: "203.0.113.9" },
    {
      title: "a hop over several kinds of proxies",
      header: "203.0.113.9, fd00::7, 127.0.0.1,10.0.0.2",
      address: "203.0.113.9",
    },
    { title: "a hop with a port", header: "203.0.113.9:5123", address: "203.0.113.9" },
    { title: "an IPv6 hop with brackets and port", header: "[2001:db8::1]:443", address: "2001:db8::1" },
    { title: "IPv4 that is written as IPv6", header: "::ffff:cb00:7109", address: "203.0.113.9" },
    { title: "what stands before nonsense", header: "8.8.8.8, nonsense, 10.0.0.2", address: "10.0.0.2" },
    { title: "the first proxy when all hops are proxies", header: "10.0.0.4, 10.0.0.3", address: "10.0.0.4" },
    { title: "the connection when there is no header", header: undefined, address: "10.0.0.1" },
    { title: "the connection when the hop is nonsense", header: "unknown", address: "10.0.0.1" },
    { title: "the connection when the hop is octal", header: "0177.0.0.1", address: "10.0.0.1" },
    { title: "the connection when a stranger claims to be this machine", header: "127.0.0.9", address: "10.0.0.1" },
    { title: "the connection when a stranger claims to be this machine in IPv6", header: "::1", address: "10.0.0.1" },
    {
      title: "the connection when a stranger claims to be this machine in disguise",
      header: "::ffff:7f00:1",
      address: "10.0.0.1",
    },
    { title: "the connection when a stranger claims to be no address", header: "0.0.0.0", address: "10.0.0.1" },
  ])("is, behind trusted proxies, $title", ({ header, address }) => {
    expect(read("10.0.0.1", header === undefined ? {} : forwarded(header), proxies).address).toBe(address);
  });

  it("cannot be chosen by a client, whatever it sends through a trusted proxy", () => {
    const text = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom("127.0.0.1", "::1", "10.0.0.9", ",", "[", "]:1"),
    );
    fc.assert(
      fc.property(fc.array(text), (sent) => {
        const written = sent.join(", ").replaceAll(/[^\x20-\x7e]/g, "?");
        expect(read("10.0.0.1", forwarded(`${written}, 203.0.113.9`), proxies).address).toBe("203.0.113.9");
      }),
    );
  });

  it("is near only when no header had a say", () => {
    expect(read("127.0.0.1").near).toBe(true);
    expect(read("::1").near).toBe(true);
    expect(read("::ffff:127.0.0.1").near).toBe(true);
    expect(read("10.0.0.1", {}, proxies).near).toBe(true);
    expect(read("10.0.0.1", forwarded("203.0.113.9"), proxies).near).toBe(false);
    expect(read("203.0.113.9", forwarded("127.0.0.1")).near).toBe(false);
  });

  it("came over TLS when the URL or a trusted proxy says so", () => {
    const proto = { "x-forwarded-proto": "https" };
    expect(read("203.0.113.9", proto).secure).toBe(false);
    expect(read("10.0.0.1", proto, proxies).secure).toBe(true);
    expect(read("10.0.0.1", { "x-forwarded-proto": "https, http" }, proxies).secure).toBe(false);
    expect(createClientReader()(new Request("https://localhost/"), undefined).secure).toBe(true);
  });

  it.each([
    "10.0.0.0/33",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/8/8",
    "localhost",
    "",
    "10.0.0",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "fd00::/129",
  ])("takes no proxy %j", (network) => {
    expect(() => createClientReader([network])).toThrow(RangeError);
  });
});
