import { type Address, type Network, formatAddress, isInNetwork, parseV4, parseV6 } from "./ip.ts";
import { isLoopback } from "./network.ts";

/**
 * IPv4 that is no place on the public internet. Source: the IANA IPv4 Special-Purpose Address Registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), and one address that a cloud gives to its own machines.
 */
const NOT_PUBLIC_V4 = table([
  ["0.0.0.0/8", "this machine"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private to a provider"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local, where clouds keep their metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "for documentation"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "for benchmarks"],
  ["198.51.100.0/24", "for documentation"],
  ["203.0.113.0/24", "for documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  // Azure's own service for its machines has an address that looks public.
  ["168.63.129.16/32", "a cloud's metadata"],
  ["192.31.196.0/24", "of a service of the network itself (AS112)"],
  ["192.175.48.0/24", "of a service of the network itself (AS112)"],
  ["192.52.193.0/24", "of a service of the network itself (AMT)"],
]);

/** The only part of IPv6 that is given out; within it, what is not public. Source: the IANA IPv6 Special-Purpose Address Registry. */
const PUBLIC_V6 = network("2000::/3");
const NOT_PUBLIC_V6 = table([
  ["2001::/23", "reserved, or a tunnel (Teredo)"],
  ["2001:db8::/32", "for documentation"],
  ["2002::/16", "a tunnel (6to4)"],
  ["3fff::/20", "for documentation"],
  ["2620:4f:8000::/48", "of a service of the network itself (AS112)"],
]);

/** The last 32 bits are an IPv4 address where the first 96 say so: mapped, compatible or NAT64. */
const HOLDS_V4 = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"].map(network);

function table(rows: readonly (readonly [cidr: string, what: string])[]) {
  return rows.map(([cidr, what]) => [network(cidr), what] as const);
}

function network(cidr: string): Network {
  const [name = "", bits] = cidr.split("/");
  return [parseV4(name) ?? parseV6(name) ?? [], Number(bits)];
}

/** `undefined`: an address of the public internet. Else what it is, as "loopback". */
export type AddressProblem = string | undefined;

/**
 * What is wrong with an IP address as a place to fetch from. Only global unicast passes: what is not known to be public is refused.
 *
 * @param address Dotted decimal, or IPv6 without brackets. Any other text is refused: nothing here guesses at spellings.
 * @param options.translated Also judge by the IPv4 address inside an IPv4-mapped or a NAT64 (64:ff9b::/96) address, as resolvers give them in
 * IPv6-only networks. Default false: refused, since nobody writes them into a URL in good faith.
 */
export function addressProblem(address: string, options: { readonly translated?: boolean } = {}): AddressProblem {
  const v4 = parseV4(address);
  if (v4) return problemOfV4(v4);
  if (address.includes("%")) return "an address of one network card";
  const parsed = parseV6(address);
  if (!parsed) return "no IP address";
  if (isLoopback(parsed)) return "loopback";
  if (HOLDS_V4.some((one) => isInNetwork(parsed, one))) {
    const inside = parsed.slice(12);
    const problem = problemOfV4(inside);
    if (problem !== undefined) return `${problem} (${formatAddress(inside)} written as IPv6)`;
    return options.translated === true ? undefined : "an IPv4 address written as IPv6";
  }
  const known = NOT_PUBLIC_V6.find(([one]) => isInNetwork(parsed, one));
  if (known) return known[1];
  return isInNetwork(parsed, PUBLIC_V6) ? undefined : "not public";
}

function problemOfV4(address: Address): AddressProblem {
  return NOT_PUBLIC_V4.find(([one]) => isInNetwork(address, one))?.[1];
}
