import { hostNameOf, parseAddress } from "../guard/index.ts";
import type { Client } from "./client-address.ts";
import { ProblemError } from "./problem.ts";
import { shortened } from "../short-text.ts";

/** Maximum length of a host that an error repeats. */
const MAX_SHOWN = 100;

/**
 * Creates the check of host names. With DNS rebinding, a stranger's domain points at this machine; their page then has
 * the same origin as this server and can use the browser's sign-in. Therefore only names given by the owner are
 * accepted.
 *
 * Source: docs/page.md, "How it is kept safe".
 */
export function createHostNames(options: { hosts?: readonly string[] | undefined; publicUrl?: string | undefined }) {
  const hosts = options.hosts?.map((name) => hostNameOf(name) ?? name);
  const publicUrl = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).hostname];
  const told = [...(hosts ?? []), ...publicUrl];

  return {
    /**
     * For a server mounted by a host program: if `hosts` is set, accepts only these.
     * @throws {ProblemError} `MISDIRECTED`.
     */
    checkMounted({ url }: Pick<Request, "url">): void {
      const { host } = new URL(url);
      if (hosts && !hosts.includes(hostNameOf(host) ?? "")) throw misdirected(host);
    },
    /**
     * For a server behind `serve()`: accepts configured names, loopback and IP addresses.
     * @param listensOn The address that it listens on, which may be a name too.
     * @throws {ProblemError} `MISDIRECTED`.
     */
    checkServed(
      { url, headers }: Pick<Request, "url" | "headers">,
      { forwardedHost }: Pick<Client, "forwardedHost">,
      listensOn: string,
    ): void {
      // The request line and the Host header may name different hosts; check both.
      const named = [new URL(url).host, headers.get("host"), ...(forwardedHost?.split(",") ?? [])];
      for (const host of named)
        if (host !== null && !isKnownHost(host.trim(), [...told, listensOn])) throw misdirected(host.trim());
    },
  };
}

/** Whether a request's host, with or without port, is one of the names, loopback or an IP address. Pure. */
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
