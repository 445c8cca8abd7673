import { describe, expect, it } from "vitest";
import {
  type AssistantOptions,
  type Extra,
  apiExtra,
  createAssistant,
  createLeanAssistant,
  embeddedEngine,
  memoryStore,
  systemClock,
  webExtra,
  workspaceExtra,
} from "../mod.ts";
import { says, scriptedModel } from "../src/testing/scripted-model.ts";

const token = "owner";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

function lean(extras?: readonly Extra[], options: Partial<AssistantOptions> = {}) {
  const store = memoryStore();
  const engine = embeddedEngine({ store, clock: systemClock() });
  return createLeanAssistant(
    { model: scriptedModel(() => says("hi")), server: { token }, ...options, store, engine },
    extras,
  );
}

const namesOf = (assistant: Awaited<ReturnType<typeof lean>>) => assistant.tools.list().map(({ name }) => name);

describe("createLeanAssistant()", () => {
  it("talks, over HTTP too, without any extra", async () => {
    const assistant = await lean();
    const body = JSON.stringify({ text: "hello" });
    const answer = await assistant.fetch(
      new Request("http://localhost/api/v1/messages", { method: "POST", headers, body }),
    );
    expect([answer.status, await answer.json()]).toMatchObject([200, { text: "hi" }]);
    expect(namesOf(assistant)).toContain("memory_recall");
    await assistant.stop();
  });

  it.each(["/", "/login", "/api/v1/sessions", "/api/v1/openapi.json", "/api/v1/approvals/abc", "/mcp"])(
    "says of %s which extra has it",
    async (path) => {
      const assistant = await lean();
      const answer = await assistant.fetch(new Request(`http://localhost${path}`, { headers }));
      expect([answer.status, await answer.json()]).toMatchObject([
        501,
        { code: "NOT_INSTALLED", detail: expect.stringContaining("apiExtra") },
      ]);
      expect((await assistant.fetch(new Request("http://localhost/elsewhere"))).status).toBe(404);
      await assistant.stop();
    },
  );

  it("exports sessions with apiExtra only", async () => {
    const [without, with_] = await Promise.all([lean(), lean([apiExtra])]);
    const keys = await Promise.all([without, with_].map(async (one) => (await one.send({ text: "hello" })).sessionKey));
    await expect(without.sessions.export(keys[0]!)).rejects.toThrow("apiExtra");
    expect(await with_.sessions.export(keys[1]!)).not.toBeNull();
    await Promise.all([without.stop(), with_.stop()]);
  });

  it.each([
    ["workspaceExtra", workspaceExtra, "file_read"],
    ["webExtra", webExtra, "web_fetch"],
  ])("has the tools of %s when it is given", async (_name, extra, tool) => {
    const without = await lean();
    const with_ = await lean([extra]);
    expect([namesOf(without).includes(tool), namesOf(with_).includes(tool)]).toEqual([false, true]);
    await Promise.all([without.stop(), with_.stop()]);
  });

  it("has all that createAssistant has when every extra is given", async () => {
    const whole = await createAssistant({ model: scriptedModel(() => says("hi")), server: { token } });
    const given = await lean([workspaceExtra, webExtra, apiExtra]);
    const pathsOf = (assistant: typeof whole) => assistant.app.routes.map(({ method, path }) => `${method} ${path}`);
    expect(namesOf(given)).toEqual(namesOf(whole));
    expect(pathsOf(given)).toEqual(pathsOf(whole));
    await Promise.all([whole.stop(), given.stop()]);
  });

  it("asks for a store and an engine, which nothing stands in for, and for options", async () => {
    const store = memoryStore();
    const engine = embeddedEngine({ store, clock: systemClock() });
    const model = scriptedModel(() => says("hi"));
    const refused = (message: string) => ({
      code: "OPTION_INVALID",
      message: expect.stringContaining(message) as unknown,
    });
    await expect(createLeanAssistant({ model, store } as never)).rejects.toMatchObject(refused("option engine"));
    await expect(createLeanAssistant({ model, engine } as never)).rejects.toMatchObject(refused("option store"));
    await expect(createLeanAssistant(undefined as never)).rejects.toMatchObject(refused("expected a group of options"));
  });

  it.each([
    ["workspace", "workspaceExtra", { agent: { workspace: {} as never } }],
    ["search", "webExtra", { search: {} }],
    ["pageReader", "webExtra", { pageReader: { read: async () => ({ title: "", text: "", links: [] }) } }],
    ["modelInfo", "textExtra", { modelInfo: { "scripted/scripted": { protocol: "text" as const } } }],
    ["server.page", "apiExtra", { server: { token, page: {} as never } }],
  ])("refuses the option %s without %s", async (option, extra, options) => {
    await expect(lean([], options)).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringMatching(`${option}: .* the extra ${extra}`),
    });
  });
});
