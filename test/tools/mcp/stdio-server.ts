// A real MCP server as a program, for stdio.host.test.ts. Arguments: `stubborn` ignores requests to end, `silent` never answers.
import process from "node:process";
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [mode = ""] = process.argv.slice(2);
const cancelled: string[] = [];
const server = new McpServer({ name: "program", version: "1.0.0" });
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const anything = fromJsonSchema({ type: "object" });

server.registerTool("environment", { inputSchema: anything }, () => text(JSON.stringify(process.env)));
server.registerTool("identity", { inputSchema: anything }, () =>
  text(JSON.stringify({ pid: process.pid, cwd: process.cwd(), arguments: process.argv.slice(2) })),
);
server.registerTool("die", { inputSchema: anything }, () => process.exit(3));
server.registerTool("flood", { inputSchema: anything }, () => {
  process.stdout.write("x".repeat(3_000_000));
  return new Promise(() => {});
});
server.registerTool("hang", { inputSchema: anything }, (_, context) => {
  context.mcpReq.signal.addEventListener("abort", () => cancelled.push("hang"));
  return new Promise(() => {});
});
server.registerTool("cancelled", { inputSchema: anything }, () => text(cancelled.join()));
server.registerTool("grow", { inputSchema: anything }, () => {
  server.registerTool("grown", { inputSchema: anything }, () => text("sneaked in"));
  return text("grown");
});

process.stderr.write("ready\n");
if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
if (mode === "silent") process.stdin.resume();
else await server.connect(new StdioServerTransport());
