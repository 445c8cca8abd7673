/**
 * Whether a pattern covers a tool: its name, or the beginning of names with a `*` after it. Also whether a pattern
 * covers all of another one.
 */
export function coversTool(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Whether a list of names and patterns covers a tool. */
export function isAmong(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => coversTool(pattern, name));
}

/** The tools that both lists cover: delegated work has at most the tools of its caller. Absent: all. */
export function sharedTools(
  own: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (own === undefined || wanted === undefined) return own ?? wanted;
  return wanted.flatMap((pattern) => {
    if (own.some((other) => coversTool(other, pattern))) return [pattern];
    return own.filter((other) => coversTool(pattern, other));
  });
}
