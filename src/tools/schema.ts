import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { JsonValue } from "../store/index.ts";
import type { AnyTool } from "./tool.ts";

export type JsonSchema = { readonly [key: string]: JsonValue | undefined };

/**
 * The JSON Schema (draft 7) of a tool's input, as the model gets it.
 * @throws {TypeError} If the schema is neither valibot's nor one that can tell its JSON Schema (https://standardschema.dev/json-schema).
 */
export function toolJsonSchema(name: string, tool: Pick<AnyTool, "inputSchema">): JsonSchema {
  const schema = tool.inputSchema;
  const standard = schema["~standard"] as StandardSchemaV1.Props & {
    jsonSchema?: { input(options: { target: string }): unknown };
  };
  if (standard.vendor === "valibot" && standard.jsonSchema === undefined) {
    const converted: unknown = toJsonSchema(schema as never, {
      target: "draft-07",
      typeMode: "input",
      errorMode: "ignore",
    });
    return closed(converted as JsonSchema);
  }
  if (standard.jsonSchema) return closed(standard.jsonSchema.input({ target: "draft-07" }) as JsonSchema);
  throw new TypeError(
    `Cannot offer the tool ${JSON.stringify(name)} as its inputSchema (${standard.vendor}) has no JSON Schema: give a valibot object schema, or a Standard Schema with ~standard.jsonSchema`,
  );
}

/** Providers want an object, and models behave better when told that nothing else belongs in it. */
function closed(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return rest["type"] === "object" && rest["additionalProperties"] === undefined
    ? { ...rest, additionalProperties: false }
    : rest;
}

export type Checked = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

/** Checks a tool's input against its schema; the message names each field and what was expected. */
export async function checkInput(tool: Pick<AnyTool, "inputSchema">, input: unknown): Promise<Checked> {
  const outcome = tool.inputSchema["~standard"].validate(input);
  const result = outcome instanceof Promise ? await outcome : outcome;
  if (!result.issues) return { ok: true, input: result.value };
  const issues = result.issues.slice(0, 5).map((issue) => {
    const path = (issue.path ?? [])
      .map((segment) => String(typeof segment === "object" ? segment.key : segment))
      .join(".");
    return path === "" ? issue.message : `${path}: ${issue.message}`;
  });
  return { ok: false, message: issues.join("; ") };
}
