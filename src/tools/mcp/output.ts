import { type JsonValue, isObject } from "../../store/index.ts";
import { ToolError } from "../tool.ts";

/** Longest output in characters. */
const MAX_OUTPUT = 65_536;
const MAX_ERROR = 2_000;

/**
 * Converts the result of a call for the model: structured content unchanged, else the texts; images and sounds are
 * named, not shown. Output that is too long is cut, with a note.
 *
 * @throws {ToolError} `MCP_ERROR` with the server's own words if it reports an error.
 */
export function readCallResult(server: string, result: unknown): JsonValue {
  if (!isObject(result))
    throw new ToolError("MCP_ERROR", `The MCP server ${server} answered with something that is not a result`);
  const content = Array.isArray(result["content"]) ? (result["content"] as readonly JsonValue[]) : [];
  const text = content.map(textOf).join("\n");
  if (result["isError"] === true) {
    const words = text === "" ? "no reason given" : cut(text, MAX_ERROR);
    throw new ToolError("MCP_ERROR", `The MCP server ${server} reports an error: ${words}`);
  }
  // `toolResult`: the form of older servers, from before content had parts.
  const structured = result["structuredContent"] ?? result["toolResult"];
  if (structured === undefined || structured === null) return cut(text, MAX_OUTPUT);
  const json = JSON.stringify(structured);
  if (json.length > MAX_OUTPUT) return cut(json, MAX_OUTPUT);
  return JSON.parse(json) as JsonValue;
}

function textOf(part: JsonValue): string {
  if (!isObject(part)) return "";
  const { type, text, data, mimeType, uri, name, resource } = part;
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string")
    return `[${type} ${wordOf(mimeType)}, about ${Math.floor((data.length * 3) / 4)} bytes, not shown]`;
  if (type === "resource_link") return `[resource ${wordOf(name)} at ${wordOf(uri)}]`;
  if (type === "resource" && isObject(resource)) {
    return typeof resource["text"] === "string"
      ? resource["text"]
      : `[resource ${wordOf(resource["uri"])} of type ${wordOf(resource["mimeType"])}, not shown]`;
  }
  return `[${wordOf(type)}, not shown]`;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[cut: ${text.length} characters in all]`;
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "unnamed";
}
