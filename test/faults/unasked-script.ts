/** The fast clock: half an hour in a second, a day in 48. */
export const SPEED = 1800;
/** Noon, in UTC, which is everybody's zone here. */
export const BEGINS_AT = Date.UTC(2026, 0, 5, 12);
const HOUR_MS = 3_600_000;

export const ATTENTION = {
  maxDailyNotifications: 4,
  minInterval: "30m",
  quietHours: [22, 8],
  priorityThreshold: 0.6,
} as const;
export const QUIET = { from: 22, to: 8 } as const;

const PEOPLE = 8;
const EACH = 9;
/** All of them are said in the afternoon and the evening of the first day: some at once, some after the interval, some after the night, in a digest. */
const SPAN_MS = 11 * HOUR_MS;

/** What is said, when by the fast clock, in the order of time. */
export const NOTICES = Array.from({ length: PEOPLE * EACH }, (_, index) => {
  const person = index % PEOPLE;
  const text = `notice ${person}-${Math.floor(index / PEOPLE)}.`;
  return {
    atMs: BEGINS_AT + (index / (PEOPLE * EACH)) * SPAN_MS,
    given: { id: `n-${index}`, user: `app:person-${person}`, text, type: `type-${index % 3}` },
  };
});
/** When everything was said that can be: the morning after the night. */
export const ENDS_AT = BEGINS_AT + 21 * HOUR_MS;
