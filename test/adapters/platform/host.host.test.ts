import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hostPlatform } from "../../../adapters/platform/host/index.ts";
import { type OpenedOrigin, platformContract } from "../../../src/testing/index.ts";

async function open(): Promise<OpenedOrigin> {
  const server = createServer((request, response) => {
    if (request.url === "/never") return;
    if (request.url === "/moved") return void response.writeHead(302, { location: "/echo" }).end();
    if (request.url === "/packed")
      return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => response.end(JSON.stringify({ method: request.method, host: request.headers.host, body })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async dispose() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

platformContract({ describe, it, expect }, { name: "host", platform: hostPlatform, open });
