import { describe, expect, it } from "vitest";
import { CLIENT_SCRIPT } from "../../src/http/page/client-script.ts";
import { textsFor } from "../../src/http/page/texts.ts";
import type { SkillRegistry } from "../../src/skills/index.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { OWNER, fakeAssistant } from "./support.ts";

async function page(
  options: { signedIn?: boolean; headers?: Record<string, string>; parts?: Parameters<typeof fakeAssistant>[0] } = {},
) {
  const { app } = fakeAssistant(options.parts);
  const headers = { ...options.headers };
  if (options.signedIn) {
    const login = await app.request(
      new Request("http://localhost:8787/login", { method: "POST", body: new URLSearchParams({ token: OWNER }) }),
    );
    headers["cookie"] = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  }
  const response = await app.request(new Request("http://localhost:8787/", { headers }));
  return { response, html: await response.text() };
}

describe("the page", () => {
  it("asks for a token before it shows anything", async () => {
    const { response, html } = await page();
    expect(response.status).toBe(200);
    expect(html).toContain('<label for="token">Access token</label>');
    expect(html).not.toContain("<script>");
    expect(html).not.toContain('id="log"');
  });

  it("shows the chat to who is signed in, with a line for browsers without JavaScript", async () => {
    const { html } = await page({ signedIn: true });
    expect(html).toContain('id="log" role="log"');
    expect(html).toContain('<label for="text"');
    expect(html).toMatch(/<noscript><p>This page needs JavaScript/);
    expect(html).toContain(CLIENT_SCRIPT);
  });

  it("says how to set a token when the server has none", async () => {
    const { html } = await page({ parts: { parts: { tokens: [] } } });
    expect(html).toContain("WAKEFUL_TOKEN");
    expect(html).not.toContain("<form");
  });

  it.each([
    { language: "zh-CN,zh;q=0.9,en;q=0.8", expected: "zh" },
    { language: "en-GB,en;q=0.9,zh;q=0.1", expected: "en" },
    { language: "de,zh-TW;q=0.3", expected: "zh" },
    { language: "en;q=0.2, ZH-Hans;q=0.7", expected: "zh" },
    { language: "zh;q=0, en", expected: "en" },
    { language: "fr", expected: "en" },
    { language: null, expected: "en" },
  ])("speaks $expected for Accept-Language: $language", async ({ language, expected }) => {
    expect(textsFor(language).language).toBe(expected);
    const { html } = await page({ signedIn: true, headers: language === null ? {} : { "accept-language": language } });
    expect(html).toContain(`<html lang="${expected}">`);
  });

  it("has every text in both languages", () => {
    const english = textsFor("en");
    const chinese = textsFor("zh");
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    expect(Object.keys(chinese.script)).toEqual(Object.keys(english.script));
    const { problems, ...said } = chinese.script;
    for (const [name, text] of Object.entries({ ...said, ...problems }))
      expect([name, text]).toEqual([name, expect.stringMatching(/\p{Script=Han}/u)]);
  });

  it("escapes its name", async () => {
    const { html } = await page({ parts: { parts: { name: '<img src=x onerror="alert(1)">' } } });
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  });

  it("allows exactly its own script and style by their hashes, and loads nothing from elsewhere", async () => {
    const { response, html } = await page({ signedIn: true });
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const [tag, directive] of [
      ["script", "script-src"],
      ["style", "style-src"],
    ] as const) {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? "";
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
      expect(policy).toContain(`${directive} 'sha256-${btoa(String.fromCharCode(...digest))}';`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/<[^>]* (?:on[a-z]+|style)=/);
    expect(response.headers.get("vary")).toBe("accept-language, cookie");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("leads back from a reload after a failed sign-in", async () => {
    const response = await fakeAssistant().app.request("/login");
    expect([response.status, response.headers.get("location")]).toEqual([303, "./"]);
  });

  it("is whole below another app's path", async () => {
    const { Hono } = await import("hono");
    const { app } = fakeAssistant();
    const host = new Hono().route("/assistant", app);
    const form = { method: "POST", body: new URLSearchParams({ token: OWNER }) };
    expect((await host.request("/assistant/login", form)).headers.get("location")).toBe("../assistant");
    expect(
      (await host.request("/assistant/api/v1/sessions", { headers: { authorization: `Bearer ${OWNER}` } })).status,
    ).toBe(200);
    expect((await host.request("/assistant/api/v1/messages")).status).toBe(405);
  });
});

it("offers to install skills only where there is something to install them from", async () => {
  const gone = async (): Promise<never> => {
    throw new Error("There is none");
  };
  const hub: SkillRegistry = { search: async () => [], meta: gone, download: gone };
  for (const registries of [[], [hub]]) {
    const { assistant } = await testAssistant({ server: { token: OWNER_TOKEN }, registries });
    const form = { method: "POST", body: new URLSearchParams({ token: OWNER_TOKEN }) };
    const login = await assistant.fetch(new Request("http://localhost/login", form));
    const headers = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
    const html = await (await assistant.fetch(new Request("http://localhost/", { headers }))).text();
    expect(html).toContain('id="skills-list"');
    expect(html.includes('id="skills-registry"')).toBe(registries.length > 0);
  }
});
