import { AssistantError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, type ConfigIssue, changeYaml } from "../settings/index.ts";
import { type JsonValue, type Store, isObject, keySegments, storeKey } from "../store/index.ts";
import type { WorkflowSummary } from "./api.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { asType, checkWorkflow, fileOf, jsonOf, readWorkflow } from "./read-workflow.ts";

const FOLDER = "workflows/defs/";
const FILE_END = ".yaml";
/** Longest file, in characters. */
const MAX_FILE = 200_000;

export interface DefinitionsDeps {
  readonly store: Store;
  readonly yaml: Platform["yaml"];
  /** Built-in definitions: YAML by name. */
  readonly builtIn: Readonly<Record<string, string>>;
}

/** A definition with its origin. */
export interface KnownDefinition {
  readonly definition: WorkflowDefinition;
  readonly source: WorkflowSummary["source"];
  readonly yaml: string;
}

export type Definitions = ReturnType<typeof createDefinitions>;

/**
 * Definitions of the host, of files that people edit, and built-in ones. When names collide, the first in this order
 * wins. A file is read on each request, so that edits count at once.
 *
 * @param given Definitions of the host: YAML or objects.
 * @throws {ConfigError} or {AssistantError} `OPTION_INVALID` for an invalid one.
 */
export function createDefinitions(
  { store, yaml, builtIn }: DefinitionsDeps,
  given: readonly (string | WorkflowDefinition)[] = [],
) {
  const ofHost = new Map(
    given.map((one, index) => {
      const definition =
        typeof one === "string"
          ? readWorkflow(one, { yaml, file: `workflow.definitions[${index}]` })
          : checkWorkflow(one);
      return [definition.name, definition];
    }),
  );

  /** @throws {ConfigError} For an unreadable file. */
  async function find(name: string): Promise<KnownDefinition | undefined> {
    const host = ofHost.get(name);
    if (host) return { definition: host, source: "host", yaml: toYaml(host) };
    const text = await fileText(name);
    if (text !== undefined)
      return { definition: readWorkflow(text, { yaml, file: keyOf(name), name }), source: "file", yaml: text };
    const shipped = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
    if (shipped === undefined) return undefined;
    return {
      definition: readWorkflow(shipped, { yaml, file: `${name}.yaml`, name }),
      source: "built-in",
      yaml: shipped,
    };
  }

  async function fileText(name: string): Promise<string | undefined> {
    if (name === "") return undefined;
    const value = (await store.get(keyOf(name)))?.value;
    return typeof value === "string" ? value : undefined;
  }

  async function names(): Promise<readonly string[]> {
    const known = new Set([...ofHost.keys(), ...Object.keys(builtIn)]);
    for await (const { key } of store.list(FOLDER)) if (key.endsWith(FILE_END)) known.add(nameOf(key));
    return [...known].toSorted();
  }

  /** Lists all readable definitions, and the problems of unreadable files. */
  async function list(): Promise<{
    readonly known: readonly KnownDefinition[];
    readonly problems: readonly ConfigIssue[];
  }> {
    const known: KnownDefinition[] = [];
    const problems: ConfigIssue[] = [];
    for (const name of await names()) {
      try {
        const found = await find(name);
        if (found) known.push(found);
      } catch (error) {
        if (error instanceof ConfigError) problems.push(...error.issues);
        else problems.push({ file: keyOf(name), line: 1, column: 1, path: "", message: messageOf(error) });
      }
    }
    return { known, problems };
  }

  /** Checks YAML or an object. */
  function read(definition: string | WorkflowDefinition, name?: string): WorkflowDefinition {
    if (typeof definition !== "string") return checkWorkflow(definition, name);
    return readWorkflow(definition, { yaml, ...(name !== undefined && { name, file: `${name}${FILE_END}` }) });
  }

  function toYaml(definition: WorkflowDefinition): string {
    return changeYaml("", {}, fileOf(definition) as Readonly<Record<string, JsonValue>>, yaml);
  }

  return {
    find,
    list,
    read,
    toYaml,
    /**
     * Saves a definition as a file.
     * @throws {ConfigError} or {AssistantError} `OPTION_INVALID` for an invalid one; `CONFLICT` for a name that the
     * host uses.
     */
    async save(definition: string | WorkflowDefinition, name?: string): Promise<KnownDefinition> {
      const checked = read(definition, name);
      const text = typeof definition === "string" ? definition : toYaml(checked);
      if (text.length > MAX_FILE)
        throw new AssistantError("OPTION_INVALID", `Invalid workflow: it has more than ${MAX_FILE} characters`);
      if (ofHost.has(checked.name))
        throw new AssistantError(
          "CONFLICT",
          `The workflow ${checked.name} belongs to the program: choose another name`,
        );
      await store.put(keyOf(checked.name), text);
      return { definition: checked, source: "file", yaml: text };
    },
    /** @returns False when no file has it. */
    async remove(name: string): Promise<boolean> {
      if ((await fileText(name)) === undefined) return false;
      await store.remove(keyOf(name));
      return true;
    },
  };
}

export function summaryOf({ definition, source }: Pick<KnownDefinition, "definition" | "source">): WorkflowSummary {
  const { name, description = "", inputs = {}, steps } = definition;
  return { name, description, source, inputs, steps: steps.length };
}

interface WrongInput {
  readonly input: string;
  readonly message: string;
}

/** The error for inputs that a workflow does not take. */
export class WrongInputsError extends AssistantError {
  override readonly name = "WrongInputsError";
  readonly wrong: readonly WrongInput[];

  constructor(workflow: string, wrong: readonly WrongInput[]) {
    const told = wrong.map(({ message }) => message).join("; ");
    super("OPTION_INVALID", `Invalid inputs of the workflow ${workflow}: ${told}`);
    this.wrong = wrong;
  }
}

/**
 * Merges given inputs with the defaults of the rest.
 * @throws {WrongInputsError} Naming each invalid input and what was expected.
 */
export function readInputs(
  { name, inputs }: WorkflowDefinition,
  values: Readonly<Record<string, JsonValue>> = {},
): Readonly<Record<string, JsonValue>> {
  const given = jsonOf(`inputs of the workflow ${name}`, values);
  if (!isObject(given)) {
    const message = `expected a group of values by name, got ${JSON.stringify(given).slice(0, 60)}`;
    throw new AssistantError("OPTION_INVALID", `Invalid inputs of the workflow ${name}: ${message}`);
  }
  if (inputs === undefined) return given;
  const known = Object.keys(inputs).join(", ") || "none";
  const wrong: WrongInput[] = Object.keys(given)
    .filter((input) => !Object.hasOwn(inputs, input))
    .map((input) => ({ input, message: `there is no input ${JSON.stringify(input)}; known: ${known}` }));
  const read: Record<string, JsonValue> = {};
  for (const [input, { type, default: standard, required = standard === undefined }] of Object.entries(inputs)) {
    const value = Object.hasOwn(given, input) ? given[input] : standard;
    if (value === undefined || value === null) {
      if (required) wrong.push({ input, message: `${input} is missing${type ? `: expected a ${type}` : ""}` });
      continue;
    }
    const fitting = type === undefined ? value : asType(value, type);
    if (fitting !== undefined) read[input] = fitting;
    else wrong.push({ input, message: `${input}: expected a ${type}, got ${JSON.stringify(value).slice(0, 60)}` });
  }
  if (wrong.length > 0) throw new WrongInputsError(name, wrong);
  return read;
}

function keyOf(name: string): string {
  return FOLDER + storeKey(`${name}${FILE_END}`);
}

function nameOf(key: string): string {
  return (keySegments(key).at(-1) ?? "").slice(0, -FILE_END.length);
}
