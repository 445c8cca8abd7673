import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import * as noGateway from "../../adapters/models/no-gateway/index.ts";

describe("wakeful/models/no-gateway", () => {
  it("has every name that the AI SDK imports from the gateway", async () => {
    const folder = new URL("../../node_modules/ai/dist/", import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
    const lists = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from "@ai-sdk\/gateway"/g)]);
    const names = lists.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim().split(" as ")[0] ?? ""));
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(noGateway)).toEqual(expect.arrayContaining(names));
  });

  it("says what to do instead, and is what the Worker example uses", async () => {
    expect(() => noGateway.gateway()).toThrow(/give a model object/);
    expect(noGateway.GatewayError.isInstance(new Error("x"))).toBe(false);
    const wrangler = await readFile(new URL("../../examples/cloudflare/wrangler.jsonc", import.meta.url), "utf8");
    expect(wrangler).toContain('"alias": { "@ai-sdk/gateway": "wakeful/models/no-gateway" }');
  });
});
