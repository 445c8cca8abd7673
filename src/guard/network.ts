import ipaddr from "ipaddr.js";

/** A parsed IPv4 or IPv6 address. */
export type Address = ReturnType<typeof ipaddr.parse>;

/** An address and how many of its first bits count. */
export type Network = readonly [address: Address, bits: number];

/** Reads an address in its usual spelling; IPv4 that is written as IPv6 is IPv4. `undefined`: it is none (octal and shortened forms are none either). */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const plain = text.split("%", 1)[0] ?? ""; // The zone is this machine's own name for an interface.
  return text.includes(":") && ipaddr.IPv6.isValid(plain) ? ipaddr.process(plain) : undefined;
}

/**
 * Reads an address (a network of one) or a network in CIDR form, as `10.0.0.0/8`.
 *
 * @throws {RangeError} If it is neither, or every address there is (`/0`).
 */
export function parseNetwork(text: string): Network {
  const [name = "", length, ...rest] = text.split("/");
  const address = parseAddress(name);
  const most = address?.kind() === "ipv4" ? 32 : 128;
  const bits = length === undefined ? most : /^[1-9][0-9]{0,2}$/.test(length) ? Number(length) : 0;
  if (address === undefined || bits < 1 || bits > most || rest.length > 0) {
    throw new RangeError(
      `Expected an address or a network, as 10.0.0.0/8 or fd00::/8: current value is ${JSON.stringify(text)}`,
    );
  }
  return [address, bits];
}

/**
 * The host of a request or of a configuration as URLs write it: without a port and without the dot at its end, in lower case, an IPv6 address in brackets.
 * `undefined`: it is none.
 */
export function hostNameOf(host: string): string | undefined {
  if (/[\s,/?#@\\]/u.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, "");
}

/** What may be an address in a text: digits of one between dots or colons, with whatever port follows. */
const ADDRESS_LIKE = /(?<![\w.:])[\da-f]*[.:][\da-f.:]+(?!\w)/giu;

/** The text without the IP addresses in it, which tell of a network what a stranger need not know. */
export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS_LIKE, (found) => {
    const address = found.replace(/[.:]+$/u, "");
    const isAddress = [found, address, address.replace(/:\d+$/u, "")].some((one) => parseAddress(one) !== undefined);
    return isAddress ? "(an address)" : found;
  });
}

export function isInNetwork(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The first address of the network of `bits` bits (a multiple of 8) that the address is in. */
export function networkOf(address: Address, bits: number): Address {
  return ipaddr.fromByteArray(address.toByteArray().fill(0, bits / 8));
}
