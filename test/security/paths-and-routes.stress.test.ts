import { describe, expect, it } from "vitest";
import { ADA, call } from "../http/support.ts";
import { THOROUGH, sampled } from "../support/thorough.ts";
import { spellings, watched } from "./support/guarded-paths.ts";

describe("a path", () => {
  it("that reaches a handler with the owner's token needs a token, and is the owner's alone where that is said", async () => {
    const { app, paths, reached } = watched();
    let reachable = 0;
    for (const path of sampled(paths, 2)) {
      for (const spelling of spellings(path)) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const body = method === "POST" ? { body: { text: "hi", wait: false } } : {};
          reached.length = 0;
          await app.request(call(spelling, { method, ...body }));
          if (reached.length === 0) continue;
          reachable++;
          const owners = reached.some((name) => ["list", "explainContext"].includes(name));
          reached.length = 0;
          expect((await app.request(call(spelling, { method, token: null, ...body }))).status).toBe(401);
          if (owners) expect((await app.request(call(spelling, { method, token: ADA, ...body }))).status).toBe(403);
          expect(owners ? reached : []).toEqual([]);
        }
      }
    }
    expect(reachable).toBeGreaterThan(THOROUGH ? 20 : 8);
  });
});
