import { sha256 } from "../../hash.ts";

/** Longest name that the registry accepts. */
const MAX_NAME = 128;
const HASH_DIGITS = 12;

/**
 * Returns the full name of a server's tool: `mcp__<server>__<tool>`. If the tool's own name does not fit (other
 * characters, too long), these are replaced and a hash of the original name is appended, so that two tools never get
 * the same name.
 *
 * Source: docs/mcp.md, "Names".
 */
export async function mcpToolName(server: string, tool: string): Promise<string> {
  const plain = `mcp__${server}__${tool}`;
  if (/^[A-Za-z0-9_.-]+$/.test(tool) && plain.length <= MAX_NAME) return plain;
  const hash = (await sha256(tool)).slice(0, HASH_DIGITS);
  const readable = plain.replace(/[^A-Za-z0-9_.-]/gu, "_").slice(0, MAX_NAME - HASH_DIGITS - 1);
  return `${readable}_${hash}`;
}
