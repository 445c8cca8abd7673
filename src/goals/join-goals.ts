import { type Goal, type PersonGoals, nameOf } from "./goals.ts";

/** Joins two files of one person: all of `into`, and what only `from` has. Joining the same again changes nothing. */
export function joinGoals(into: PersonGoals, from: PersonGoals): PersonGoals {
  const persona = joinTexts(into.persona, from.persona, "\n");
  return {
    ...(persona !== undefined && { persona }),
    coreDrives: joinLists(into.coreDrives, from.coreDrives, ({ name }) => name),
    topDrives: joinLists(into.topDrives, from.topDrives, (name) => name),
    initiativeSources: joinLists(into.initiativeSources, from.initiativeSources, (name) => name),
    goals: joinLists(into.goals, from.goals, ({ objective }) => objective, joinGoal),
  };
}

function joinGoal(into: Goal, from: Goal): Goal {
  const currentFocus = joinTexts(into.currentFocus, from.currentFocus, "; ");
  const reviewCadence = into.reviewCadence ?? from.reviewCadence;
  return {
    objective: into.objective,
    keyResults: joinLists(
      into.keyResults,
      from.keyResults,
      ({ metric }) => metric,
      (one, other) =>
        one.current === undefined && other.current !== undefined ? { ...one, current: other.current } : one,
    ),
    ...(currentFocus !== undefined && { currentFocus }),
    ...(reviewCadence !== undefined && { reviewCadence }),
  };
}

function joinTexts(into: string | undefined, from: string | undefined, between: string): string | undefined {
  if (into === undefined || from === undefined) return into ?? from;
  return into.includes(from) ? into : into + between + from;
}

function joinLists<T>(
  into: readonly T[],
  from: readonly T[],
  name: (one: T) => string,
  join: (one: T, other: T) => T = (one) => one,
): readonly T[] {
  const others = new Map(from.map((one) => [nameOf(name(one)), one]));
  const known = new Set(into.map((one) => nameOf(name(one))));
  return [
    ...into.map((one) => {
      const other = others.get(nameOf(name(one)));
      return other === undefined ? one : join(one, other);
    }),
    ...from.filter((one) => !known.has(nameOf(name(one)))),
  ];
}
