import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { BaseIssue } from "valibot";
import { issueText } from "../issue-text.ts";
import type { JsonValue } from "../store/index.ts";
import type { AnyTool } from "./tool.ts";

export type JsonSchema = { readonly [key: string]: JsonValue | undefined };

/** Valibot types that JSON does not have. */
const NOT_JSON = new Set("bigint blob date file function instance map nan promise set symbol void".split(" "));

/**
 * Returns the JSON Schema (draft 7) of a tool's input, as the model gets it.
 * @throws {TypeError} If the schema is neither valibot's nor one that can tell its JSON Schema
 * (https://standardschema.dev/json-schema), or if it needs values that no model can send.
 */
export function toolJsonSchema(name: string, { inputSchema }: Pick<AnyTool, "inputSchema">): JsonSchema {
  // A program without types may give any value.
  const schema = inputSchema as Partial<AnyTool["inputSchema"]> | undefined;
  const standard:
    | (StandardSchemaV1.Props & { jsonSchema?: { input(options: { target: string }): unknown } })
    | undefined = schema?.["~standard"];
  const refused = (why: string) =>
    new TypeError(`Cannot offer the tool ${JSON.stringify(name)} as its inputSchema ${why}: ${EXPECTED}`);
  if (standard?.jsonSchema) return objectOf(standard.jsonSchema.input({ target: "draft-07" }) as JsonSchema, refused);
  if (standard?.vendor !== "valibot")
    throw refused(standard ? `(${standard.vendor}) has no JSON Schema` : "is not a Standard Schema");
  const { type, entries = {} } = schema as unknown as {
    readonly type: string;
    readonly entries?: Readonly<Record<string, { readonly type: string }>>;
  };
  if (NOT_JSON.has(type)) throw refused(`has the type ${type}, but a model sends JSON`);
  for (const [field, { type: held }] of Object.entries(entries))
    if (NOT_JSON.has(held)) throw refused(`wants ${field} of the type ${held}, but a model sends JSON`);
  const converted: unknown = toJsonSchema(schema as never, {
    target: "draft-07",
    typeMode: "input",
    errorMode: "ignore",
    // Names are always strings, and OpenAI's models reject this keyword: the SDK would warn at each call.
    overrideSchema: ({ jsonSchema: { propertyNames, ...rest } }) =>
      JSON.stringify(propertyNames) === '{"type":"string"}' ? rest : undefined,
  });
  return objectOf(converted as JsonSchema, refused);
}

const EXPECTED =
  "use a valibot object schema of JSON types, such as v.object({ city: v.string() }), or a Standard Schema of an object with ~standard.jsonSchema";

function objectOf(schema: JsonSchema, refused: (why: string) => TypeError): JsonSchema {
  const { type = "object" } = schema;
  if (type !== "object") throw refused(`has the type ${JSON.stringify(type)}, but must be an object`);
  return closed(schema);
}

/** Providers require an object, and models behave better when the schema excludes other properties. */
function closed(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return rest["type"] === "object" && rest["additionalProperties"] === undefined
    ? { ...rest, additionalProperties: false }
    : rest;
}

export type Checked = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

/** Checks a tool's input against its schema. The message names each field and what was expected. */
export async function checkInput(tool: Pick<AnyTool, "inputSchema">, input: unknown): Promise<Checked> {
  const standard = tool.inputSchema["~standard"];
  const outcome = standard.validate(input);
  const result = outcome instanceof Promise ? await outcome : outcome;
  if (!result.issues) return { ok: true, input: result.value };
  const issues = result.issues.slice(0, 5).map((issue) => {
    const path = (issue.path ?? [])
      .map((segment) => String(typeof segment === "object" ? segment.key : segment))
      .join(".");
    const message = standard.vendor === "valibot" ? issueText(issue as BaseIssue<unknown>) : issue.message;
    return path === "" ? message : `${path}: ${message}`;
  });
  return { ok: false, message: issues.join("; ") };
}
