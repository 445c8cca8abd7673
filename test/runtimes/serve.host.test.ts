import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { RunningServer, Servable, ServeOptions } from "../../adapters/runtimes/node/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";

const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";

/** The server of the runtime that runs this test. */
async function serve(assistant: Servable, options: ServeOptions): Promise<RunningServer> {
  const own = {
    node: () => import("../../adapters/runtimes/node/index.ts"),
    bun: () => import("../../adapters/runtimes/bun/index.ts"),
    deno: () => import("../../adapters/runtimes/deno/index.ts"),
  };
  return (await own[runtime]()).serve(assistant, options);
}

function assistantThat(fetch: Servable["fetch"]): Servable & { readonly log: string[] } {
  const log: string[] = [];
  return {
    log,
    fetch,
    start: async () => void log.push("start"),
    stop: async () => void log.push("stop"),
  };
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** A connection on which this much was sent, and has arrived. */
async function connected(port: number, sent: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  if (sent !== "") await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
  // A request on another connection is answered behind it.
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  return socket;
}

describe(`serve() on ${runtime}`, () => {
  it("starts the assistant, answers on a free port, and stops it", async () => {
    const assistant = assistantThat(async (request) =>
      Response.json({ path: new URL(request.url).pathname, body: await request.text() }),
    );
    const server = await serve(assistant, { port: 0 });
    expect(server.url).toBe(`http://localhost:${server.port}`);
    expect(server.port).toBeGreaterThan(0);
    const response = await fetch(`http://127.0.0.1:${server.port}/hello`, { method: "POST", body: "你好" });
    expect(await response.json()).toEqual({ path: "/hello", body: "你好" });
    await server.stop();
    await server.stop();
    expect(assistant.log).toEqual(["start", "stop"]);
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  });

  it("says where a request comes from, whatever its headers claim", async () => {
    const assistant = assistantThat((_request, env) => Response.json(env));
    const server = await serve(assistant, { port: 0 });
    const headers = { "x-forwarded-for": "8.8.8.8", "cf-connecting-ip": "8.8.8.8" };
    const response = await fetch(`http://127.0.0.1:${server.port}/`, { headers });
    expect(await response.json()).toEqual({ remoteAddress: "127.0.0.1" });
    await server.stop();
  });

  it("streams an answer as it comes", async () => {
    const more = gate();
    const assistant = assistantThat(
      () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new TextEncoder().encode("one\n"));
              await more.opened;
              controller.enqueue(new TextEncoder().encode("two\n"));
              controller.close();
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const server = await serve(assistant, { port: 0 });
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("one\n");
    more.open();
    expect((await reader?.read())?.value).toBe("two\n");
    await server.stop();
  });

  it("answers what is under way before it stops the assistant", async () => {
    const arrived = gate();
    const answer = gate();
    const assistant = assistantThat(async () => {
      arrived.open();
      await answer.opened;
      assistant.log.push("answer");
      return new Response("done");
    });
    const server = await serve(assistant, { port: 0 });
    const response = fetch(`http://127.0.0.1:${server.port}/`);
    await arrived.opened;
    const stopped = server.stop();
    answer.open();
    expect(await (await response).text()).toBe("done");
    await stopped;
    expect(assistant.log).toEqual(["start", "answer", "stop"]);
  });

  it("does not wait longer than graceMs for a stream that nobody ends", async () => {
    const assistant = assistantThat(
      () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("hello")) }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const server = await serve(assistant, { port: 0, graceMs: 100 });
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    const rest = response.text().catch(() => "cut");
    await server.stop();
    expect(assistant.log).toEqual(["start", "stop"]);
    expect(["cut", "hello"]).toContain(await rest);
  });

  it.each([
    { title: "is asked", sent: "" },
    { title: "is asked in whole", sent: "GET / HT" },
  ])("does not wait for a connection on which nothing $title", async ({ sent }) => {
    const server = await serve(
      assistantThat(() => new Response("x")),
      { port: 0, graceMs: 600_000 },
    );
    const socket = await connected(server.port, sent);
    await server.stop();
    socket.destroy();
  });

  it("ends within graceMs when a request that was answered never comes whole", async () => {
    const server = await serve(
      assistantThat(() => new Response("refused", { status: 401 })),
      { port: 0, graceMs: 100 },
    );
    const socket = await connected(server.port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf");
    await once(socket, "data");
    await server.stop();
    socket.destroy();
  });

  it("leaves to turns what no request needs of the time", async () => {
    const graces: (number | undefined)[] = [];
    const assistant = {
      ...assistantThat(() => new Response("x")),
      stop: async ({ graceMs }: { readonly graceMs?: number } = {}) => void graces.push(graceMs),
    };
    await (await serve(assistant, { port: 0, graceMs: 600_000 })).stop();
    expect(graces).toEqual([expect.closeTo(600_000, -5)]);
  });

  it("does not wait for those who follow what happens, who are many", async () => {
    const token = "the-owners-token";
    const assistant = await createAssistant({ model: scriptedModel(() => says("hi")), server: { token } });
    const server = await serve(assistant, { port: 0, graceMs: 600_000 });
    const headers = { authorization: `Bearer ${token}` };
    const followers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/events`, { headers });
        const reader = response.body!.getReader();
        await reader.read();
        return reader;
      }),
    );
    await server.stop();
    for (const reader of followers) for (let next = await reader.read(); !next.done;) next = await reader.read();
  });

  it("stops when its signal aborts", async () => {
    const assistant = assistantThat(() => new Response("x"));
    const stopped = gate();
    const abort = new AbortController();
    await serve({ ...assistant, stop: async () => stopped.open() }, { port: 0, signal: abort.signal });
    abort.abort();
    await stopped.opened;
  });

  it("says what to do when the port is taken, and starts nothing", async () => {
    const first = await serve(
      assistantThat(() => new Response("x")),
      { port: 0 },
    );
    const second = assistantThat(() => new Response("y"));
    const error = await serve(second, { port: first.port }).catch((reason: unknown) => reason);
    expect(AssistantError.is(error, "OPTION_INVALID")).toBe(true);
    expect((error as Error).message).toContain(`Cannot listen on port ${first.port}: another program uses it`);
    expect(second.log).toEqual([]);
    await first.stop();
  });

  it("lets go of the port when the assistant does not start", async () => {
    const broken = {
      ...assistantThat(() => new Response("x")),
      start: () => Promise.reject(new Error("store is locked")),
    };
    const probe = await serve(
      assistantThat(() => new Response("x")),
      { port: 0 },
    );
    await probe.stop();
    await expect(serve(broken, { port: probe.port })).rejects.toThrow("store is locked");
    const again = await serve(
      assistantThat(() => new Response("x")),
      { port: probe.port },
    );
    await again.stop();
  });
});
