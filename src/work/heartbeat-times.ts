/** Id and name of the job that looks after HEARTBEAT.md. */
export const HEARTBEAT_JOB = "heartbeat";

/** Intervals that divide an hour or a day evenly, so that the times are the same every day. */
export const HEARTBEAT_STEPS = ["5m", "10m", "15m", "20m", "30m", "1h", "2h", "3h", "4h", "6h", "8h", "12h"] as const;
export const DEFAULT_HEARTBEAT_STEP = "30m" satisfies (typeof HEARTBEAT_STEPS)[number];
export const DEFAULT_ACTIVE_HOURS: readonly number[] = [8, 22];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Milliseconds between two heartbeats within the active hours. @param every One of `HEARTBEAT_STEPS`. */
export function heartbeatStepMs(every: string): number {
  return Number.parseInt(every, 10) * (every.endsWith("h") ? HOUR_MS : MINUTE_MS);
}

/**
 * The times of the heartbeat as a cron expression with five fields.
 * @param every One of `HEARTBEAT_STEPS`.
 * @param active First and last hour, 0 to 24; the last is exclusive. A range whose start is after its end crosses
 * midnight.
 * @example
 * ```ts
 * heartbeatCron("30m", [8, 22]); // half past and on the hour, from 8 to 21:30
 * ```
 */
export function heartbeatCron(every: string, [from = 0, to = 24]: readonly number[]): string {
  const count = Number.parseInt(every, 10);
  const isHours = every.endsWith("h");
  const length = (to - from + 24) % 24 || 24;
  const hours: number[] = [];
  for (let passed = 0; passed < length; passed += isHours ? count : 1) hours.push((from + passed) % 24);
  const minutes = isHours ? "0" : `*/${count}`;
  return `${minutes} ${hours.length === 24 ? "*" : fieldOf(hours)} * * *`;
}

/** Returns a range such as `8-21`, or a list when hours are skipped or the range crosses midnight. */
function fieldOf(hours: readonly number[]): string {
  const [first = 0, last = first] = [hours[0], hours.at(-1)];
  const isRange = hours.length > 1 && last - first === hours.length - 1;
  return isRange ? `${first}-${last}` : hours.toSorted((a, b) => a - b).join(",");
}
