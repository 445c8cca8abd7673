import ipaddr from "ipaddr.js";

/**
 * IPv4 ranges that are not on the public internet. Source: the IANA IPv4 Special-Purpose Address Registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), and one address that a cloud gives to its own
 * machines.
 */
const NOT_PUBLIC_V4: readonly (readonly [cidr: string, what: string])[] = [
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
  // Azure's service for its own machines has an address that looks public.
  ["168.63.129.16/32", "a cloud's metadata"],
];

/**
 * The only part of IPv6 that is assigned, and the ranges in it that are not public. Source: the IANA IPv6
 * Special-Purpose Address Registry.
 */
const PUBLIC_V6 = "2000::/3";
const NOT_PUBLIC_V6: readonly (readonly [cidr: string, what: string])[] = [
  ["2001::/23", "reserved, or a tunnel (Teredo)"],
  ["2001:db8::/32", "for documentation"],
  ["2002::/16", "a tunnel (6to4)"],
  ["3fff::/20", "for documentation"],
];

/** `undefined`: an address on the public internet. Otherwise what the address is, such as "loopback". */
export type AddressProblem = string | undefined;

/**
 * Returns why an IP address must not be fetched from, if so. Only global unicast passes: an address that is not known
 * to be public is refused.
 *
 * @param address Dotted decimal, or IPv6 without brackets. Any other text is refused; other spellings are not
 * interpreted.
 * @param options.translated Also judge the IPv4 address inside an IPv4-mapped or a NAT64 (64:ff9b::/96) address,
 * which resolvers return in IPv6-only networks. Default false: refused, because a URL with one has no legitimate use.
 */
export function addressProblem(address: string, options: { readonly translated?: boolean } = {}): AddressProblem {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return problemOfV4(ipaddr.IPv4.parse(address));
  if (address.includes("%")) return "an address of one network card";
  if (!ipaddr.IPv6.isValid(address)) return "not an IP address";
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.range() === "loopback") return "loopback";
  const inside = v4Inside(parsed);
  if (inside !== undefined) {
    const problem = problemOfV4(inside);
    if (problem !== undefined) return `${problem} (${inside.toString()} written as IPv6)`;
    return options.translated === true ? undefined : "an IPv4 address written as IPv6";
  }
  const known = NOT_PUBLIC_V6.find(([cidr]) => parsed.match(ipaddr.IPv6.parseCIDR(cidr)));
  if (known) return known[1];
  if (!parsed.match(ipaddr.IPv6.parseCIDR(PUBLIC_V6)) || parsed.range() !== "unicast")
    return `not public (${parsed.range() === "unicast" ? "not given out" : parsed.range()})`;
  return undefined;
}

function problemOfV4(address: ipaddr.IPv4): AddressProblem {
  const known = NOT_PUBLIC_V4.find(([cidr]) => address.match(ipaddr.IPv4.parseCIDR(cidr)));
  if (known) return known[1];
  return address.range() === "unicast" ? undefined : `not public (${address.range()})`;
}

/**
 * Returns the last 32 bits as an IPv4 address, if the first 96 bits are a prefix for one: mapped, compatible or
 * NAT64.
 */
function v4Inside(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const prefixes = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"];
  if (!prefixes.some((cidr) => address.match(ipaddr.IPv6.parseCIDR(cidr)))) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
