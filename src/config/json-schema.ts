import type { JsonValue } from "../store/index.ts";
import { fileOptions } from "./file-keys.ts";
import { snakeCase } from "../settings/index.ts";
import type { Leaf, Option, Section } from "../settings/index.ts";

type Schema = Record<string, JsonValue>;
type LeafSchema = (leaf: Leaf) => Schema;

/**
 * The JSON Schema (draft 7) of the configuration file, for editors: `# yaml-language-server: $schema=…` as the file's first line.
 * Source: docs/config.md, "Help in the editor".
 */
export async function configJsonSchema(): Promise<Schema> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const ofLeaf: LeafSchema = ({ schema }) => {
    // What only code can check (a time zone) is left out; the reader of the file checks it.
    const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: "ignore", typeMode: "input" });
    return rest as Schema;
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "wakeful.yaml",
    ...sectionSchema(fileOptions, ofLeaf),
  };
}

function optionSchema(option: Option, ofLeaf: LeafSchema): Schema {
  if (option.status === "refused") return { description: `Not in this version: ${option.what}`, not: {} };
  if (option.status === "later") return { description: `Not in this version, without effect: ${option.what}` };
  const described = { description: option.what };
  if (option.kind === "list") return { ...described, type: "array", items: optionSchema(option.item, ofLeaf) };
  if (option.kind === "names")
    return { ...described, type: "object", additionalProperties: optionSchema(option.item, ofLeaf) };
  if (option.kind === "leaf") return { ...described, ...leafSchema(option, ofLeaf) };
  const one = sectionSchema(option, ofLeaf);
  return option.several ? { ...described, anyOf: [one, { type: "array", items: one }] } : { ...described, ...one };
}

function sectionSchema(section: Section, ofLeaf: LeafSchema): Schema {
  const here = Object.entries(section.keys).filter(([, option]) => option.only !== "sdk");
  const required = here.filter(([, option]) => option.required === true).map(([name]) => snakeCase(name));
  return {
    type: required.length === 0 ? ["object", "null"] : "object",
    properties: Object.fromEntries(here.map(([name, option]) => [snakeCase(name), optionSchema(option, ofLeaf)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
}

function leafSchema(leaf: Leaf, ofLeaf: LeafSchema): Schema {
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
