import * as v from "valibot";
import { AssistantError } from "../errors.ts";
import { issueText } from "../issue-text.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, filledText, pathText, readYaml } from "../settings/index.ts";
import { type Value, defined } from "../store/index.ts";
import { type Goal, type PersonGoals, nameOf } from "./goals.ts";

/** Context for reading a file. */
export interface GoalFileGiven {
  readonly yaml: Platform["yaml"];
  /** Returns the problem of a review cadence; `undefined`: it is valid. */
  cadenceProblem(text: string): string | undefined;
}

const MAX_GOALS = 20;
const MAX_KEY_RESULTS = 10;
const MAX_DRIVES = 12;
const MAX_NAMES = 20;
/** Longest fields of a goal, in characters. The tools have the same limits. */
export const MAX_CHARS = { objective: 200, metric: 120, value: 120, focus: 300, cadence: 100 } as const;

const list = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.optional(v.pipe(v.array(item, "expected a list"), v.maxLength(most, `expected at most ${most}`)), []);
const group = <Keys extends v.ObjectEntries>(keys: Keys) =>
  v.strictObject(keys, ({ expected }) =>
    expected === "never"
      ? `unknown key: expected ${Object.keys(keys).join(", ")}`
      : expected === "Object"
        ? `expected a group of keys: ${Object.keys(keys).join(", ")}`
        : "is missing",
  );
const value = v.union(
  [v.pipe(v.number(), v.finite()), filledText(MAX_CHARS.value)],
  `expected a number, or a text of 1 to ${MAX_CHARS.value} characters`,
);
const INTENSITY = "expected a whole number from 1 to 5";

const FileSchema = group({
  persona: v.optional(filledText(2000)),
  core_drives: list(
    group({
      name: filledText(100),
      intensity: v.pipe(v.number(INTENSITY), v.integer(INTENSITY), v.minValue(1, INTENSITY), v.maxValue(5, INTENSITY)),
      keywords: v.optional(
        v.pipe(v.array(filledText(64), "expected a list"), v.maxLength(MAX_NAMES, `expected at most ${MAX_NAMES}`)),
      ),
    }),
    MAX_DRIVES,
  ),
  top_drives: list(filledText(100), MAX_DRIVES),
  initiative_sources: list(filledText(100), MAX_NAMES),
  goals: list(
    group({
      objective: filledText(MAX_CHARS.objective),
      key_results: list(
        group({ metric: filledText(MAX_CHARS.metric), target: value, current: v.optional(value) }),
        MAX_KEY_RESULTS,
      ),
      current_focus: v.optional(filledText(MAX_CHARS.focus)),
      review_cadence: v.optional(filledText(MAX_CHARS.cadence)),
    }),
    MAX_GOALS,
  ),
});

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Parses a file that people write.
 * @throws {ConfigError} With the file, line, key and expected value.
 */
export function readGoalFile(textOfFile: Value, file: string, given: GoalFileGiven): PersonGoals {
  if (typeof textOfFile !== "string")
    throw new ConfigError([{ file, line: 1, column: 1, path: "", message: "expected a text in UTF-8" }]);
  const read = readYaml(textOfFile, given.yaml());
  if (read.problems.length > 0) throw new ConfigError(read.problems.map((problem) => ({ file, ...problem })));
  const checked = check(filled(read.value), given);
  if (!Array.isArray(checked)) return checked;
  throw new ConfigError(
    checked.map(({ path, message }) => ({
      file,
      ...read.positionOf(path, "key"),
      path: pathText(path),
      message: `${pathText(path)}: ${message}`,
    })),
  );
}

/** Validates goals as in a file, and trims texts. @throws {AssistantError} `OPTION_INVALID` with the keys. */
export function checkGoals(goals: PersonGoals, given: GoalFileGiven): PersonGoals {
  const checked = check(fileDataOf(goals), given);
  if (!Array.isArray(checked)) return checked;
  const problems = checked.map(({ path, message }) => `${pathText(path)}: ${message}`);
  throw new AssistantError("OPTION_INVALID", `Invalid goals: ${problems.join("; ")}`);
}

function check(data: unknown, given: GoalFileGiven): PersonGoals | Problem[] {
  const checked = v.safeParse(FileSchema, data);
  if (!checked.success)
    return checked.issues.map((issue) => ({
      path: (issue.path ?? []).map(({ key }) => key as string | number),
      message: issueText(issue),
    }));
  const problems = problemsOf(checked.output, given);
  return problems.length > 0 ? problems : goalsOf(checked.output);
}

/** Checks that the schema cannot do. */
function problemsOf({ goals }: v.InferOutput<typeof FileSchema>, { cadenceProblem }: GoalFileGiven): Problem[] {
  const problems: Problem[] = [];
  const twice = (names: readonly string[], path: (index: number) => readonly (string | number)[]) => {
    const seen = new Set<string>();
    for (const [index, name] of names.map(nameOf).entries()) {
      if (seen.has(name)) problems.push({ path: path(index), message: `${JSON.stringify(name)} occurs twice` });
      seen.add(name);
    }
  };
  twice(
    goals.map(({ objective }) => objective),
    (index) => ["goals", index, "objective"],
  );
  for (const [at, { key_results: results, review_cadence: cadence }] of goals.entries()) {
    twice(
      results.map(({ metric }) => metric),
      (index) => ["goals", at, "key_results", index, "metric"],
    );
    const problem = cadence === undefined ? undefined : cadenceProblem(cadence);
    if (problem !== undefined) problems.push({ path: ["goals", at, "review_cadence"], message: problem });
  }
  return problems;
}

function goalsOf(file: v.InferOutput<typeof FileSchema>): PersonGoals {
  const { persona, core_drives, top_drives: topDrives, initiative_sources: initiativeSources } = file;
  const goals = file.goals.map(({ objective, key_results, current_focus: focus, review_cadence: cadence }): Goal => ({
    objective,
    keyResults: key_results.map(defined),
    ...(focus !== undefined && { currentFocus: focus }),
    ...(cadence !== undefined && { reviewCadence: cadence }),
  }));
  return {
    ...(persona !== undefined && { persona }),
    coreDrives: core_drives.map(defined),
    topDrives,
    initiativeSources,
    goals,
  };
}

/** Goals in the form of a file. Empty and omitted fields are left out. `check` handles values of a wrong type. */
export function fileDataOf({ persona, coreDrives, topDrives, initiativeSources, goals }: Partial<PersonGoals>) {
  return {
    ...(persona !== undefined && { persona }),
    ...(!isEmpty(coreDrives) && { core_drives: coreDrives }),
    ...(!isEmpty(topDrives) && { top_drives: topDrives }),
    ...(!isEmpty(initiativeSources) && { initiative_sources: initiativeSources }),
    ...(!isEmpty(goals) && { goals: Array.isArray(goals) ? goals.map(goalDataOf) : goals }),
  };
}

function goalDataOf(goal: Partial<Goal> | null) {
  if (typeof goal !== "object" || goal === null) return goal;
  const { objective, keyResults, currentFocus, reviewCadence } = goal;
  return {
    ...(objective !== undefined && { objective }),
    ...(!isEmpty(keyResults) && { key_results: keyResults }),
    ...(currentFocus !== undefined && { current_focus: currentFocus }),
    ...(reviewCadence !== undefined && { review_cadence: reviewCadence }),
  };
}

function isEmpty(list: unknown): boolean {
  return list === undefined || list === null || (Array.isArray(list) && list.length === 0);
}

/** Drops keys without a value. Copies the reader's maps: they have no prototype, and the checks would reject them. */
function filled(read: unknown): unknown {
  return JSON.parse(JSON.stringify(read ?? {}), (_key, one: unknown) => (one === null ? undefined : one));
}
