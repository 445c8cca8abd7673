import type { JsonValue } from "../store/index.ts";
import { fileOptions } from "./schema/file.ts";
import { type Leaf, type Option, type Section, optionOf, snakeCase } from "../settings/index.ts";

type JsonSchema = Record<string, JsonValue>;
type OfLeaf = (leaf: Leaf) => JsonSchema;

/**
 * Returns the JSON Schema (draft 7) of the configuration file, for editors: `# yaml-language-server: $schema=…` as
 * the file's first line.
 *
 * Source: docs/config.md, "Help in the editor".
 */
export async function configJsonSchema(): Promise<JsonSchema> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const ofLeaf: OfLeaf = ({ schema }) => {
    // Checks that only code can make (a time zone) are left out; `parseConfig` makes them. Descriptions are added
    // below.
    const ignoreActions = ["description", "metadata"];
    const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: "ignore", typeMode: "input", ignoreActions });
    return rest as JsonSchema;
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "wakeful.yaml",
    ...sectionSchema(optionOf(fileOptions) as Section, ofLeaf),
  };
}

function optionSchema(option: Option, ofLeaf: OfLeaf): JsonSchema {
  if (option.status === "refused") return { description: `Not in this version: ${option.what}`, not: {} };
  if (option.status === "later") return { description: `Not in this version, without effect: ${option.what}` };
  const described = { description: option.what };
  if (option.kind === "list")
    return { ...described, type: "array", items: optionSchema(optionOf(option.item), ofLeaf) };
  if (option.kind === "names")
    return { ...described, type: "object", additionalProperties: optionSchema(optionOf(option.item), ofLeaf) };
  if (option.kind === "leaf") return { ...described, ...leafSchema(option, ofLeaf) };
  const one = sectionSchema(option, ofLeaf);
  return option.several ? { ...described, anyOf: [one, { type: "array", items: one }] } : { ...described, ...one };
}

function sectionSchema(section: Section, ofLeaf: OfLeaf): JsonSchema {
  const all = Object.entries(section.keys).map(([name, schema]) => [name, optionOf(schema)] as const);
  const here = all.filter(([, option]) => option.only !== "sdk");
  const required = here.filter(([, option]) => option.required === true).map(([name]) => snakeCase(name));
  return {
    type: required.length === 0 ? ["object", "null"] : "object",
    properties: Object.fromEntries(here.map(([name, option]) => [snakeCase(name), optionSchema(option, ofLeaf)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
}

function leafSchema(leaf: Leaf, ofLeaf: OfLeaf): JsonSchema {
  const standard = leaf.default === undefined ? {} : { default: leaf.default };
  if (leaf.secret) {
    const reference = (name: string) => ({
      type: "object",
      properties: { [name]: { type: "string" } },
      required: [name],
      additionalProperties: false,
    });
    return { anyOf: [{ type: "string", minLength: 1 }, reference("env"), reference("file")] };
  }
  const own = ofLeaf(leaf);
  if (leaf.id) return { ...standard, type: ["string", "integer"] };
  const takesAnyText = own["type"] === "string" && own["pattern"] === undefined && own["format"] === undefined;
  return takesAnyText || Object.keys(own).length === 0
    ? { ...own, ...standard }
    : { ...standard, anyOf: [own, { type: "string", pattern: "\\$\\{" }] };
}
