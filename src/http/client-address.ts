import { SERVED } from "./served.ts";
import { type Address, isInNetwork, networkOf, parseAddress, parseNetwork } from "../guard/index.ts";

/** The origin of a request. */
export interface Client {
  /** The address as text. `unknown` if the runtime adapter did not pass it. */
  readonly address: string;
  /**
   * Key for counting: an IPv4 address, or an IPv6 /64 network, since one machine may use each of its addresses.
   * `undefined`: unknown.
   */
  readonly source: string | undefined;
  /** Whether the connection comes from this machine or a trusted proxy and no header names the client. */
  readonly near: boolean;
  /** Whether it came over TLS, according to the URL or a trusted proxy. */
  readonly secure: boolean;
  /**
   * The address on which a runtime adapter's `serve()` listens. `undefined` if a host program or a Worker passes the
   * requests on.
   */
  readonly listensOn?: string;
  /** The requested host according to a trusted proxy, if it says so. */
  readonly forwardedHost?: string;
}

/** Maximum number of hops read from `X-Forwarded-For`, from the right. */
const MAX_HOPS = 32;

const MAX_NAME = 128;

/**
 * Creates a reader of client addresses. It uses the address that the runtime adapter passes as `fetch`'s
 * `env.remoteAddress`. If that is a trusted proxy, it reads `X-Forwarded-For` from the right up to the first untrusted
 * address; strangers may have written everything to its left.
 *
 * @param trusted Addresses and networks of proxies, as `10.0.0.0/8`. Default none: no header is trusted.
 * @throws {RangeError} If an element is neither.
 */
export function createClientReader(trusted: readonly string[] = []): (request: Request, env: unknown) => Client {
  const networks = trusted.map(parseNetwork);
  const isTrusted = (address: Address) => networks.some((network) => isInNetwork(address, network));

  function read(request: Request, env: unknown): Client {
    const https = request.url.startsWith("https:");
    const remote = remoteAddressOf(env);
    const peer = remote === undefined ? undefined : parseAddress(remote);
    if (peer === undefined) {
      // A value that is no address, as a socket path, still distinguishes sources.
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

/**
 * Returns the right-most address that is not a trusted proxy. `undefined` if none can be read, or if it claims to be
 * this machine.
 */
function forwardedFor(header: string | null, isTrusted: (address: Address) => boolean): Address | undefined {
  let found: Address | undefined;
  const hops = (header ?? "").split(",").slice(-MAX_HOPS).toReversed();
  for (const hop of hops) {
    const address = parseAddress(withoutPort(hop.trim()));
    if (address === undefined) break;
    found = address;
    if (!isTrusted(address)) break;
  }
  // A request from another machine cannot have a loopback address.
  return found?.range() === "loopback" || found?.range() === "unspecified" ? undefined : found;
}

function sourceOf(address: Address): string {
  return address.kind() === "ipv4" ? address.toString() : `${networkOf(address, 64).toString()}/64`;
}

/** Some proxies append the port: `203.0.113.9:5123`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([0-9.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

function remoteAddressOf(env: unknown): string | undefined {
  if (typeof env !== "object" || env === null || !("remoteAddress" in env)) return undefined;
  return typeof env.remoteAddress === "string" && env.remoteAddress !== "" ? env.remoteAddress : undefined;
}
