import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { codeOf, guarded, serve, textOf } from "./real-network.ts";

describe("a guarded fetch on a real network", () => {
  it("stops at the limit in a body that unpacks to a thousand times its size", async () => {
    const bomb = gzipSync(new Uint8Array(200 * 1024 * 1024), { level: 9 });
    const page = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.byteLength }).end(bomb);
    });
    const get = await guarded({ maxBytes: 1024 * 1024 });
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("BODY_TOO_LARGE");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
  });
});
