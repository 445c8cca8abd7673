/** What a machine may lack, and how to bring it: one line of the report each. */
const NEEDS: readonly (readonly [pattern: RegExp, need: string])[] = [
  [/sandbox|bubblewrap/, "bubblewrap (apt-get install bubblewrap)"],
  [/redis/i, "a Redis server (apt-get install redis-server)"],
  [/chromium/i, "a browser (apt-get install chromium-headless-shell)"],
  [/tmpfs|full disk/, "a small tmpfs (run as root on Linux)"],
];
const OTHER = "something else of the machine";

/** A test that did not run. */
export interface Skip {
  readonly runtime: string;
  readonly title: string;
  /** What it said: `context.skip("why")`, or the end of a title that holds ` — needs …`. */
  readonly reason: string;
}

/** One line for each thing that is missing, at most five: how many tests need it, where, and how to bring it. */
export function groupSkips(skips: readonly Skip[]): readonly string[] {
  const groups = Map.groupBy(skips, needOf);
  return [...NEEDS.map(([, need]) => need), OTHER].flatMap((need) => {
    const group = groups.get(need);
    if (group === undefined) return [];
    const counts = [...Map.groupBy(group, ({ runtime }) => runtime)].map(
      ([runtime, of]) => `${of.length} on ${runtime}`,
    );
    const reasons = need === OTHER ? `: ${[...new Set(group.map(({ reason }) => reason))].join("; ")}` : "";
    return [`skipped: ${counts.join(", ")}, which need ${need}${reasons}`];
  });
}

function needOf({ title, reason }: Skip): string {
  return NEEDS.find(([pattern]) => pattern.test(reason) || pattern.test(title))?.[1] ?? OTHER;
}
