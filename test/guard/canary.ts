import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostPlatform } from "../../adapters/platform/host/index.ts";
import type { FetchAt } from "../../kit.ts";

/** An address that the guard lets through. The tests connect to this machine instead. */
export const STAND_IN = "93.184.216.34";

export interface Canary {
  readonly port: number;
  /** What was asked of it: nothing may be, where the guard holds. */
  readonly hits: readonly string[];
  close(): Promise<void>;
}

/** A server on loopback, as the inner services of a machine have it. */
export async function canary(
  answer: RequestListener = (_, response) => void response.end("canary secret"),
): Promise<Canary> {
  const hits: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    hits.push(`${request.method} ${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The runtime's own way to connect, with loopback standing in for one public address and for nothing else. */
export async function standIn(): Promise<FetchAt> {
  const { network } = hostPlatform;
  if (network === null) throw new Error("This runtime cannot connect to a given address");
  return (url, init, addresses) =>
    network.fetchAt(
      url,
      init,
      // TEST-NET-1 leads nowhere, were it ever asked for.
      addresses.map((address) => (address === STAND_IN ? "127.0.0.1" : "192.0.2.1")),
    );
}
