import { describe, expect, it } from "vitest";
import { groupSkips } from "./skips.ts";

const skip = (runtime: string, reason: string, title = "a title") => ({ runtime, title, reason });

describe("groupSkips()", () => {
  it("says once what is missing, for how many tests, where, and how to bring it", () => {
    expect(
      groupSkips([
        skip("node", "needs redis-server"),
        skip("node", "needs a sandbox: bubblewrap (bwrap) is not installed keeps the CommandRunner contract > runs"),
        skip("bun", "needs redis-server"),
        skip("node", "needs redis-server"),
      ]),
    ).toEqual([
      "skipped: 1 on node, which need bubblewrap (apt-get install bubblewrap)",
      "skipped: 2 on node, 1 on bun, which need a Redis server (apt-get install redis-server)",
    ]);
  });

  it("puts all else on one line, with what each said", () => {
    expect(
      groupSkips([skip("node", "needs openssl"), skip("deno", "no reason given"), skip("bun", "needs openssl")]),
    ).toEqual([
      "skipped: 1 on node, 1 on deno, 1 on bun, which need something else of the machine: needs openssl; no reason given",
    ]);
  });

  it("says nothing when everything ran", () => {
    expect(groupSkips([])).toEqual([]);
  });
});
