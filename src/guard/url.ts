import { messageOf } from "../errors.ts";
import { addressProblem } from "./address.ts";
import { withoutAddresses } from "./network.ts";
import { shortened } from "../short-text.ts";

/** Returns the addresses of a host name. Contract: throws if the name does not exist. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Options of `guardUrl`. */
export interface GuardUrlOptions {
  /** Resolves a host name; every address must be public. Default: only the name is checked. */
  readonly resolve?: Lookup;
}

/** Whether a URL may be fetched; `reason` is for people and models. */
export type GuardedUrl = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * A URL that may be fetched, and the addresses that the connection may use; empty if the name could not be resolved
 * here.
 */
export type CheckedUrl =
  | { readonly ok: true; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const MAX_URL = 8192;

/**
 * Domains that are never public. Sources: RFC 6761, RFC 6762, RFC 8375, ICANN resolution 2024.07.29.06; the last
 * three by custom.
 */
const INNER_DOMAINS = ["localhost", "local", "internal", "home.arpa", "localdomain", "lan", "intranet"];
/** Host names of clouds' metadata services that are not in these domains. */
const METADATA_HOSTS = [
  "metadata.goog",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
];
/**
 * Public names that resolve to any address written into them, or to loopback: their only use is to bypass checks of
 * names.
 */
const ECHO_DOMAINS = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "rbndr.us",
  "1u.ms",
];

/**
 * Ports of services that misread HTTP. Source: the Fetch Standard, "port blocking"
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const BAD_PORTS = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179 " +
    "389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 " +
    "6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/**
 * Decides whether a URL that a stranger or a model wrote may be fetched: http or https, without user and password,
 * and on the public internet in any spelling. The platform's parser parses the URL once, so the check judges what
 * would be fetched.
 *
 * Source: docs/web-guard.md, "The URL guard".
 *
 * @returns The reason as one sentence, if refused. It repeats the given URL, never an address that a name resolved
 * to. Never throws and never rejects, for any `url`.
 * @example
 * ```ts
 * await guardUrl("http://0x7f.1/"); // { ok: false, reason: 'Cannot use "http://0x7f.1/": its address 127.0.0.1 is loopback' }
 * await guardUrl("https://example.com/", { resolve: async () => ["10.0.0.7"] }); // { ok: false, reason: '…: its host example.com is not on the public internet' }
 * ```
 */
export async function guardUrl(url: unknown, options: GuardUrlOptions = {}): Promise<GuardedUrl> {
  const checked = await checkUrl(url, options);
  return checked.ok ? { ok: true } : checked;
}

/** `guardUrl` for callers that fetch afterwards: returns the parsed URL and the checked addresses. Never rejects. */
export async function checkUrl(input: unknown, options: GuardUrlOptions = {}): Promise<CheckedUrl> {
  const refuse = (problem: string) => ({ ok: false, reason: `Cannot use ${shown(input)}: ${problem}` }) as const;
  const url = parse(input);
  if (typeof url === "string") return refuse(url);
  const problem = problemOfUrl(url);
  if (problem !== undefined) return refuse(problem);

  const host = url.hostname;
  const literal = host.startsWith("[") ? host.slice(1, -1) : /^[0-9.]+$/u.test(host) ? host : undefined;
  if (literal !== undefined) {
    const broken = addressProblem(literal);
    return broken === undefined
      ? { ok: true, url, addresses: [literal] }
      : refuse(`its address ${literal} is ${broken}`);
  }
  const name = host.replace(/\.$/u, "");
  const broken = problemOfName(name);
  if (broken !== undefined) return refuse(broken);
  if (options.resolve === undefined) return { ok: true, url, addresses: [] };

  let addresses: readonly string[];
  try {
    addresses = await options.resolve(name);
  } catch (error) {
    return refuse(`its host ${name} cannot be resolved (${withoutAddresses(messageOf(error))})`);
  }
  if (!Array.isArray(addresses) || addresses.length === 0) return refuse(`its host ${name} has no address`);
  for (const address of addresses) {
    if (typeof address !== "string") return refuse(`its host ${name} has an address that is not a string`);
    // The kind of address would tell a stranger about the structure of this network.
    if (addressProblem(address, { translated: true }) !== undefined)
      return refuse(`its host ${name} is not on the public internet`);
  }
  return { ok: true, url, addresses };
}

function parse(input: unknown): URL | string {
  if (typeof input !== "string" && !(input instanceof URL))
    return "it must be a string that starts with https:// or http://";
  const text = String(input);
  if (text.length > MAX_URL) return `it is longer than ${MAX_URL} characters`;
  try {
    return new URL(text);
  } catch {
    return "it is not a complete URL: write https:// and the host in front";
  }
}

function problemOfUrl(url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `only http and https are allowed, not ${url.protocol}`;
  if (url.username !== "" || url.password !== "") return "it contains a user name or a password";
  if (url.hostname === "") return "it has no host";
  if (BAD_PORTS.has(url.port)) return `port ${url.port} is not a port of the web`;
  return undefined;
}

function problemOfName(name: string): string | undefined {
  const under = (domain: string) => name === domain || name.endsWith(`.${domain}`);
  if (INNER_DOMAINS.some(under)) return `the host ${name} is not on the public internet`;
  if (METADATA_HOSTS.some(under)) return `the host ${name} is a cloud's metadata service`;
  if (ECHO_DOMAINS.some(under)) return `the host ${name} can stand for any address`;
  if (!name.includes(".")) return `the host ${name} has no dot, so it is a name of the local network`;
  if (name.split(".").some((label) => label === "" || label.length > 63) || name.length > 253)
    return `the host ${name.slice(0, 80)} is not a valid name`;
  if (/[^a-z0-9._-]/u.test(name)) return `the host ${name} contains characters that no host name has`;
  return undefined;
}

/** Shortens the URL and removes a possible password. */
function shown(input: unknown): string {
  if (typeof input !== "string" && !(input instanceof URL)) return `a URL of type ${typeof input}`;
  const text = String(input).replace(/\/\/[^/?#]*@/u, "//…@");
  return JSON.stringify(shortened(text, 120));
}
