import { describe, expect, it } from "vitest";
import { type SearchOptions, type SearchProvider, searchProviders, webTools } from "../../src/tools/index.ts";
import { fakeClock } from "../../src/testing/index.ts";
import { callTool, contextOf } from "./call-tool.ts";
import {
  BRAVE_ANSWER,
  DUCKDUCKGO_CHALLENGE,
  DUCKDUCKGO_NOTHING,
  DUCKDUCKGO_PAGE,
  PERPLEXITY_ANSWER,
} from "./search-answers.ts";
import { ENGLISH_PAGE, INDEX_PAGE } from "./web-pages.ts";
import { platform } from "../support/this-platform.ts";

interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Answer = (request: Asked) => Response | Promise<Response>;

/** Tools whose requests are answered by the origin, or by the origin and path, that they go to. */
function toolsOn(answers: Readonly<Record<string, Answer>>, search?: SearchOptions) {
  const asked: Asked[] = [];
  const failures: string[] = [];
  const tools = webTools({
    platform,
    clock: fakeClock(),
    lookup: async (host) => (host.endsWith(".example") ? ["93.184.216.34"] : Promise.reject(new Error("ENOTFOUND"))),
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const request = { url, method: init.method ?? "GET", headers: new Headers(init.headers), body: init.body };
      asked.push(request);
      const answer = answers[url.origin + url.pathname] ?? answers[url.origin];
      if (answer === undefined) throw new TypeError(`Nobody is at ${url.host}`);
      return answer(request);
    },
    ...(search && { search }),
    onSearchFailure: (provider) => failures.push(provider),
  });
  return { tools, asked, failures };
}

const answer =
  (body: BodyInit | null, type?: string, status = 200): Answer =>
  () =>
    new Response(body, { status, ...(type !== undefined && { headers: { "content-type": type } }) });
const json = (value: unknown, status = 200) => answer(JSON.stringify(value), "application/json", status);

describe("web_fetch", () => {
  it("gives a page's text, title and links", async () => {
    const { tools } = toolsOn({ "https://quay.example": answer(ENGLISH_PAGE, "text/html; charset=utf-8") });
    expect(await callTool(tools, "web_fetch", { url: "https://quay.example/story/1" })).toMatchObject({
      url: "https://quay.example/story/1",
      status: 200,
      content_type: "text/html",
      title: "How the harbour bridge was moved — The Quay Gazette",
      text: expect.stringContaining("412 tonnes"),
      links: expect.arrayContaining([{ text: "town archive", url: "https://town.example/plans/bridge" }]),
    });
  });

  it("says where redirects led", async () => {
    const { tools } = toolsOn({
      "https://a.example/": () => new Response(null, { status: 301, headers: { location: "https://b.example/c" } }),
      "https://b.example/c": answer("moved here", "text/plain"),
    });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toEqual({
      url: "https://b.example/c",
      status: 200,
      content_type: "text/plain",
      text: "moved here",
    });
  });

  it.each([
    ["text/plain", "plain words"],
    ["text/markdown", "# words"],
    ["text/csv", "a,b"],
    ["application/json", '{"a":1}'],
    ["application/feed+json", '{"a":1}'],
    ["application/xml", "<a/>"],
    ["application/rss+xml", "<rss/>"],
  ])("gives %s as it is", async (type, body) => {
    const { tools } = toolsOn({ "https://a.example": answer(body, type) });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toMatchObject({
      content_type: type,
      text: body,
    });
  });

  it.each(["image/png", "application/pdf", "application/octet-stream", "video/mp4"])(
    "refuses %s and says so",
    async (type) => {
      const { tools } = toolsOn({ "https://a.example": answer("x", type) });
      expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toEqual({
        refused: "FETCH_FAILED",
        message: expect.stringContaining(type),
      });
    },
  );

  it("reads HTML that names no type, and refuses bytes that are no text", async () => {
    const bytes = (data: Uint8Array<ArrayBuffer>) => () => new Response(data);
    const { tools } = toolsOn({
      "https://html.example": bytes(new TextEncoder().encode("<!doctype html><title>T</title><p>words")),
      "https://zip.example": bytes(new Uint8Array([80, 75, 3, 4, 0, 0, 0])),
    });
    expect(await callTool(tools, "web_fetch", { url: "https://html.example/" })).toMatchObject({
      title: "T",
      text: "words",
    });
    expect(await callTool(tools, "web_fetch", { url: "https://zip.example/" })).toMatchObject({
      refused: "FETCH_FAILED",
    });
  });

  it.each([
    ["the header", "text/html; charset=ISO-8859-1", "<p>gr\xfc\xdfe"],
    ["the page", "text/html", "<meta charset='windows-1252'><p>gr\xfc\xdfe"],
    [
      "an old form in the page",
      "text/html",
      '<meta http-equiv="Content-Type" content="text/html; charset=latin1"><p>gr\xfc\xdfe',
    ],
  ])("decodes as %s says", async (_, type, page) => {
    const bytes = Uint8Array.from(page, (character) => character.codePointAt(0) ?? 0);
    const { tools } = toolsOn({ "https://a.example": answer(bytes, type) });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toMatchObject({ text: "grüße" });
  });

  it("reads a page whose encoding nobody knows as UTF-8", async () => {
    const { tools } = toolsOn({ "https://a.example": answer("grüße", "text/plain; charset=klingon") });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toMatchObject({ text: "grüße" });
  });

  it("shows the page of an error with its status", async () => {
    const { tools } = toolsOn({ "https://a.example": answer("<p>Gone fishing", "text/html", 404) });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toMatchObject({
      status: 404,
      text: "Gone fishing",
    });
  });

  it("cuts a long text, and says how much there is", async () => {
    const { tools } = toolsOn({ "https://a.example": answer("𝒳".repeat(10_000) + "y", "text/plain") });
    const result = (await callTool(tools, "web_fetch", { url: "https://a.example/" })) as {
      text: string;
      note: string;
    };
    expect(result.text).toHaveLength(16_000);
    expect(result.text.isWellFormed()).toBe(true);
    expect(result.note).toContain("20001");
  });

  it("shows at most 50 links, and says how many more there are", async () => {
    const { tools } = toolsOn({ "https://a.example": answer(INDEX_PAGE, "text/html") });
    const result = (await callTool(tools, "web_fetch", { url: "https://a.example/" })) as {
      links: unknown[];
      more_links: number;
    };
    expect([result.links.length, result.more_links]).toEqual([50, 30]);
  });

  it.each([
    "http://127.0.0.1/",
    "http://localhost:8787/",
    "http://[::ffff:7f00:1]/",
    "file:///etc/passwd",
    "http://nowhere.invalid/",
    "words",
  ])("refuses %s with the reason", async (url) => {
    const { tools, asked } = toolsOn({});
    expect(await callTool(tools, "web_fetch", { url })).toMatchObject({ refused: "URL_REFUSED" });
    expect(asked).toEqual([]);
  });

  it("refuses what is too large", async () => {
    const { tools } = toolsOn({ "https://a.example": answer("x".repeat(5 * 1024 * 1024 + 1), "text/plain") });
    expect(await callTool(tools, "web_fetch", { url: "https://a.example/" })).toMatchObject({
      refused: "BODY_TOO_LARGE",
    });
  });

  it("stops when the turn is stopped", async () => {
    const { tools } = toolsOn({ "https://a.example": () => new Promise(() => {}) });
    const controller = new AbortController();
    const call = callTool(tools, "web_fetch", { url: "https://a.example/" }, contextOf({ signal: controller.signal }));
    controller.abort(new Error("stopped"));
    await expect(call).rejects.toThrow("stopped");
  });

  it("uses the reader that it is given", async () => {
    const { web_fetch } = webTools({
      platform,
      clock: fakeClock(),
      lookup: async () => ["93.184.216.34"],
      fetch: async () => new Response("<p>x", { headers: { "content-type": "text/html" } }),
      pageReader: { read: async (html, url) => ({ title: "mine", text: `${url} ${html}`, links: [] }) },
    });
    expect(await callTool({ web_fetch: web_fetch as never }, "web_fetch", { url: "https://a.example/" })).toMatchObject(
      {
        title: "mine",
        text: "https://a.example/ <p>x",
      },
    );
  });

  it("is marked as safe to repeat, and what it gives as written by strangers", () => {
    const { web_fetch } = toolsOn({}).tools;
    expect(web_fetch?.meta).toEqual({ category: "web", idempotent: true, untrusted: true });
  });
});

const PERPLEXITY = "https://api.perplexity.ai";
const BRAVE = "https://api.search.brave.com";
const DUCKDUCKGO = "https://html.duckduckgo.com";
const ALL: SearchOptions = {
  perplexity: { apiKey: "pplx-1" },
  brave: { apiKey: "brave-1" },
  duckduckgo: { enabled: true },
};

describe("web_search", () => {
  it.each([
    [undefined],
    [{}],
    [{ duckduckgo: {} }],
    [{ duckduckgo: { enabled: false } }],
    [{ brave: { apiKey: "k", enabled: false } }],
    [{ perplexity: {} }],
  ])("is not there when no engine is enabled: %j", (search) => {
    expect(Object.keys(toolsOn({}, search).tools)).toEqual(["web_fetch"]);
  });

  it("asks Perplexity as its documentation says", async () => {
    const { tools, asked } = toolsOn({ [PERPLEXITY]: json(PERPLEXITY_ANSWER) }, ALL);
    expect(await callTool(tools, "web_search", { query: "harbour bridge" })).toEqual([
      {
        title: "Moving the harbour bridge",
        url: "https://town.example/bridge",
        snippet: "How 412 tonnes were moved. In one night.",
      },
      { title: "https://quay.example/story/1", url: "https://quay.example/story/1", snippet: "" },
    ]);
    expect(asked).toHaveLength(1);
    expect([asked[0]?.method, asked[0]?.url.href]).toEqual(["POST", `${PERPLEXITY}/search`]);
    expect(asked[0]?.headers.get("authorization")).toBe("Bearer pplx-1");
    expect(JSON.parse(String(asked[0]?.body))).toEqual({ query: "harbour bridge", max_results: 5 });
  });

  it("asks Brave as its documentation says, when Perplexity fails", async () => {
    const { tools, asked, failures } = toolsOn({ [PERPLEXITY]: json({}, 500), [BRAVE]: json(BRAVE_ANSWER) }, ALL);
    expect(await callTool(tools, "web_search", { query: "harbour bridge", limit: 3 })).toEqual([
      {
        title: "The harbour bridge & its move",
        url: "https://town.example/bridge",
        snippet: "The bridge weighs 412 t.",
      },
      { title: "Bridges", url: "https://encyclopedia.example/bridges?page=1", snippet: "" },
    ]);
    const { url, headers } = asked[1] ?? {};
    expect([url?.origin, url?.pathname]).toEqual([BRAVE, "/res/v1/web/search"]);
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({ q: "harbour bridge", count: "3" });
    expect(headers?.get("x-subscription-token")).toBe("brave-1");
    expect(headers?.get("authorization")).toBe(null);
    expect(failures).toEqual(["perplexity"]);
  });

  it("reads DuckDuckGo's page last, without its advertisements", async () => {
    const { tools, asked, failures } = toolsOn({ [DUCKDUCKGO]: answer(DUCKDUCKGO_PAGE, "text/html") }, ALL);
    expect(await callTool(tools, "web_search", { query: "harbour bridge" })).toEqual([
      {
        title: "Moving the harbour bridge",
        url: "https://town.example/bridge?a=1&b=2",
        snippet: "How 412 tonnes of bridge were moved.",
      },
      { title: "Bridges – Encyclopedia", url: "https://encyclopedia.example/bridges", snippet: "" },
    ]);
    expect(asked.at(-1)?.url.href).toBe(`${DUCKDUCKGO}/html/?q=harbour+bridge`);
    expect(failures).toEqual(["perplexity", "brave"]);
  });

  it("takes an empty answer for an answer", async () => {
    const nothing = toolsOn({ [PERPLEXITY]: json({ id: "1", results: [] }) }, ALL);
    expect(await callTool(nothing.tools, "web_search", { query: "x" })).toEqual([]);
    expect(nothing.failures).toEqual([]);
    const { tools } = toolsOn(
      { [DUCKDUCKGO]: answer(DUCKDUCKGO_NOTHING, "text/html") },
      { duckduckgo: { enabled: true } },
    );
    expect(await callTool(tools, "web_search", { query: "x" })).toEqual([]);
  });

  it.each([
    ["a status", json({ error: "no" }, 401), json({}, 429), answer(DUCKDUCKGO_CHALLENGE, "text/html", 202)],
    ["no JSON", answer("<html>", "text/html"), answer("oops", "text/plain"), answer(DUCKDUCKGO_CHALLENGE, "text/html")],
    [
      "no connection",
      () => Promise.reject(new TypeError("down")),
      () => Promise.reject(new TypeError("down")),
      () => Promise.reject(new TypeError("down")),
    ],
  ])("says what every engine said when all fail with %s, without the keys", async (_, first, second, third) => {
    const { tools, failures } = toolsOn({ [PERPLEXITY]: first, [BRAVE]: second, [DUCKDUCKGO]: third }, ALL);
    const result = await callTool(tools, "web_search", { query: "x" });
    expect(result).toMatchObject({
      refused: "SEARCH_FAILED",
      message: expect.stringMatching(/perplexity: .*; brave: .*; duckduckgo: /),
    });
    expect(JSON.stringify(result)).not.toMatch(/pplx-1|brave-1/);
    expect(failures).toEqual(["perplexity", "brave", "duckduckgo"]);
  });

  it("gives each page once, and no more than was asked for", async () => {
    const results = [
      "https://a.example/x",
      "https://www.a.example/x/",
      "http://a.example/x#part",
      "https://b.example/",
      "https://c.example/",
      "javascript:alert(1)",
      "https://d.example/",
    ];
    const mine: SearchProvider = {
      name: "mine",
      search: async () => results.map((url) => ({ title: " A \n title ", url, snippet: "x".repeat(900) })),
    };
    const { tools } = toolsOn({}, { providers: [mine] });
    const hits = (await callTool(tools, "web_search", { query: "x", limit: 2 })) as {
      title: string;
      url: string;
      snippet: string;
    }[];
    expect(hits.map(({ url }) => url)).toEqual(["https://a.example/x", "https://b.example/"]);
    expect(hits[0]).toMatchObject({ title: "A title", snippet: `${"x".repeat(500)}…` });
  });

  it("gives five results unless told otherwise", async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      title: `${index}`,
      url: `https://a.example/${index}`,
      snippet: "",
    }));
    const { tools } = toolsOn({ [PERPLEXITY]: json({ results: many }) }, ALL);
    expect(await callTool(tools, "web_search", { query: "x" })).toHaveLength(5);
    expect(await callTool(tools, "web_search", { query: "x", limit: 9 })).toHaveLength(9);
  });

  it.each([
    { query: "" },
    { query: "   " },
    { query: "x", limit: 0 },
    { query: "x", limit: 21 },
    { query: "x", limit: 1.5 },
  ])("refuses %j", async (input) => {
    expect(await callTool(toolsOn({}, ALL).tools, "web_search", input)).toMatchObject({ refused: "BAD_INPUT" });
  });

  it("sends a key nowhere else, also not where a redirect leads", async () => {
    const { tools, asked } = toolsOn(
      {
        [BRAVE]: () => new Response(null, { status: 302, headers: { location: "https://other.example/" } }),
        "https://other.example": json(BRAVE_ANSWER),
      },
      { brave: { apiKey: "brave-1" } },
    );
    await callTool(tools, "web_search", { query: "x" });
    expect(asked).toHaveLength(2);
    expect(JSON.stringify([...(asked[1]?.headers ?? [])])).not.toContain("brave-1");
  });

  it("may ask an engine at an address of the configuration, on this machine too", async () => {
    const { tools, asked } = toolsOn(
      { "http://127.0.0.1:9999": json(BRAVE_ANSWER) },
      { brave: { apiKey: "k", baseUrl: "http://127.0.0.1:9999/" } },
    );
    expect(await callTool(tools, "web_search", { query: "x" })).toHaveLength(2);
    expect(asked[0]?.url.href).toBe("http://127.0.0.1:9999/res/v1/web/search?q=x&count=5");
    expect(await callTool(tools, "web_fetch", { url: "http://127.0.0.1:9999/" })).toMatchObject({
      refused: "URL_REFUSED",
    });
  });

  it("stops at once when the turn is stopped, and asks nobody else", async () => {
    const controller = new AbortController();
    const { tools, asked } = toolsOn(
      {
        [PERPLEXITY]: () => {
          controller.abort(new Error("stopped"));
          return Promise.reject(new TypeError("aborted"));
        },
      },
      ALL,
    );
    await expect(
      callTool(tools, "web_search", { query: "x" }, contextOf({ signal: controller.signal })),
    ).rejects.toThrow("stopped");
    expect(asked).toHaveLength(1);
  });
});

describe("searchProviders()", () => {
  it("asks in the order Perplexity, Brave, DuckDuckGo, then the host's own", () => {
    const own: SearchProvider = { name: "own", search: async () => [] };
    expect(searchProviders({ providers: [own], ...ALL }).map(({ name }) => name)).toEqual([
      "perplexity",
      "brave",
      "duckduckgo",
      "own",
    ]);
  });

  it("refuses an engine that is enabled without its key", () => {
    expect(() => searchProviders({ brave: { enabled: true } })).toThrow("search.brave");
  });
});
