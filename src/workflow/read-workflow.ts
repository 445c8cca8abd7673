import * as v from "valibot";
import { AssistantError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, nearestName, pathText, readYaml, snakeCase } from "../settings/index.ts";
import { type JsonValue, defined, isObject } from "../store/index.ts";
import { parseCondition } from "./condition.ts";
import type { Budget, StepDefinition, WorkflowDefinition } from "./definition.ts";
import { BudgetSchema, type DefinitionFile, DefinitionSchema } from "./definition-schema.ts";
import { type Reference, parseReference, referencesIn } from "./references.ts";
import { waitExpects } from "./wait-values.ts";

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface WorkflowGiven {
  readonly yaml: Platform["yaml"];
  /** Name in errors. Default `workflow.yaml`. */
  readonly file?: string;
  /** Name of a definition whose file has none. */
  readonly name?: string;
}

/**
 * Parses the YAML of a definition.
 * @throws {ConfigError} With the file, line, field and expected value of every problem.
 */
export function readWorkflow(text: string, { yaml, file = "workflow.yaml", name }: WorkflowGiven): WorkflowDefinition {
  const read = readYaml(text, yaml());
  if (read.problems.length > 0) throw new ConfigError(read.problems.map((problem) => ({ file, ...problem })));
  const checked = check(plain(read.value), name);
  if (!Array.isArray(checked)) return checked;
  throw new ConfigError(
    checked.map(({ path, message }) => ({
      file,
      ...read.positionOf(path, "key"),
      path: pathText(path),
      message: path.length === 0 ? message : `${pathText(path)}: ${message}`,
    })),
  );
}

/**
 * Checks a definition that a program gives, with names as in code or as in files.
 * @throws {AssistantError} `OPTION_INVALID` with the fields.
 */
export function checkWorkflow(definition: unknown, name?: string): WorkflowDefinition {
  const checked = check(asFile(plain(definition)), name);
  if (!Array.isArray(checked)) return checked;
  throw refusal("workflow", checked);
}

/**
 * Checks a budget that a program gives separately, with names as in code or as in files.
 * @throws {AssistantError} `OPTION_INVALID` with the fields.
 */
export function checkBudget(budget: Partial<Budget> = {}): Partial<Budget> {
  const checked = v.safeParse(BudgetSchema, snaked(budget));
  if (!checked.success) throw refusal("budget", checked.issues.flatMap(problemsOf));
  return budgetOf(checked.output);
}

function budgetOf(file: v.InferOutput<typeof BudgetSchema>): Partial<Budget> {
  return defined({ maxTokens: file.max_tokens, maxSeconds: file.max_seconds, maxToolCalls: file.max_tool_calls });
}

/** Converts a program's value to JSON. @throws {AssistantError} `OPTION_INVALID` for a circular value or a bigint. */
export function jsonOf<Value>(what: string, value: Value): Value {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw refusal(what, [{ path: [], message: `expected values that JSON can represent: ${messageOf(error)}` }]);
  }
}

function refusal(what: string, problems: readonly Problem[]): AssistantError {
  const lines = problems.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`));
  return new AssistantError("OPTION_INVALID", `Invalid ${what}: ${lines.join("; ")}`);
}

/** For a union: the problems inside its branches, with their full paths. */
function problemsOf({ path: keys, message, issues }: v.BaseIssue<unknown>): Problem[] {
  const path = keys?.map(({ key }) => key as string | number) ?? [];
  const within = issues?.filter((one) => one.path !== undefined) ?? [];
  if (within.length === 0) return [{ path, message }];
  return within.flatMap(problemsOf).map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

function check(data: unknown, name: string | undefined): WorkflowDefinition | Problem[] {
  const checked = v.safeParse(DefinitionSchema, data);
  if (!checked.success) return checked.issues.flatMap(problemsOf);
  const file = checked.output;
  const problems = [
    ...problemsOfName(file, name),
    ...problemsOfInputs(file, data as DefinitionFile),
    ...problemsOfSteps(file),
  ];
  return problems.length > 0 ? problems : definitionOf(file, name);
}

function problemsOfName({ name }: DefinitionFile, known: string | undefined): Problem[] {
  if (name === undefined && known === undefined) return [{ path: ["name"], message: "is missing" }];
  if (name === undefined || known === undefined || name === known) return [];
  return [{ path: ["name"], message: `expected ${known}, as the file is called` }];
}

function problemsOfInputs({ inputs }: DefinitionFile, given: DefinitionFile): Problem[] {
  if (inputs === undefined || isList(inputs)) return [];
  // valibot silently drops names such as `constructor`.
  const left = Object.keys(given.inputs ?? {}).filter((name) => !Object.hasOwn(inputs, name));
  const unnamed = left.map((name) => ({ path: ["inputs", name], message: "expected another name" }));
  const wrong = Object.entries(inputs).flatMap(([name, input]) => {
    const { type, default: standard } = input ?? {};
    if (type === undefined || standard === undefined || standard === null || asType(standard, type) !== undefined)
      return [];
    const message = `expected a ${type}, as the input's type says, got ${JSON.stringify(standard).slice(0, 60)}`;
    return [{ path: ["inputs", name, "default"], message }];
  });
  return [...unnamed, ...wrong];
}

/** Checks that the schema cannot do: unique ids, existing references, no cycle. */
function problemsOfSteps(file: DefinitionFile): Problem[] {
  const problems: Problem[] = [];
  const ids = file.steps.map(({ id }) => id);
  const inputs = file.inputs === undefined ? undefined : Object.keys(inputsOf(file.inputs));
  for (const [index, step] of file.steps.entries()) {
    const at = ["steps", index];
    if (ids.indexOf(step.id) !== index)
      problems.push({ path: [...at, "id"], message: `there are two steps ${JSON.stringify(step.id)}` });
    const whole = stepWithItem(step.id, file.steps);
    if (whole !== undefined)
      problems.push({
        path: [...at, "id"],
        message: `expected another name: an item of the step ${JSON.stringify(whole)} has this one`,
      });
    for (const [place, id] of (step.needs ?? []).entries())
      if (!ids.includes(id)) problems.push({ path: [...at, "needs", place], message: unknown("step", id, ids) });
    for (const { path, reference } of referencesOf(step)) {
      const message =
        problemOfReference(reference, { ids, inputs, isItem: step.for_each !== undefined }) ??
        problemOfItem(reference, path[0]);
      if (message !== undefined) problems.push({ path: [...at, ...path], message });
    }
    for (const [path, name] of namesIn(step))
      if (name.includes("${"))
        problems.push({
          path: [...at, ...path],
          message: `expected a name without references, got ${JSON.stringify(name)}`,
        });
    if (step.run === "wait" && Object.keys(step.with).length === 0)
      problems.push({ path: [...at, "with"], message: "expected seconds, minutes, hours, days, until or event" });
    if (step.run === "wait")
      for (const [key, value] of Object.entries(step.with)) {
        const isKnown = value !== undefined && !(typeof value === "string" && value.includes("${"));
        const expected = isKnown && waitExpects(key, value);
        if (expected)
          problems.push({ path: [...at, "with", key], message: `expected ${expected}, got ${JSON.stringify(value)}` });
      }
    if (step.run === "wait" && step.for_each !== undefined)
      problems.push({ path: [...at, "for_each"], message: "a wait cannot have for_each" });
  }
  for (const { at, reference } of referencesIn(file.output)) {
    const message = problemOfReference(reference, { ids, inputs, isItem: false });
    if (message !== undefined) problems.push({ path: ["output", ...at], message });
  }
  if (problems.length === 0) {
    const circle = circleIn(file.steps.map((step) => ({ id: step.id, needs: needsOf(step) })));
    if (circle !== undefined) {
      const index = ids.indexOf(circle[0] ?? "");
      problems.push({ path: ["steps", index], message: `steps wait for one another: ${circle.join(" → ")}` });
    }
  }
  return problems;
}

type StepFile = DefinitionFile["steps"][number];

/**
 * The step with an item of this name. Keys of effects, conversations and questions use these names: with a duplicate,
 * one step would get the result of the other.
 */
function stepWithItem(id: string, steps: readonly StepFile[]): string | undefined {
  const whole = /^(.+)-(?:0|[1-9]\d*)$/.exec(id)?.[1];
  return steps.find((step) => step.id === whole && step.for_each !== undefined)?.id;
}

/**
 * Names that a step runs, with their paths. They may not hold references, so that what a run may do is known before it
 * starts.
 */
function namesIn(step: StepFile): readonly (readonly [path: readonly (string | number)[], name: string])[] {
  if (step.run === "tool") return [[["tool"], step.tool]];
  if (step.run === "skill") return [[["skill"], step.skill]];
  if (step.run === "workflow") return [[["workflow"], step.workflow]];
  if (step.run !== "prompt") return [];
  const { tools = [], model = "" } = step;
  return [[["model"], model], ...tools.map((tool, index) => [["tools", index], tool] as const)];
}

/** All references of a step with their paths, including `if` and `for_each`. */
function referencesOf(
  step: StepFile,
): { readonly path: readonly (string | number)[]; readonly reference: Reference | string }[] {
  const { if: condition, for_each: over } = step;
  const texts = step.run === "prompt" ? { prompt: step.prompt } : { with: step.with ?? {} };
  const met = condition === undefined ? undefined : parseCondition(condition);
  return [
    ...referencesIn(texts as JsonValue).map(({ at, reference }) => ({ path: at, reference })),
    ...(met === undefined ? [] : [{ path: ["if"], reference: typeof met === "string" ? met : met.reference }]),
    ...(over === undefined ? [] : [{ path: ["for_each"], reference: parseForEach(over) }]),
  ];
}

/** Parses `for_each: ${steps.list.output}`, or the reference alone. */
export function parseForEach(text: string): Reference | string {
  return parseReference(/^\$\{([^{}]*)\}$/.exec(text.trim())?.[1] ?? text);
}

function problemOfReference(
  reference: Reference | string,
  {
    ids,
    inputs,
    isItem,
  }: { readonly ids: readonly string[]; readonly inputs: readonly string[] | undefined; readonly isItem: boolean },
): string | undefined {
  if (typeof reference === "string") return reference;
  const { root, step, path } = reference;
  if (root === "steps") return step !== undefined && !ids.includes(step) ? unknown("step", step, ids) : undefined;
  if (root === "item" || root === "index")
    return isItem ? undefined : `\${${root}} exists only in a step with for_each`;
  if (root === "run") return undefined;
  const [name] = path;
  if (typeof name !== "string") return "expected the name of an input, such as inputs.topic";
  return inputs === undefined || inputs.includes(name) ? undefined : unknown("input", name, inputs);
}

/** `if` and `for_each` are read before there are items. */
function problemOfItem(reference: Reference | string, key: string | number | undefined): string | undefined {
  if (typeof reference === "string" || (reference.root !== "item" && reference.root !== "index")) return undefined;
  if (key !== "if" && key !== "for_each") return undefined;
  return `\${${reference.root}} does not exist: ${key} is read once for the whole step, before its items`;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const remedy = nearest === undefined ? `known: ${known.join(", ") || "none"}` : `did you mean ${nearest}?`;
  return `there is no ${what} ${JSON.stringify(name)}: ${remedy}`;
}

/** Steps that a step waits for: those listed and those that it refers to. */
function needsOf(step: StepFile): readonly string[] {
  const referred = referencesOf(step).flatMap(({ reference }) =>
    typeof reference === "string" ? [] : (reference.step ?? []),
  );
  return [...new Set([...(step.needs ?? []), ...referred])];
}

/** A cycle of steps, with the first repeated at the end; undefined: none. */
function circleIn(steps: readonly { readonly id: string; readonly needs: readonly string[] }[]): string[] | undefined {
  const needs = new Map(steps.map((step) => [step.id, step.needs]));
  const over = new Set<string>();
  function from(id: string, way: readonly string[]): string[] | undefined {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id];
    if (over.has(id)) return undefined;
    for (const needed of needs.get(id) ?? []) {
      const circle = from(needed, [...way, id]);
      if (circle) return circle;
    }
    over.add(id);
    return undefined;
  }
  for (const { id } of steps) {
    const circle = from(id, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Converts a value to an input's type; undefined: it does not fit. Forms and command lines give texts. */
export function asType(value: JsonValue, type: string): JsonValue | undefined {
  if (type === "list") return Array.isArray(value) ? value : undefined;
  if (type === "object") return typeof value === "object" && !Array.isArray(value) ? value : undefined;
  if (typeof value === type) return value;
  if (type === "number" && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return type === "string" && typeof value === "number" ? String(value) : undefined;
}

function inputsOf(inputs: NonNullable<DefinitionFile["inputs"]>): NonNullable<WorkflowDefinition["inputs"]> {
  if (isList(inputs)) return Object.fromEntries(inputs.map((name) => [name, {}]));
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, input === null ? {} : defined(input)]),
  );
}

function definitionOf(file: DefinitionFile, known = ""): WorkflowDefinition {
  const { name = known, description, inputs, budget, output } = file;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(inputs !== undefined && { inputs: inputsOf(inputs) }),
    ...(budget !== undefined && { budget: budgetOf(budget) }),
    steps: file.steps.map(stepOf),
    ...(output !== undefined && { output }),
  };
}

function stepOf(step: StepFile): StepDefinition {
  const { for_each: forEach, retry, timeout_seconds: timeoutSeconds, on_error: onError, ...rest } = step;
  const needs = needsOf(step);
  return defined({
    ...rest,
    ...(rest.run === "wait" && { with: defined(rest.with) }),
    needs: needs.length > 0 ? needs : undefined,
    forEach,
    retry: retry && defined({ max: retry.max, backoffSeconds: retry.backoff_seconds }),
    timeoutSeconds,
    onError,
  }) as StepDefinition;
}

/** The definition in the form of a file. */
export function fileOf(definition: WorkflowDefinition): JsonValue {
  return asFile(plain(definition)) as JsonValue;
}

/**
 * Renames the keys of a definition and of its steps to those of a file. Values under `with`, `inputs` and `output` stay
 * as they are.
 */
function asFile(definition: unknown): unknown {
  if (!isObject(definition)) return definition;
  const { steps, budget, ...rest } = definition;
  return {
    ...rest,
    ...(budget !== undefined && { budget: isObject(budget) ? snaked(budget) : budget }),
    ...(steps !== undefined && { steps: Array.isArray(steps) ? steps.map(stepAsFile) : steps }),
  };
}

function stepAsFile(step: unknown): unknown {
  if (!isObject(step)) return step;
  const file = snaked(step);
  return isObject(file["retry"]) ? { ...file, retry: snaked(file["retry"]) } : file;
}

function snaked(group: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(group).map(([key, value]) => [snakeCase(key), value]));
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** Copies a value as JSON: the reader's maps have no prototype, and a program may give anything. */
function plain(value: unknown): unknown {
  return value === undefined || value === null ? {} : jsonOf("workflow", value);
}
