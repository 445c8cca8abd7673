/** The job that looks after what HEARTBEAT.md says: its id and its name. */
export const HEARTBEAT_JOB = "heartbeat";

/** Steps that an hour or a day has a whole number of, so that each day's times are the same. */
export const HEARTBEAT_STEPS = ["5m", "10m", "15m", "20m", "30m", "1h", "2h", "3h", "4h", "6h", "8h", "12h"] as const;
export const DEFAULT_HEARTBEAT_STEP = "30m" satisfies (typeof HEARTBEAT_STEPS)[number];
export const DEFAULT_ACTIVE_HOURS: readonly number[] = [8, 22];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** From one time of the heartbeat to the next within the active hours, in milliseconds. @param every One of `HEARTBEAT_STEPS`. */
export function heartbeatStepMs(every: string): number {
  return Number.parseInt(every, 10) * (every.endsWith("h") ? HOUR_MS : MINUTE_MS);
}

/**
 * The times of the heartbeat as five fields of cron.
 * @param every One of `HEARTBEAT_STEPS`.
 * @param active From which hour to which, 0 to 24, the last left out. A range whose start is after its end crosses midnight.
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

/** `8-21`, or a list where hours are left out or midnight lies between them. */
function fieldOf(hours: readonly number[]): string {
  const [first = 0, last = first] = [hours[0], hours.at(-1)];
  const isRange = hours.length > 1 && last - first === hours.length - 1;
  return isRange ? `${first}-${last}` : hours.toSorted((a, b) => a - b).join(",");
}
