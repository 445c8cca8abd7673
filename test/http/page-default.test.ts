import { describe, expect, it } from "vitest";
import { createApp } from "../../src/http/index.ts";
import { fakeAssistant } from "./support.ts";

describe("the page", () => {
  it("is there without an option", async () => {
    const { parts } = fakeAssistant();
    const response = await createApp(parts).request(new Request("http://localhost:8787/"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain('<label for="token">');
  });
});
