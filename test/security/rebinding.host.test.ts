import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hono } from "hono";
import type { RunningServer, Servable } from "../../adapters/runtimes/node/index.ts";
import { OWNER, wholeAssistant } from "./support.ts";

const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
const adapters = {
  node: () => import("../../adapters/runtimes/node/index.ts"),
  bun: () => import("../../adapters/runtimes/bun/index.ts"),
  deno: () => import("../../adapters/runtimes/deno/index.ts"),
};

const servers: RunningServer[] = [];
async function served(assistant: Servable): Promise<RunningServer> {
  const server = await (await adapters[runtime]()).serve(assistant, { port: 0, hostname: "127.0.0.1", graceMs: 200 });
  servers.push(server);
  return server;
}
let server: RunningServer;
let whole: Awaited<ReturnType<typeof wholeAssistant>>;

beforeAll(async () => {
  whole = await wholeAssistant();
  server = await served(whole.assistant);
});
afterAll(() => Promise.all(servers.map((one) => one.stop())));

/** Sends a request as it is written, and reads the answer to its end: `fetch` would choose the Host header itself. */
function exchange(head: readonly string[], body = "", port = server.port): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("error", reject);
    socket.on("data", (data) => (text += data.toString("utf8")));
    socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text }));
    const length = body === "" ? [] : [`content-length: ${body.length}`];
    socket.on("connect", () =>
      socket.write(`${[...head, ...length, "connection: close"].join("\r\n")}\r\n\r\n${body}`),
    );
  });
}

const same = ["sec-fetch-site: same-origin"];
const json = "content-type: application/json";
const form = "content-type: application/x-www-form-urlencoded";

async function signIn(host: string): Promise<{ status: number; cookie: string }> {
  const answer = await exchange(["POST /login HTTP/1.1", `host: ${host}`, ...same, form], `token=${OWNER}`);
  return { status: answer.status, cookie: /set-cookie: (wakeful_session=[^;]*)/i.exec(answer.text)?.[1] ?? "" };
}

describe(`a name that a stranger points at a server on ${runtime}`, () => {
  const evil = "host: evil.example";

  it("opens neither the page nor the sign-in", async () => {
    const page = await exchange(["GET / HTTP/1.1", evil]);
    expect(page.status).toBe(421);
    expect(page.text).toContain("server.public_url");
    expect(await signIn("evil.example")).toEqual({ status: 421, cookie: "" });
    expect((await exchange(["GET / HTTP/1.1", `host: localhost:${server.port}`])).status).toBe(200);
    expect((await exchange(["GET / HTTP/1.1", `host: 127.0.0.1:${server.port}`])).status).toBe(200);
  });

  it("gets nothing for a cookie, streamed or not, and sends nothing to a model", async () => {
    const { status, cookie } = await signIn(`localhost:${server.port}`);
    expect([status, cookie]).toEqual([303, expect.stringMatching(/^wakeful_session=./)]);
    const before = whole.model.requests.length;
    const chat = JSON.stringify({
      id: "c",
      messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }],
    });
    const own = [evil, `cookie: ${cookie}`, ...same];
    const statuses = [
      (await exchange(["GET /api/v1/sessions HTTP/1.1", ...own])).status,
      (await exchange(["POST /api/v1/messages HTTP/1.1", ...own, json], '{"text":"hi"}')).status,
      (await exchange(["POST /api/v1/messages HTTP/1.1", ...own, json, "accept: text/event-stream"], '{"text":"hi"}'))
        .status,
      (await exchange(["POST /api/v1/chat HTTP/1.1", ...own, json], chat)).status,
    ];
    expect(statuses).toEqual([421, 421, 421, 421]);
    expect(whole.model.requests.length).toBe(before);
    const here = [`host: localhost:${server.port}`, `cookie: ${cookie}`, ...same];
    expect((await exchange(["GET /api/v1/sessions HTTP/1.1", ...here])).status).toBe(200);
  });

  it.each([
    ["a target that names a host of its own", ["GET http://localhost/ HTTP/1.1", evil]],
    ["a target that names the stranger's", ["GET http://evil.example/ HTTP/1.1", "host: localhost"]],
    ["two Host headers", ["GET / HTTP/1.1", "host: localhost", evil]],
    ["two Host headers, the other way", ["GET / HTTP/1.1", evil, "host: localhost"]],
    ["a list of hosts", ["GET / HTTP/1.1", "host: localhost, evil.example"]],
    ["a user name in front", ["GET / HTTP/1.1", "host: localhost@evil.example"]],
    ["an empty Host header", ["GET / HTTP/1.1", "host: "]],
    ["a path in the Host header", ["GET / HTTP/1.1", "host: evil.example/x"]],
    ["an unfinished address", ["GET / HTTP/1.1", "host: [::1"]],
    ["no Host header", ["GET / HTTP/1.1"]],
    ["loopback's name in front", ["GET / HTTP/1.1", "host: localhost.evil.example"]],
  ])("does not get past by %s", async (_title, head) => {
    const { status, text } = await exchange(head);
    // Of two Host headers a runtime may hand on one: then it has to be this server's own.
    const isOwn = head.some((line) => /^host: localhost$/.test(line)) || !head.some((line) => line.startsWith("host:"));
    if (status === 200) expect([isOwn, text.includes("evil.example")]).toEqual([true, false]);
    else expect([400, 404, 421]).toContain(status);
    expect(text).not.toContain("set-cookie");
  });

  it("takes a bearer token, a webhook and a probe under any name", async () => {
    const bearer = `authorization: Bearer ${OWNER}`;
    expect((await exchange(["GET /api/v1/sessions HTTP/1.1", evil, bearer])).status).toBe(200);
    expect((await exchange(["GET /healthz HTTP/1.1", evil])).status).toBe(200);
    expect((await exchange(["POST /webhooks/webhook HTTP/1.1", evil], "{}")).status).toBe(401);
  });
});

describe(`the names of a server on ${runtime}`, () => {
  it("are those of server.hosts and server.publicUrl", async () => {
    const { assistant } = await wholeAssistant({
      server: { token: OWNER, publicUrl: "https://bot.example.com/below", hosts: ["Lan-Box"] },
    });
    const own = await served(assistant);
    const at = async (host: string) => (await exchange(["GET / HTTP/1.1", `host: ${host}`], "", own.port)).status;
    expect([await at("bot.example.com"), await at("lan-box:80"), await at("example.com")]).toEqual([200, 200, 421]);
  });

  it("are the host program's own where it mounts the assistant", async () => {
    const { assistant } = await wholeAssistant({});
    const host = new Hono().route("/assistant", assistant.app);
    const request = new Request("http://evil.example/assistant");
    expect((await host.fetch(request)).status).toBe(200);
    expect((await assistant.fetch(new Request("http://evil.example/"), { remoteAddress: "127.0.0.1" })).status).toBe(
      200,
    );
    await assistant.stop();
  });
});
