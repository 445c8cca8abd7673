import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ADA, OWNER, call, fakeAssistant, routesOf } from "../http/support.ts";
import { THOROUGH, sampled } from "../support/thorough.ts";

/** Ways to write a path that some routers and some checks read differently. */
function spellings(path: string): string[] {
  const rest = path.slice(1);
  const last = path.lastIndexOf("/");
  const [parent, name] = [path.slice(0, last), path.slice(last + 1)];
  return [
    path,
    `${path}/`,
    `//${rest}`,
    `/${path}`,
    path.replaceAll("/", "//"),
    `${parent}//${name}`,
    `${parent}/./${name}`,
    `${parent}/x/../${name}`,
    `${parent}/%2e/${name}`,
    `${parent}/x/%2e%2e/${name}`,
    `${parent}%2f${name}`,
    `${parent}%2F${name}`,
    `${parent}%252f${name}`,
    `${parent}\\${name}`,
    `${parent}%5c${name}`,
    `${path}.`,
    `${path}%2e`,
    `${path};x=y`,
    `${parent};x=y/${name}`,
    `${path}%3b`,
    `${path}%00`,
    `${path}%20`,
    `${path}%09`,
    `${path}%0a`,
    `${path}#x`,
    `${path}?`,
    `${path}?/healthz`,
    path.toUpperCase(),
    `${parent}/${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    `${parent}/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    `${parent}/%25${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
    `${path}%`,
    `${path}%zz`,
    `${path}\u00e9`,
    `/healthz/..${path}`,
    `/healthz/%2e%2e${path}`,
    `/healthz;/..${path}`,
    `/webhooks/memory/..${path}`,
    `/webhooks/memory/%2e%2e/%2e%2e${path}`,
    `/webhooks/%2e%2e${path}`,
    `/page/..${path}`,
  ].filter((spelling) => spelling.startsWith("/"));
}

const METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"];

/** The guarded routes, with a value for each parameter, and whether any of their handlers ran. */
function watched() {
  const reached: string[] = [];
  const touch = (name: string) => async (): Promise<never> => {
    reached.push(name);
    throw new Error(name);
  };
  const parts = {
    send: touch("send"),
    submit: touch("submit"),
    explainContext: touch("explainContext"),
    sessions: {
      list: touch("list"),
      show: touch("show"),
      remove: touch("remove"),
      export: touch("export"),
      summaries: touch("summaries"),
      editSummary: touch("editSummary"),
      settings: touch("settings"),
      configure: touch("configure"),
      conversations: touch("conversations"),
    },
  };
  const fake = fakeAssistant({ parts });
  const text = fake.parts.metrics.text;
  const guarded = routesOf(fake.parts).filter(({ access }) => access !== "public");
  const paths = [...new Set(guarded.map(({ path }) => path.replace(/:[a-z]+/g, "sdk:work")))];
  return { ...fake, reached, paths, text };
}

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

  it("that reaches a handler with the owner's token needs a token, and is the owner's alone where that is said", async () => {
    const { app, paths, reached } = watched();
    let reachable = 0;
    for (const path of sampled(paths, 2)) {
      for (const spelling of spellings(path)) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const body = method === "POST" ? { body: { text: "hi", wait: false } } : {};
          reached.length = 0;
          await app.request(call(spelling, { method, ...body }));
          if (reached.length === 0) continue;
          reachable++;
          const owners = reached.some((name) => ["list", "explainContext"].includes(name));
          reached.length = 0;
          expect((await app.request(call(spelling, { method, token: null, ...body }))).status).toBe(401);
          if (owners) expect((await app.request(call(spelling, { method, token: ADA, ...body }))).status).toBe(403);
          expect(owners ? reached : []).toEqual([]);
        }
      }
    }
    expect(reachable).toBeGreaterThan(THOROUGH ? 20 : 8);
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
