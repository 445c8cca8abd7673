import { existsSync, readFileSync } from "node:fs";

/** What a process that was made to be killed has said or done: a line of JSON in a file for each. */
export function toldIn(path: string): readonly { readonly id: string; readonly text: string }[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as { id: string; text: string });
}
