import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemOfServerName } from "../../../src/tools/mcp/options.ts";
import { mcpToolName } from "../../../src/tools/mcp/tool-name.ts";
import { runs } from "../../support/thorough.ts";

const serverName = fc.stringMatching(/^[a-z0-9]{1,4}(?:[_-][a-z0-9]{1,4}){0,2}$/);
const toolName = fc.oneof(
  fc.stringMatching(/^[a-z_.-]{1,6}$/),
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.constant("a".repeat(300)),
);

describe("mcpToolName()", () => {
  it.each([
    { server: "docs", tool: "search", name: "mcp__docs__search" },
    { server: "my-docs_2", tool: "read.file", name: "mcp__my-docs_2__read.file" },
    { server: "docs", tool: "wörter suchen", name: "mcp__docs__w_rter_suchen_1ebcc4dc50ca" },
  ])("calls $tool of $server $name", async ({ server, tool, name }) => {
    expect(await mcpToolName(server, tool)).toBe(name);
  });

  it("never gives two tools of two servers one name, and always one that fits", async () => {
    const pair = fc.tuple(serverName, toolName);
    await fc.assert(
      fc.asyncProperty(pair, pair, async ([server, tool], [otherServer, otherTool]) => {
        fc.pre(problemOfServerName(server) === undefined && problemOfServerName(otherServer) === undefined);
        const name = await mcpToolName(server, tool);
        expect(name).toMatch(/^mcp__[A-Za-z0-9_.-]{1,123}$/);
        if (server !== otherServer || tool !== otherTool)
          expect(name).not.toBe(await mcpToolName(otherServer, otherTool));
      }),
      { numRuns: runs(300) },
    );
  });
});
