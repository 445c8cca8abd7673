import ipaddr from "ipaddr.js";

/** A parsed IPv4 or IPv6 address. */
export type Address = ReturnType<typeof ipaddr.parse>;

/** An address and the number of its leading bits that are compared. */
export type Network = readonly [address: Address, bits: number];

/**
 * Parses an address in its usual spelling; IPv4 written as IPv6 becomes IPv4. Returns `undefined` for any other text,
 * including octal and shortened forms.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const plain = text.split("%", 1)[0] ?? ""; // The zone is this machine's own name for an interface.
  return text.includes(":") && ipaddr.IPv6.isValid(plain) ? ipaddr.process(plain) : undefined;
}

/**
 * Parses an address (a network of one) or a network in CIDR form, such as `10.0.0.0/8`.
 *
 * @throws {RangeError} If the text is neither, or is the network of all addresses (`/0`).
 */
export function parseNetwork(text: string): Network {
  const [name = "", length, ...rest] = text.split("/");
  const address = parseAddress(name);
  const most = address?.kind() === "ipv4" ? 32 : 128;
  const bits = length === undefined ? most : /^[1-9][0-9]{0,2}$/.test(length) ? Number(length) : 0;
  if (address === undefined || bits < 1 || bits > most || rest.length > 0) {
    throw new RangeError(
      `Expected an address or a network such as 10.0.0.0/8 or fd00::/8: current value is ${JSON.stringify(text)}`,
    );
  }
  return [address, bits];
}

/**
 * Normalizes the host of a request or a configuration as URLs write it: without a port and a final dot, in lower
 * case, an IPv6 address in brackets. Returns `undefined` if it is not a host.
 */
export function hostNameOf(host: string): string | undefined {
  if (/[\s,/?#@\\]/u.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, "");
}

/** Parts of a text that may be an address: its digits between dots or colons, with a port that follows. */
const ADDRESS_LIKE = /(?<![\w.:])[\da-f]*[.:][\da-f.:]+(?!\w)/giu;

/** Returns the text without IP addresses, because they show a stranger details of the network. */
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

/** Returns the first address of the network of `bits` bits (a multiple of 8) that contains the address. */
export function networkOf(address: Address, bits: number): Address {
  return ipaddr.fromByteArray(address.toByteArray().fill(0, bits / 8));
}
