import { describe, expect, it } from "vitest";
import { createApp } from "../../src/http/index.ts";
import { OWNER, bodyOf, fakeAssistant } from "./support.ts";

describe("the page where nothing is loaded on demand", () => {
  const { page: _, ...parts } = fakeAssistant().parts;
  const app = createApp(parts);

  it.each([
    { title: "who opens it", request: new Request("http://localhost:8787/") },
    {
      title: "who signs in",
      request: new Request("http://localhost:8787/login", {
        method: "POST",
        body: new URLSearchParams({ token: OWNER }),
      }),
    },
  ])("tells $title which option is missing", async ({ request }) => {
    const response = await app.request(request);
    const problem = await bodyOf(response);
    expect([response.status, problem["code"]]).toEqual([501, "NOT_INSTALLED"]);
    expect(problem["detail"]).toContain("wakeful/page");
    expect(response.headers.get("set-cookie")).toBeNull();
  });
});
