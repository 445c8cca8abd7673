/** An IPv4 address in 4 bytes, an IPv6 address in 16. */
export type Address = readonly number[];

/** An address and how many of its first bits count. */
export type Network = readonly [address: Address, bits: number];

const DECIMAL = /^(?:0|[1-9][0-9]{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
/** `::ffff:0:0/96`, in which IPv4 is written as IPv6. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Dotted decimal and nothing else: octal and shortened forms are none. */
export function parseV4(text: string): Address | undefined {
  const parts = text.split(".");
  const bytes = parts.map(Number);
  return parts.length === 4 && parts.every((part) => DECIMAL.test(part)) && bytes.every((byte) => byte < 256)
    ? bytes
    : undefined;
}

/** Without brackets and without a zone. Source: RFC 4291, section 2.2. */
export function parseV6(text: string): Address | undefined {
  const [before = "", behind, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const head = groupsOf(before, behind === undefined);
  const tail = groupsOf(behind ?? "", true);
  if (head === undefined || tail === undefined) return undefined;
  const left = 16 - head.length - tail.length;
  // `::` stands for one group of zeros at least.
  if (behind === undefined ? left !== 0 : left < 2) return undefined;
  return [...head, ...Array.from({ length: left }, () => 0), ...tail];
}

/** The bytes of groups with `:` between them. `isLast`: the last one may be an IPv4 address. */
function groupsOf(text: string, isLast: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    const v4 = isLast && index === groups.length - 1 ? parseV4(group) : undefined;
    if (v4) bytes.push(...v4);
    else if (GROUP.test(group)) bytes.push(parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}

/** The IPv4 address that an IPv6 address is another spelling of, else the address itself. */
export function unmapped(address: Address): Address {
  return isInNetwork(address, [[...MAPPED, 0, 0, 0, 0], 96]) ? address.slice(12) : address;
}

export function isInNetwork(address: Address, [network, bits]: Network): boolean {
  return (
    address.length === network.length &&
    network.every((byte, index) => {
      const mask = 0xff00 >> Math.min(8, Math.max(0, bits - index * 8));
      return ((byte ^ (address[index] ?? 0)) & mask & 0xff) === 0;
    })
  );
}

/** The usual spelling. Source: RFC 5952, section 4. */
export function formatAddress(address: Address): string {
  if (address.length === 4) return address.join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((address[index * 2] ?? 0) << 8) | (address[index * 2 + 1] ?? 0)).toString(16),
  ).join(":");
  // The longest run of zeros, the first of several; a single one stays.
  const zeros = [...groups.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)].reduce<RegExpExecArray | undefined>(
    (longest, run) => (longest && longest[0].length >= run[0].length ? longest : run),
    undefined,
  );
  if (!zeros) return groups;
  const before = groups.slice(0, zeros.index).replace(/:$/, "");
  const behind = groups.slice(zeros.index + zeros[0].length).replace(/^:/, "");
  return `${before}::${behind}`;
}
