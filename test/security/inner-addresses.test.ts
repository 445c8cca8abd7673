import { describe, expect, it } from "vitest";
import { brave } from "../../kit.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { wholeAssistant } from "./support.ts";

const INNER = "10.11.12.13";

/** A network in which `inside.example` leads to an inner address, and `page.example` redirects there. */
async function world(tool: string, input: object) {
  const model = scriptedModel(({ length }) => (length <= 2 ? calls([tool, input]) : says("done")), { record: true });
  const whole = await wholeAssistant({
    model,
    lookup: async (host) => (host.startsWith("inside") ? [INNER] : ["93.184.216.34"]),
    fetch: async (url) => {
      const { hostname } = new URL(url instanceof Request ? url.url : url);
      if (hostname !== "page.example") throw new TypeError("fetch failed", { cause: new Error(`refused ${INNER}:80`) });
      return new Response(null, { status: 302, headers: { location: `http://${INNER}/admin` } });
    },
    search: { providers: [brave({ apiKey: "brave-key-0123", baseUrl: `http://${INNER}` })] },
  });
  return { ...whole, model };
}

async function everythingOf({ store, lines, model }: Awaited<ReturnType<typeof world>>): Promise<string> {
  const kept: unknown[] = [];
  for await (const { key } of store.list("")) {
    try {
      kept.push((await store.get(key))?.value);
    } catch {
      for await (const { record } of store.read(key)) kept.push(record);
    }
  }
  return JSON.stringify([kept, lines, model.requests.map(({ prompt }) => prompt)]);
}

describe("an address inside of the network", () => {
  it.each([
    { title: "the name that was asked for leads to", tool: "web_fetch", input: { url: "http://inside.example/x" } },
    { title: "a redirect leads to", tool: "web_fetch", input: { url: "http://page.example/x" } },
    { title: "a connection was refused at", tool: "web_fetch", input: { url: "http://other.example/x" } },
  ])("that $title is not in the prompt, the reply, the journal, the audit or the log", async (one) => {
    const t = await world(one.tool, one.input);
    const replies = [
      await t.assistant.send({ text: "go", user: "telegram:42" }),
      await t.assistant.tools.run(one.tool, one.input),
    ];
    await t.assistant.stop();
    const all = JSON.stringify(replies) + (await everythingOf(t));
    expect(all).toMatch(/URL_REFUSED|FETCH_FAILED|SEARCH_FAILED/);
    expect(all).not.toContain(INNER);
    expect(all).toContain(new URL(one.input.url).hostname);
  });

  it("that a search engine of the configuration stands at is in the owner's log alone", async () => {
    const t = await world("web_search", { query: "tea" });
    const reply = await t.assistant.send({ text: "go", user: "telegram:42" });
    await t.assistant.stop();
    const all = JSON.stringify(reply) + (await everythingOf({ ...t, lines: [] }));
    expect(all).toContain("SEARCH_FAILED");
    expect(all).not.toContain(INNER);
    expect(t.lines.join()).toContain(`Cannot fetch http://${INNER}/`);
  });
});
