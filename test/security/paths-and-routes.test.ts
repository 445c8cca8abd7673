import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { OWNER, call, fakeAssistant } from "../http/support.ts";
import { sampled } from "../support/thorough.ts";
import { spellings, watched } from "./support/guarded-paths.ts";

const METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"];

describe("a path", () => {
  it("is tried of seven guarded routes and more", () => {
    expect(watched().paths.length).toBeGreaterThanOrEqual(7);
  });

  // What runtimes may read differently is how it is written, not which route it is of.
  const tried = sampled(watched().paths, 8);
  it.each(tried)("reaches no guarded handler without a token, however it is written: %s", async (path) => {
    const { app, reached } = watched();
    const host = new Hono().route("/assistant", app).mount("/mounted", app.fetch);
    for (const spelling of spellings(path)) {
      for (const method of METHODS) {
        const body = method === "POST" || method === "PUT" ? { body: '{"text":"hi"}' } : {};
        const ask = (to: { request: Hono["request"] }, prefix: string) =>
          to.request(`http://localhost${prefix}${spelling}`, { method, ...body });
        for (const response of [await ask(app, ""), await ask(host, "/assistant"), await ask(host, "/mounted")]) {
          const answer = `${method} ${spelling}: ${response.status}`;
          if (response.status < 400) expect(await response.text(), answer).toMatch(/^$|^ok\n$|<!doctype html>/i);
        }
      }
    }
    expect(reached).toEqual([]);
  });

  it.each([
    "/../package.json",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/%252e%252e%252fetc%252fpasswd",
    "/page/client.ts",
    "/src/http/app.ts",
    "/.env",
    "/.git/config",
    "/wakeful.yaml",
    "/index.html",
    "/static/../../mod.ts",
    "/..\\..\\mod.ts",
    "/%5c..%5cmod.ts",
    "/C:/windows/win.ini",
    "/file:///etc/passwd",
  ])("serves no file: %s", async (path) => {
    const { app } = fakeAssistant();
    for (const token of [null, OWNER]) expect((await app.request(call(path, { token }))).status).toBe(404);
  });

  it("with an encoded slash is one parameter, decoded once", async () => {
    const shown: string[] = [];
    const show = async (key: string) => (shown.push(key), null);
    const { sessions } = fakeAssistant().parts;
    const { app } = fakeAssistant({ parts: { sessions: { ...sessions, show } } });
    for (const key of ["a%2Fb", "a%252Fb", "..%2F..%2Fx", "%2e%2e%2fx"])
      await app.request(call(`/api/v1/sessions/${key}`));
    expect(shown).toEqual(["a/b", "a%2Fb", "../../x", "../x"]);
  });

  it("to another channel's or account's webhook is decided by whole names", async () => {
    const { app } = fakeAssistant();
    for (const path of [
      "/webhooks/__proto__",
      "/webhooks/constructor/default",
      "/webhooks/%2e%2e%2fhealthz",
      "/webhooks//",
    ])
      expect((await app.request(path, { method: "POST" })).status).toBe(404);
  });
});

describe("a method", () => {
  it("cannot be replaced by a header, a query or a form", async () => {
    const { app, transcripts } = fakeAssistant();
    transcripts.set("agent:main:x", []);
    const headers = { "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
    const path = "/api/v1/sessions/agent:main:x?_method=DELETE";
    await app.request(call(path, { headers }));
    await app.request(call(path, { headers, body: "_method=DELETE" }));
    expect([...transcripts.keys()]).toEqual(["agent:main:x"]);
  });
});
