import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningServer } from "../../adapters/runtimes/node/index.ts";
import { OWNER, wholeAssistant } from "./support.ts";

const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
const adapters = {
  node: () => import("../../adapters/runtimes/node/index.ts"),
  bun: () => import("../../adapters/runtimes/bun/index.ts"),
  deno: () => import("../../adapters/runtimes/deno/index.ts"),
};

let server: RunningServer;
let whole: Awaited<ReturnType<typeof wholeAssistant>>;

beforeAll(async () => {
  whole = await wholeAssistant();
  server = await (await adapters[runtime]()).serve(whole.assistant, { port: 0, hostname: "127.0.0.1", graceMs: 200 });
});
afterAll(() => server.stop());

interface Exchange {
  readonly status: number;
  /** Bytes that the server took before it answered or stopped taking them. */
  readonly sent: number;
}

/** Writes a request's head and then `body` as long as the server takes it, up to `mostBytes`; ends at the answer. */
function exchange(
  head: readonly string[],
  body: (write: (bytes: string) => void) => void = () => {},
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    let sent = 0;
    let text = "";
    const timer = setTimeout(() => done(), 5000);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status === undefined) reject(new Error(`No answer after ${sent} bytes`));
      else resolve({ status: Number(status), sent });
    };
    socket.on("error", () => {});
    socket.on("close", done);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      if (/^HTTP\/1\.1 \d{3}/.test(text)) done();
    });
    socket.on("connect", () => {
      socket.write(`${head.join("\r\n")}\r\nhost: localhost:${server.port}\r\n\r\n`);
      body((bytes) => {
        if (socket.destroyed) return;
        sent += bytes.length;
        socket.write(bytes);
      });
    });
  });
}

const bearer = `authorization: Bearer ${OWNER}`;
const chunked = "transfer-encoding: chunked";
const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`;

function chunks(count: number) {
  return (write: (bytes: string) => void) => {
    for (let n = 0; n < count; n++) write(chunk);
  };
}

describe(`a server on ${runtime}`, () => {
  it("answers 401 to a body without end before it has ended", async () => {
    const { status } = await exchange(["POST /api/v1/messages HTTP/1.1", chunked], chunks(4));
    expect(status).toBe(401);
  });

  it("answers 413 to more than 1 MiB in chunks, of a known caller too", async () => {
    const { status } = await exchange(["POST /api/v1/messages HTTP/1.1", bearer, chunked], chunks(18));
    expect(status).toBe(413);
  });

  it("answers 413 to a declared length over the limit before any of it came", async () => {
    const declared = "content-length: 1048577";
    expect(await exchange(["POST /api/v1/messages HTTP/1.1", declared])).toEqual({ status: 413, sent: 0 });
    expect(await exchange(["POST /webhooks/webhook HTTP/1.1", declared])).toEqual({ status: 413, sent: 0 });
  });

  it("does not read a webhook's body without its headers", async () => {
    const { status } = await exchange(["POST /webhooks/webhook HTTP/1.1", chunked], chunks(2));
    expect(status).toBe(401);
  });

  it("does not take a length and chunks at once for two requests", async () => {
    const head = ["POST /api/v1/messages HTTP/1.1", "content-length: 4", chunked];
    const smuggled = `0\r\n\r\nGET /api/v1/sessions HTTP/1.1\r\n${bearer}\r\nhost: localhost\r\n\r\n`;
    const { status } = await exchange(head, (write) => write(smuggled));
    expect([400, 401]).toContain(status);
  });

  it("inflates nothing", async () => {
    const head = ["POST /api/v1/messages HTTP/1.1", bearer, "content-encoding: gzip", "content-length: 2"];
    expect((await exchange(head, (write) => write("{}"))).status).toBe(415);
  });

  it.each([
    "/api/v1/sessions",
    "//api/v1/sessions",
    "/api/v1/../v1/sessions",
    "/healthz/../api/v1/sessions",
    "/healthz/%2e%2e/api/v1/sessions",
    "/api/v1/./sessions",
    "/api/v1/sessions;a=b",
    "/api/v1/sessions/",
    "/api/v1\\sessions",
    "/api/v1%2fsessions",
    "http://localhost/api/v1/sessions",
    "http://127.0.0.1:1/healthz/../api/v1/sessions",
    "/api/v1/sessions?x=/healthz",
  ])("lets nobody without a token through the raw path %s", async (path) => {
    const { status } = await exchange([`GET ${path} HTTP/1.1`, "connection: close"]);
    expect([400, 401, 404, 421]).toContain(status);
  });

  it("lets no header choose where a request comes from", async () => {
    const guess = (n: number) =>
      exchange([
        "GET /api/v1/openapi.json HTTP/1.1",
        `authorization: Bearer guess-${n}`,
        `x-forwarded-for: 198.51.100.${n}`,
        `cf-connecting-ip: 198.51.100.${n}`,
        `x-real-ip: 198.51.100.${n}`,
        "connection: close",
      ]);
    const statuses = [];
    for (let n = 0; n < 22; n++) statuses.push((await guess(n)).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});
