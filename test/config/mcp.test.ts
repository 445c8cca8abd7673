import { describe, expect, it } from "vitest";
import { parseConfig } from "../../entry.host.ts";
import { validateOptions } from "../../src/config/index.ts";
import { ConfigError } from "../../src/settings/index.ts";

const env = { TOKEN: "Bearer canary-secret-0123456789", KEY: "key-secret-0123456789" };

function issuesOf(text: string): string[] {
  try {
    parseConfig(text, { env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ line, path, message }) => `${line} [${path}] ${message}`);
  }
}

describe("mcp in the configuration", () => {
  it("takes servers by url and by command, with secrets from the environment", () => {
    const config = parseConfig(
      `mcp:
  servers:
    docs: { url: https://mcp.example/mcp, headers: { Authorization: { env: TOKEN } }, tools: [search], dangerous: false, trust_new_tools: true }
    browser: { command: npx, args: ["-y", ""], env: { API_KEY: { env: KEY } }, groups: [browser], dangerous: [click], timeout_ms: 5000 }
`,
      { env },
    );
    expect(config.mcp).toEqual({
      servers: {
        docs: {
          url: "https://mcp.example/mcp",
          headers: { Authorization: env.TOKEN },
          tools: ["search"],
          dangerous: false,
          trustNewTools: true,
        },
        browser: {
          command: "npx",
          args: ["-y", ""],
          env: { API_KEY: env.KEY },
          groups: ["browser"],
          dangerous: ["click"],
          timeoutMs: 5000,
        },
      },
    });
    expect(config.secrets).toEqual([env.TOKEN, env.KEY]);
  });

  it.each([
    { text: "docs: {}", issue: "expected url (over HTTP) or command (a program), one of them" },
    { text: "docs: { url: https://a.example, command: x }", issue: "expected url (over HTTP) or command" },
    { text: "docs: { url: https://a.example, env: { A: b } }", issue: "is for a server with command, not url" },
    { text: "docs: { command: x, headers: { A: b } }", issue: "is for a server with url, not command" },
    { text: "docs: { url: ftp://a.example }", issue: "expected an http:// or https:// address" },
    {
      text: "docs: { url: https://a.example, dangerous: maybe }",
      issue: "expected true, false or a list of tool names",
    },
    { text: "docs: { url: https://a.example, shell: true }", issue: "Unknown key mcp.servers.docs.shell" },
    { text: "a__b: { url: https://a.example }", issue: 'letters and digits with single "-" or "_" between them' },
  ])("refuses $text", ({ text, issue }) => {
    const issues = issuesOf(`mcp:\n  servers:\n    ${text}\n`);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(issue);
  });

  it("is checked in code by the same rules", () => {
    expect(() => validateOptions({ mcp: { servers: { docs: { url: "https://a.example", args: [] } } } })).toThrow(
      /mcp\.servers\.docs\.args: is for a server with command, not url/,
    );
    expect(validateOptions({ mcp: { servers: { docs: { command: "x" } } } }).warnings).toEqual([]);
  });
});
