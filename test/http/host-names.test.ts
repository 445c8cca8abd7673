import { describe, expect, it } from "vitest";
import { SERVED } from "../../kit.ts";
import { isKnownHost } from "../../src/http/host-names.ts";
import { OWNER, bodyOf, fakeAssistant } from "./support.ts";

describe("isKnownHost()", () => {
  const names = ["Bot.Example.com", "bücher.example", "lan-box"];

  it.each([
    "bot.example.com",
    "bot.example.com:8787",
    "BOT.example.COM",
    "bot.example.com.",
    "bot.example.com.:443",
    "xn--bcher-kva.example",
    "lan-box:80",
    "localhost",
    "LOCALHOST:8787",
    "localhost.",
    "app.localhost",
    "a.b.localhost:3000",
    "127.0.0.1",
    "127.0.0.1:8787",
    "127.255.0.9",
    "127.0.0.1.",
    "192.168.1.20:8787",
    "203.0.113.9",
    "[::1]",
    "[::1]:8787",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[2001:DB8::1]:443",
  ])("knows %s", (host) => {
    expect(isKnownHost(host, names)).toBe(true);
  });

  it.each([
    "evil.example",
    "evil.example:8787",
    "bot.example.com.evil.example",
    "evilbot.example.com",
    "sub.bot.example.com",
    "example.com",
    "bot.example.com..",
    "localhost.evil.example",
    "notlocalhost",
    "localhostx",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io",
    "1.2.3.4.5",
    "[::1].evil.example",
    "[::1",
    "::1",
    "evil.example, localhost",
    "localhost, evil.example",
    "localhost evil.example",
    "localhost/evil.example",
    "evil.example#localhost",
    "evil.example?localhost",
    "localhost@evil.example",
    "localhost:80@evil.example",
    "evil.example\\.localhost",
    "localhost:80:80",
    "localhost:port",
    ".",
    "",
    " ",
  ])("does not know %j", (host) => {
    expect(isKnownHost(host, names)).toBe(false);
  });

  it("knows no name but loopback and addresses without any", () => {
    expect(["localhost", "10.0.0.1", "bot.example.com"].map((host) => isKnownHost(host, []))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

const ORIGIN = "http://evil.example:8787";
const served = { remoteAddress: "203.0.113.9", [SERVED]: "127.0.0.1" };

async function setUp(parts: Parameters<typeof fakeAssistant>[0] = {}) {
  const made = fakeAssistant(parts);
  const form = {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token: OWNER }),
  };
  const signedIn = await made.app.request("http://localhost:8787/login", form, served);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const ask = (path: string, init: RequestInit = {}, env: unknown = served, origin = ORIGIN) =>
    Promise.resolve(made.app.request(new Request(origin + path, init), undefined, env));
  return { ...made, cookie, ask };
}

describe("a server of its own", () => {
  it("refuses the page, the sign-in and whatever the cookie asks for under a name that it was not told", async () => {
    const { ask, cookie, inputs } = await setUp();
    const own = { cookie, "sec-fetch-site": "same-origin", origin: ORIGIN };
    const json = { ...own, "content-type": "application/json" };
    const message = { role: "user", parts: [{ type: "text", text: "hi" }], id: "m" };
    const all = [
      await ask("/"),
      await ask("/", { headers: own }),
      await ask("/", { headers: { authorization: `Bearer ${OWNER}` } }),
      await ask("/login", { method: "POST", headers: own, body: new URLSearchParams({ token: OWNER }) }),
      await ask("/logout", { method: "POST", headers: own }),
      await ask("/api/v1/sessions", { headers: own }),
      await ask("/api/v1/messages", { method: "POST", headers: json, body: '{"text":"hi"}' }),
      await ask("/api/v1/chat", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ id: "c", messages: [message] }),
      }),
      await ask("/api/v1/sessions", { headers: { ...own, authorization: "Basic x" } }),
      await ask("/metrics", { headers: own }),
    ];
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 421));
    const [page, , , signIn] = all;
    expect(signIn?.headers.get("set-cookie")).toBeNull();
    expect(page?.headers.get("content-type")).toContain("problem+json");
    expect(await bodyOf(page as Response)).toMatchObject({
      code: "MISDIRECTED",
      detail: expect.stringMatching(/"evil\.example:8787".*server\.hosts.*server\.public_url/),
    });
    expect(inputs).toEqual([]);
  });

  it("answers bearer calls, webhooks and probes under any name", async () => {
    const { ask } = await setUp();
    const bearer = { authorization: `Bearer ${OWNER}` };
    expect((await ask("/api/v1/sessions", { headers: bearer })).status).toBe(200);
    expect((await ask("/metrics", { headers: bearer })).status).toBe(200);
    expect((await ask("/healthz")).status).toBe(200);
    expect((await ask("/readyz")).status).toBe(200);
    expect((await ask("/webhooks/telegram", { method: "POST" })).status).toBe(404);
    expect((await ask("/api/v1/sessions", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  });

  it.each([
    { title: "loopback", origin: "http://localhost:8787", parts: {} },
    { title: "an address", origin: "http://192.168.1.20:8787", parts: {} },
    { title: "an IPv6 address", origin: "http://[fd00::1]:8787", parts: {} },
    { title: "one of its hosts", origin: "http://bot.example:8787", parts: { hosts: ["bot.example"] } },
    { title: "its public URL", origin: "https://bot.example", parts: { publicUrl: "https://Bot.example:8443/below" } },
  ])("answers the page and the cookie under $title", async ({ origin, parts }) => {
    const { ask, cookie } = await setUp({ parts });
    expect((await ask("/", {}, served, origin)).status).toBe(200);
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    expect((await ask("/api/v1/sessions", { headers }, served, origin)).status).toBe(200);
  });

  it("answers under the name that it listens on", async () => {
    const { ask } = await setUp();
    const env = { remoteAddress: "203.0.113.9", [SERVED]: "lan-box" };
    expect((await ask("/", {}, env, "http://lan-box:8787")).status).toBe(200);
  });

  it("looks at the Host header too, when the request's first line names another host", async () => {
    const { ask } = await setUp();
    const at = async (host: string) => (await ask("/", { headers: { host } }, served, "http://localhost:8787")).status;
    expect([await at("localhost:8787"), await at("evil.example")]).toEqual([200, 421]);
  });

  it("looks at X-Forwarded-Host of a trusted proxy, and of nobody else", async () => {
    const { ask } = await setUp({ parts: { trustedProxies: ["10.0.0.0/8"], hosts: ["bot.example"] } });
    const from = async (remoteAddress: string, forwarded: string) => {
      const headers = { "x-forwarded-host": forwarded };
      return (await ask("/", { headers }, { remoteAddress, [SERVED]: "0.0.0.0" }, "http://127.0.0.1:8787")).status;
    };
    expect(await from("10.0.0.1", "bot.example")).toBe(200);
    expect(await from("10.0.0.1", "evil.example")).toBe(421);
    expect(await from("10.0.0.1", "bot.example, evil.example")).toBe(421);
    expect(await from("203.0.113.9", "evil.example")).toBe(200);
    // A proxy that says the right name does not make up for a Host that a stranger chose.
    const headers = { "x-forwarded-host": "bot.example" };
    expect((await ask("/", { headers }, { remoteAddress: "10.0.0.1", [SERVED]: "0.0.0.0" })).status).toBe(421);
  });

  it("shortens and escapes the name in its refusal", async () => {
    const { ask } = await setUp();
    const host = `${"x".repeat(60)}.${"y".repeat(60)}.example`;
    const text = await (await ask("/", {}, served, `http://${host}`)).text();
    expect(text).not.toContain(host);
    expect(JSON.parse(text)).toMatchObject({ detail: expect.stringContaining(`${host.slice(0, 100)}…`) });
  });
});

describe("an assistant that a host program mounts, or a Worker has", () => {
  it.each([{}, { remoteAddress: "203.0.113.9" }, "served", null])(
    "answers under any name, with env %j",
    async (env) => {
      const { ask, cookie } = await setUp({ parts: { publicUrl: "https://bot.example" } });
      const headers = { cookie, "sec-fetch-site": "same-origin" };
      expect((await ask("/", {}, env)).status).toBe(200);
      expect((await ask("/api/v1/sessions", { headers }, env)).status).toBe(200);
    },
  );
});
