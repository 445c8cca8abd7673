import { SERVED } from "./served.ts";
import { type Address, isInNetwork, networkOf, parseAddress, parseNetwork } from "../guard/index.ts";

/** Where a request comes from. */
export interface Client {
  /** As a person would write it; `unknown` when the runtime adapter did not say. */
  readonly address: string;
  /** What is counted together: an IPv4 address, or an IPv6 network of 64 bits, of which one machine may use every address. `undefined`: not known. */
  readonly source: string | undefined;
  /** The connection itself comes from this machine or from a trusted proxy, and no header says for whom. */
  readonly near: boolean;
  /** It came over TLS, as the URL or a trusted proxy says. */
  readonly secure: boolean;
  /** The address that `serve()` of a runtime adapter listens on; `undefined`: a host program, or a Worker, hands the requests on. */
  readonly listensOn?: string;
  /** The host that a trusted proxy was asked for, when it says so. */
  readonly forwardedHost?: string;
}

/** Hops of `X-Forwarded-For` that are looked at, from the right. */
const MAX_HOPS = 32;

const MAX_NAME = 128;

/**
 * Says where requests come from: the address that the runtime adapter passes as `fetch`'s `env.remoteAddress`. Only when that is a trusted proxy's,
 * `X-Forwarded-For` is read, from the right, up to the first address that is no trusted proxy's: what stands left of it was written by strangers.
 *
 * @param trusted Addresses and networks of proxies, as `10.0.0.0/8`. Default none: no header is believed.
 * @throws {RangeError} If one of them is neither.
 */
export function createClientReader(trusted: readonly string[] = []): (request: Request, env: unknown) => Client {
  const networks = trusted.map(parseNetwork);
  const isTrusted = (address: Address) => networks.some((network) => isInNetwork(address, network));

  function read(request: Request, env: unknown): Client {
    const https = request.url.startsWith("https:");
    const remote = remoteAddressOf(env);
    const peer = remote === undefined ? undefined : parseAddress(remote);
    if (peer === undefined) {
      // What is no address (the path of a socket) still tells one source from another.
      const name = remote?.slice(0, MAX_NAME);
      return { address: name ?? "unknown", source: name, near: false, secure: https };
    }
    const byProxy = networks.length > 0 && isTrusted(peer);
    const forwardedHost = byProxy ? request.headers.get("x-forwarded-host") : null;
    const behind = byProxy ? forwardedFor(request.headers.get("x-forwarded-for"), isTrusted) : undefined;
    const address = behind ?? peer;
    return {
      address: address.toString(),
      source: sourceOf(address),
      near: behind === undefined && (byProxy || peer.range() === "loopback"),
      secure: https || (byProxy && /(^|,)\s*https\s*$/i.test(request.headers.get("x-forwarded-proto") ?? "")),
      ...(forwardedHost !== null && { forwardedHost }),
    };
  }

  return (request, env) => {
    const listensOn = env?.[SERVED as keyof typeof env];
    const client = read(request, env);
    return typeof listensOn === "string" ? { ...client, listensOn } : client;
  };
}

/** The right-most address that is no trusted proxy's; `undefined` when there is none that can be read, or when it claims to be this machine. */
function forwardedFor(header: string | null, isTrusted: (address: Address) => boolean): Address | undefined {
  let found: Address | undefined;
  const hops = (header ?? "").split(",").slice(-MAX_HOPS).toReversed();
  for (const hop of hops) {
    const address = parseAddress(withoutPort(hop.trim()));
    if (address === undefined) break;
    found = address;
    if (!isTrusted(address)) break;
  }
  // Nobody reaches a proxy from the loopback of another machine.
  return found?.range() === "loopback" || found?.range() === "unspecified" ? undefined : found;
}

function sourceOf(address: Address): string {
  return address.kind() === "ipv4" ? address.toString() : `${networkOf(address, 64).toString()}/64`;
}

/** Some proxies add the port: `203.0.113.9:5123`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([0-9.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

function remoteAddressOf(env: unknown): string | undefined {
  if (typeof env !== "object" || env === null || !("remoteAddress" in env)) return undefined;
  return typeof env.remoteAddress === "string" && env.remoteAddress !== "" ? env.remoteAddress : undefined;
}
