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
    const server = await serve(assistant, { port: 0, graceMs: 60_000 });
    const socket = connect(server.port, "127.0.0.1");
    socket.setEncoding("utf8");
    let said = "";
    socket.on("data", (text: string) => (said += text));
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: keep-alive\r\n\r\n");
    await isThere;
    const stopped = server.stop();
    const askedMs = performance.now();
    answer(new Response("done"));
    await stopped;
    // Node itself ends such a connection after five seconds.
    expect(performance.now() - askedMs).toBeLessThan(4000);
    expect(said).toContain("done");
    socket.destroy();
  });
});
