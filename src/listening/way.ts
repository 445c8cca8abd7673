import type { Channel } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";

/**
 * How messages of a channel arrive: through the HTTP door, over the platform's own connection, or only from the
 * program.
 */
export type Way = "webhook" | "listen" | "program";

/**
 * Decides how a channel's messages arrive: by webhook if one can be registered at an address that the platform reaches,
 * else over its own connection if it has one; pure. Platforms only reach HTTPS addresses, so a `publicUrl` without TLS
 * counts as none.
 *
 * Source: docs/channels.md, "Without a public address".
 */
export function decideWay(
  { receive, listen, setUp }: Pick<Channel, "receive" | "listen" | "setUp">,
  publicUrl: string | undefined,
): Way {
  if (listen === undefined) return receive === undefined ? "program" : "webhook";
  const isRegistrable = receive !== undefined && setUp !== undefined && publicUrl?.startsWith("https://") === true;
  return isRegistrable ? "webhook" : "listen";
}

/** The URL to which the platform sends a channel's messages, under the server's public address. */
export function webhookUrlOf({ name, access }: Pick<Channel, "name" | "access">, publicUrl: string): string {
  const { account = DEFAULT_ACCOUNT } = access;
  const path = account === DEFAULT_ACCOUNT ? [name] : [name, account];
  return `${publicUrl.replace(/\/+$/, "")}/webhooks/${path.map(encodeURIComponent).join("/")}`;
}
