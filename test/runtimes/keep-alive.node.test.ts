import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { serve } from "../../adapters/runtimes/node/index.ts";

describe("serve() on node, while it stops", () => {
  it("does not wait for the next request of a connection whose last one it has answered", async () => {
    let answer = (_response: Response): void => {};
    let arrived = (): void => {};
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const assistant = {
      start: async () => {},
      stop: async () => {},
      fetch: () => {
        arrived();
        return new Promise<Response>((resolve) => (answer = resolve));
      },
    };
    // Node itself ends such a connection after five seconds: here only when it looks for idle ones, every thirty, and this test has failed.
    const keepOpen = (message: unknown) => void ((message as { server: Server }).server.keepAliveTimeout = 600_000);
    subscribe("http.server.request.start", keepOpen);
    const server = await serve(assistant, { port: 0, graceMs: 60_000 });
    const socket = connect(server.port, "127.0.0.1");
    socket.setEncoding("utf8");
    let said = "";
    socket.on("data", (text: string) => (said += text));
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: keep-alive\r\n\r\n");
    await isThere;
    const stopped = server.stop();
    answer(new Response("done"));
    await stopped;
    unsubscribe("http.server.request.start", keepOpen);
    expect(said).toContain("done");
    socket.destroy();
  }, 20_000);
});
