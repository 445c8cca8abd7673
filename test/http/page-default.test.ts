import { describe, expect, it } from "vitest";
import { appOf, fakeAssistant } from "./support.ts";

describe("the page", () => {
  it("is there without an option", async () => {
    const { parts } = fakeAssistant();
    const response = await appOf(parts).request(new Request("http://localhost:8787/"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain('<label for="token">');
  });
});
