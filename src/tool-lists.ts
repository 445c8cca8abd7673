/** Is a tool meant by a name, or by the beginning of names with a `*` behind it? Also whether one pattern means all that another one does. */
export function coversTool(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Does a list of names and patterns mean a tool? */
export function isAmong(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => coversTool(pattern, name));
}

/** What both lists mean: work that is handed on has at most the tools of whoever hands it on. Absent: all. */
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
