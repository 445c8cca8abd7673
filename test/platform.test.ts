import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../entry.host.ts";
import type { Platform } from "../kit.ts";
import { says, scriptedModel } from "../src/testing/scripted-model.ts";
import { platform } from "./support/this-platform.ts";

describe("the option platform", () => {
  const make = (given: Partial<Platform>, more: object = {}) =>
    createAssistant({ model: scriptedModel(() => says("hi")), store: memoryStore(), platform: given, ...more });

  it("takes members in place of the runtime's own: without libraries there is no shell", async () => {
    const assistant = await make({ load: async () => null, probe: async () => null });
    const names = assistant.tools.list().map(({ name }) => name);
    expect(names).toContain("file_read");
    expect(names).not.toContain("bash");
    await assistant.stop();
  });

  it("is where a policy's text finds YAML", async () => {
    let asked = 0;
    const yaml = () => ((asked += 1), platform.yaml());
    const assistant = await make(
      { yaml },
      { policy: "profiles: [{ name: default, policy: { deny: [{ group: web }] } }]" },
    );
    expect(asked).toBe(1);
    expect(assistant.policy.current.profiles[0]?.policy.deny).toEqual([{ group: "web" }]);
    await assistant.stop();
  });

  it("is the network that pages are fetched through", async () => {
    const asked: string[] = [];
    const network: Platform["network"] = {
      lookup: async () => ["93.184.216.34"],
      async fetchAt({ hostname }, _, addresses) {
        asked.push(`${hostname} at ${addresses.join(", ")}`);
        return new Response("<p>A page", { headers: { "content-type": "text/html" } });
      },
    };
    const assistant = await make({ network });
    const result = await assistant.tools.run("web_fetch", { url: "https://page.example/" });
    expect(result).toMatchObject({ ok: true });
    expect(asked).toEqual(["page.example at 93.184.216.34"]);
    await assistant.stop();
  });
});
