import { DEFAULT_MCP_TIMEOUT_MS, problemOfServerName } from "../../tools/index.ts";
import {
  anyText,
  flag,
  flagOrNames,
  list,
  made,
  names,
  secret,
  section,
  text,
  webAddress,
  whole,
  type RuleBroken,
} from "../../settings/index.ts";

const mcpServer = section(
  {
    url: webAddress({ what: "Address of the server, for a server over HTTP", example: "https://mcp.example/mcp" }),
    headers: names("header", secret({ what: "A header's value", example: "MCP_AUTHORIZATION" }), {
      what: "Headers of every request to the server; sent nowhere else",
    }),
    allowPrivate: flag({
      what: "Whether `url` may be on this machine or in a private network",
      default: false,
    }),
    command: text({
      what: "Instead of url: the program that is the server; no shell reads it",
      example: "npx",
      inSample: false,
    }),
    args: list(anyText({ what: "An argument", example: "mcp-server" }), {
      what: "The program's arguments",
      inSample: false,
    }),
    env: names("variable", secret({ what: "A variable's value; kept out of logs", example: "MCP_API_KEY" }), {
      what: "Environment variables of the program, besides HOME, LOGNAME, PATH, SHELL, TERM and USER",
      inCode: "Nothing else of the assistant's environment is passed on.",
      inSample: false,
    }),
    cwd: text({
      what: "The program's working directory; default: the assistant's",
      example: "/srv/mcp",
      inSample: false,
    }),
    groups: list(text({ what: "A group", example: "browser" }), {
      what: "Groups of its tools for policy rules, besides mcp",
    }),
    tools: list(text({ what: "A tool's name, as the server gives it", example: "search" }), {
      what: "Tools that are offered; default: all",
    }),
    dangerous: flagOrNames("tool names", {
      what: "Which tools ask the owner before each call: all, none, or these",
      inCode: "What a server says about its own tools is not trusted.",
      default: true,
    }),
    trustNewTools: flag({
      what: "Whether tools that the server adds later are offered without asking the owner",
      inCode: "The owner is asked about a changed tool in any case.",
      default: false,
    }),
    trustAnnotations: flag({
      what: "Whether the server is trusted about which of its tools may run again after a crash",
      default: false,
    }),
    timeoutMs: whole(1, { what: "Longest call, in milliseconds", default: DEFAULT_MCP_TIMEOUT_MS }),
  },
  {
    what: "An MCP server, by url or by command",
    rule: mcpServerRule,
    type: "tools/options.ts#McpServerOptions",
    fileType: "config/file-options.ts#McpServerConfig",
    common: "tools/options.ts#McpServerBase",
    variants: [
      {
        type: "tools/options.ts#McpHttpServer",
        what: 'A server that is reached over HTTP ("streamable HTTP")',
        key: "url",
        keys: ["headers", "allowPrivate"],
      },
      {
        type: "tools/options.ts#McpStdioServer",
        what: "A server that is a program on this machine, reached over its standard input and output; not on Workers, which have no processes",
        key: "command",
        keys: ["args", "env", "cwd"],
      },
    ],
  },
);

const serversAndClient = {
  servers: names("server", mcpServer, {
    what: "MCP servers by name; their tools are called mcp__<name>__<tool>",
  }),
  client: made(
    "McpClientLibrary | undefined",
    { McpClientLibrary: "libraries.ts" },
    { what: "mcpClient of wakeful/mcp, for runtimes that load nothing on demand (Workers)", only: "sdk" },
  ),
};

const mcpOptions = section(serversAndClient, { what: "Tools of MCP servers", type: "tools/options.ts#McpOptions" });

export const mcp = section(
  {
    ...serversAndClient,
    endpoint: made(
      "McpServerLibrary",
      { McpServerLibrary: "libraries.ts" },
      { what: "mcpEndpoint of wakeful/mcp/server, for runtimes that load nothing on demand (Workers)", only: "sdk" },
    ),
  },
  { what: "Tools of MCP servers", inCode: "Source: docs/mcp.md.", rule: mcpRule, base: mcpOptions },
);

function mcpServerRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const over = value["url"] !== undefined;
  if (over === (value["command"] !== undefined))
    return {
      at: [over ? "command" : "url"],
      message: "expected {url} (over HTTP) or {command} (a program), one of them",
    };
  const foreign = (over ? ["args", "env", "cwd"] : ["headers", "allowPrivate"]).find(
    (name) => value[name] !== undefined,
  );
  if (foreign === undefined) return undefined;
  return {
    at: [foreign],
    message: over ? "is for a server with {command}, not {url}" : "is for a server with {url}, not {command}",
  };
}

function mcpRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  for (const name of Object.keys(value["servers"] ?? {})) {
    const problem = problemOfServerName(name);
    if (problem !== undefined) return { at: ["servers"], message: problem };
  }
  return undefined;
}
