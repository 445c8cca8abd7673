import { describe, expect, it } from "vitest";
import { fakeAssistant } from "./support.ts";

const ask = (app: ReturnType<typeof fakeAssistant>["app"], path: string) =>
  app.request(path, { headers: { authorization: "Bearer owner-token" } });

describe("the routes of memory", () => {
  it("are told to be left out where a bundle has none, and the other routes answer", async () => {
    const { app } = fakeAssistant({ parts: { memoryRoutes: undefined } });
    const response = await ask(app, "/api/v1/memory/entries");
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      code: "NOT_INSTALLED",
      detail: expect.stringContaining("wakeful/memory/api"),
    });
    expect((await ask(app, "/healthz")).status).toBe(200);
  });
});
