import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { bodyOf, call, fakeAssistant, routesOf } from "./support.ts";

type Json = Record<string, unknown>;
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { content: Record<string, { schema: Json }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
  readonly security: readonly Json[];
}

async function document() {
  const { app, parts } = fakeAssistant();
  const response = await app.request(call("/api/v1/openapi.json"));
  return { text: await response.clone().text(), json: await bodyOf(response), parts };
}

async function operations(): Promise<[path: string, method: string, operation: Operation][]> {
  const paths = (await document()).json["paths"] as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );
}

describe("GET /api/v1/openapi.json", () => {
  it("is an OpenAPI 3.1 document with the members that the standard asks for", async () => {
    const { json } = await document();
    expect(json["openapi"]).toMatch(/^3\.1\.\d+$/);
    expect(json["info"]).toMatchObject({ title: "Wakeful", version: "1.2.3" });
    expect(Object.keys(json)).toEqual(["openapi", "info", "servers", "paths", "components"]);
  });

  it("lists every route and nothing else", async () => {
    const { parts } = await document();
    const routes = routesOf(parts).map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:([a-z]+)/g, "{$1}")}`,
    );
    expect((await operations()).map(([path, method]) => `${method} ${path}`).sort()).toEqual(routes.sort());
  });

  it("is the same document, but for its version, as an assistant's", async () => {
    const server = { token: "owner-token-0123456789", hooks: { token: "hook-token-0123456789" } };
    const assistant = await createAssistant({ model: scriptedModel([]), store: memoryStore(), server });
    const ofAssistant = await bodyOf(await assistant.fetch(call("/api/v1/openapi.json")));
    expect(ofAssistant["paths"]).toEqual((await document()).json["paths"]);
    await assistant.stop();
  });

  it("lists no route that does not answer", async () => {
    const { app } = fakeAssistant();
    for (const [path, method] of await operations()) {
      const request = call(path.replace(/\{[a-z]+\}/g, "x"), {
        method: method.toUpperCase(),
        ...(method === "post" ? { body: {} } : {}),
      });
      const response = await app.request(request);
      const { code, detail = "" } = /[/+]json/.test(response.headers.get("content-type") ?? "")
        ? await bodyOf(response)
        : {};
      expect(code).not.toBe("METHOD_NOT_ALLOWED");
      expect(detail).not.toContain("There is no route");
    }
  });

  it("names each operation once, each path parameter exactly, and a response of each", async () => {
    const all = await operations();
    expect(new Set(all.map(([, , { operationId }]) => operationId)).size).toBe(all.length);
    for (const [path, , operation] of all) {
      const inPath = [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
      expect(Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status))).toBe(true);
      for (const { description } of Object.values(operation.responses)) expect(description).not.toBe("");
      expect(operation.operationId).toMatch(/^[a-zA-Z]+$/);
    }
  });

  it("has no two paths that differ by the names of parameters alone", async () => {
    const shapes = Object.keys((await document()).json["paths"] as Json).map((path) =>
      path.replace(/\{[a-z]+\}/g, "{}"),
    );
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
  });

  it.each([
    { route: "get /api/v1/openapi.json", types: ["application/json"], type: "object" },
    { route: "get /api/v1/workflows/schema", types: ["application/schema+json"], type: "object" },
    { route: "get /api/v1/sessions/{key}/export", types: ["text/markdown", "application/x-ndjson"], type: "string" },
    { route: "get /api/v1/sessions/{key}/artifacts/{id}", types: ["*/*"], type: "string" },
    { route: "post /webhooks/{channel}", types: ["application/json", "text/plain"], type: "object" },
  ])("says what $route answers", async ({ route, types, type }) => {
    const [, , { responses }] = (await operations()).find(([path, method]) => `${method} ${path}` === route)!;
    const content = responses["200"]?.content ?? {};
    expect(Object.keys(content)).toEqual(types);
    expect(content[types[0]!]?.schema["type"]).toBe(type);
  });

  it("says of every problem that it is one, with what it may have besides", async () => {
    const all = (await operations()).flatMap(([, , { responses }]) => Object.entries(responses));
    for (const [, { content = {} }] of all.filter(([status]) => !status.startsWith("2") && status !== "503"))
      expect(Object.keys(content)).toEqual(["application/problem+json"]);
    const { schemas } = (await document()).json["components"] as { schemas: { Problem: { properties: Json } } };
    expect(Object.keys(schemas.Problem.properties)).toEqual(expect.arrayContaining(["errors", "roles", "position"]));
  });

  it("refers only to what it holds", async () => {
    const { text, json } = await document();
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(references.length).toBeGreaterThan(0);
    for (const path of references) {
      const found = path.split("/").reduce<unknown>((at, name) => (at as Json | undefined)?.[name], json);
      expect(found).toBeDefined();
    }
    const schemes = Object.keys((json["components"] as { securitySchemes: Json }).securitySchemes);
    for (const [, , { security }] of await operations()) {
      for (const requirement of security) expect(schemes).toContain(Object.keys(requirement)[0]);
    }
  });

  it("describes bodies and answers by schemas with their fields", async () => {
    const found = new Map((await operations()).map(([path, method, operation]) => [`${method} ${path}`, operation]));
    const messages = found.get("post /api/v1/messages");
    expect(messages?.requestBody?.content["application/json"]?.schema).toMatchObject({
      type: "object",
      required: ["text"],
      additionalProperties: false,
      properties: { text: { type: "string" }, wait: { type: "boolean" } },
    });
    expect(messages?.responses["200"]?.content?.["application/json"]?.schema["required"]).toContain("session_key");
    expect(Object.keys(messages?.responses["200"]?.content ?? {})).toEqual(["application/json", "text/event-stream"]);
    expect(messages?.responses["413"]?.content?.["application/problem+json"]).toBeDefined();
    expect(found.get("get /api/v1/sessions")?.parameters).toMatchObject([
      { name: "after", in: "query", schema: { type: "string" } },
      { name: "limit", in: "query", schema: { type: "string", pattern: "^[0-9]+$" } },
    ]);
    expect(found.get("get /healthz")?.security).toEqual([]);
  });
});

it("no field of a body is refused in words of a library", async () => {
  const { assistant, call: ask } = await testAssistant({
    server: { token: OWNER_TOKEN, rateLimit: { enabled: false } },
  });
  const said = new Set<string>();
  for (const [path, method, { requestBody }] of await operations()) {
    const fields = Object.keys(Object(requestBody?.content["application/json"]?.schema["properties"]) as object);
    for (const field of fields)
      for (const wrong of [7, true, {}, [7], [{}]]) {
        const at = path.replace("/api/v1", "").replace(/\{\w+\}/g, "x");
        const response = await ask(at, { method: method.toUpperCase(), body: { [field]: wrong } });
        if (response.status === 400) said.add(String((await bodyOf(response))["detail"]));
      }
  }
  await assistant.stop();
  expect(said).toContain("task: Expected a text");
  expect([...said].filter((detail) => /Invalid type|received/.test(detail))).toEqual([]);
});
