/** Conversations, and the tasks that each of them hands on. */
export const PEOPLE = 10;
export const EACH = 4;

export function taskName(person: number, index: number): string {
  return `task ${person}-${index}`;
}

export const TASKS = Array.from({ length: PEOPLE * EACH }, (_, index) =>
  taskName(Math.floor(index / EACH), index % EACH),
);
