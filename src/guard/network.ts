import { type Address, type Network, parseV4, parseV6, unmapped } from "./ip.ts";

/** Reads an address in its usual spelling; IPv4 that is written as IPv6 is IPv4. `undefined`: it is none (octal and shortened forms are none either). */
export function parseAddress(text: string): Address | undefined {
  // The zone is this machine's own name for an interface.
  const v6 = text.includes(":") ? parseV6(text.split("%", 1)[0] ?? "") : undefined;
  return v6 ? unmapped(v6) : parseV4(text);
}

/**
 * Reads an address (a network of one) or a network in CIDR form, as `10.0.0.0/8`.
 *
 * @throws {RangeError} If it is neither, or every address there is (`/0`).
 */
export function parseNetwork(text: string): Network {
  const [name = "", length, ...rest] = text.split("/");
  const address = parseAddress(name);
  const most = (address?.length ?? 16) * 8;
  const bits = length === undefined ? most : /^[1-9][0-9]{0,2}$/.test(length) ? Number(length) : 0;
  if (address === undefined || bits < 1 || bits > most || rest.length > 0) {
    throw new RangeError(
      `Expected an address or a network, as 10.0.0.0/8 or fd00::/8: current value is ${JSON.stringify(text)}`,
    );
  }
  return [address, bits];
}

/** The first address of the network of `bits` bits (a multiple of 8) that the address is in. */
export function networkOf(address: Address, bits: number): Address {
  return address.map((byte, index) => (index < bits / 8 ? byte : 0));
}

/** Of this machine itself: `127.0.0.0/8` and `::1`. */
export function isLoopback(address: Address): boolean {
  return address.length === 4 ? address[0] === 127 : address.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

/** `0.0.0.0` and `::`. */
export function isUnspecified(address: Address): boolean {
  return address.every((byte) => byte === 0);
}
