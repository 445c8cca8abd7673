import { hostNameOf, parseAddress } from "../guard/index.ts";
import type { Client } from "./client-address.ts";
import { ProblemError } from "./problem.ts";
import { shortened } from "../short-text.ts";

/** Longest host of a request that a refusal repeats. */
const MAX_SHOWN = 100;

/**
 * The names that a server answers to. A DNS name that a stranger points at this machine (rebinding) makes their page one origin with this server, and what the
 * browser knows of it theirs; so a name has to be one that the owner gave.
 *
 * Source: docs/page.md, "How it is kept safe".
 */
export function createHostNames(options: { hosts?: readonly string[] | undefined; publicUrl?: string | undefined }) {
  const hosts = options.hosts?.map((name) => hostNameOf(name) ?? name);
  const publicUrl = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).hostname];
  const told = [...(hosts ?? []), ...publicUrl];

  return {
    /** Of a server that a host program mounts: with `hosts` only these. @throws {ProblemError} `MISDIRECTED`. */
    checkMounted({ url }: Pick<Request, "url">): void {
      const { host } = new URL(url);
      if (hosts && !hosts.includes(hostNameOf(host) ?? "")) throw misdirected(host);
    },
    /**
     * Of a server of its own: the names that were told, loopback and IP addresses.
     * @param listensOn The address that it listens on, which may be a name too.
     * @throws {ProblemError} `MISDIRECTED`.
     */
    checkServed(
      { url, headers }: Pick<Request, "url" | "headers">,
      { forwardedHost }: Pick<Client, "forwardedHost">,
      listensOn: string,
    ): void {
      // A request may name one host in its first line and another in its header.
      const named = [new URL(url).host, headers.get("host"), ...(forwardedHost?.split(",") ?? [])];
      for (const host of named)
        if (host !== null && !isKnownHost(host.trim(), [...told, listensOn])) throw misdirected(host.trim());
    },
  };
}

/** Is this host of a request, with or without its port, one of the names, loopback, or an IP address? Pure. */
export function isKnownHost(host: string, names: readonly string[]): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return parseAddress(name.replace(/^\[|\]$/g, "")) !== undefined || names.some((known) => hostNameOf(known) === name);
}

function misdirected(host: string): ProblemError {
  const shown = JSON.stringify(shortened(host, MAX_SHOWN));
  return new ProblemError(
    "MISDIRECTED",
    `This server does not answer to the host name ${shown}: if it is one of its names, add it to server.hosts, or set server.public_url (server.publicUrl in code)`,
  );
}
