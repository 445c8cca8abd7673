import { describe, expect, it } from "vitest";
import { asTool } from "../../../src/tools/mcp/as-tool.ts";
import type { McpServerOptions } from "../../../src/tools/mcp/options.ts";

const definition = { name: "search", description: "Searches", inputSchema: { type: "object" }, annotations: null };

async function boundTo(options: McpServerOptions): Promise<string> {
  const { meta } = await asTool("docs", options, { definition, fingerprint: "f" }, async () => "x");
  return JSON.stringify(meta?.boundTo?.({} as never, {} as never));
}

describe("what an approval of a call is bound to", () => {
  it("shows no argument of the server's program, where keys may stand, and changes with each", async () => {
    const own = await boundTo({ command: "docs-server", args: ["--api-key", "secret-1"] });
    expect(own).toContain("docs-server (2 arguments, sha256 ");
    expect(own).not.toMatch(/secret|api-key/u);
    expect(await boundTo({ command: "docs-server", args: ["--api-key", "secret-1"] })).toBe(own);
    for (const args of [["--api-key", "secret-2"], ["--api-key secret-1"], ["secret-1", "--api-key"], []])
      expect(await boundTo({ command: "docs-server", args })).not.toBe(own);
  });

  it("shows no query and no password of the server's address", async () => {
    const own = await boundTo({ url: "https://user:secret@docs.example/mcp?key=secret" });
    expect(own).toContain("https://docs.example/mcp");
    expect(own).not.toContain("secret");
  });
});
