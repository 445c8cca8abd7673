/**
 * Joins segments to a store key: `storeKey("sessions", agent, session, "log.jsonl")`. `/` and `%` inside a segment
 * are percent-escaped, so that two different lists of segments never give the same key. An empty segment is a
 * `RangeError`.
 */
export function storeKey(...segments: readonly string[]): string {
  let key = "";
  for (const segment of segments) {
    if (segment === "")
      throw new RangeError(
        `Cannot make a store key as a segment is empty: current value is ${JSON.stringify(segments)}`,
      );
    const part = ESCAPED.test(segment) ? segment.replaceAll("%", "%25").replaceAll("/", "%2F") : segment;
    key = key === "" ? part : `${key}/${part}`;
  }
  return key;
}

const ESCAPED = /[%/]/;

/** Returns the segments that `storeKey` joined. */
export function keySegments(key: string): string[] {
  const segments = key.split("/");
  return key.includes("%") ? segments.map(plainSegment) : segments;
}

function plainSegment(segment: string): string {
  return segment.replaceAll("%2F", "/").replaceAll("%25", "%");
}
