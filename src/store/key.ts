/**
 * Joins segments to a store key: `storeKey("sessions", agent, session, "log.jsonl")`.
 * `/` and `%` inside a segment are percent-escaped, so that two different lists of segments never give one key. An empty segment is a `RangeError`.
 */
export function storeKey(...segments: readonly string[]): string {
  return segments
    .map((segment) => {
      if (segment === "")
        throw new RangeError(
          `Cannot make a store key as a segment is empty: current value is ${JSON.stringify(segments)}`,
        );
      return segment.replaceAll("%", "%25").replaceAll("/", "%2F");
    })
    .join("/");
}

/** The segments that `storeKey` joined. */
export function keySegments(key: string): string[] {
  return key.split("/").map((segment) => segment.replaceAll("%2F", "/").replaceAll("%25", "%"));
}
