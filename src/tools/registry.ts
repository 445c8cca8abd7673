import { type JsonSchema, toolJsonSchema } from "./schema.ts";
import type { AnyTool, VisibilityContext } from "./tool.ts";

/** A tool as the registry keeps it. */
export interface RegisteredTool {
  /** The full name: policy, audit and metrics use it. */
  readonly name: string;
  /** The name that the model sees: providers take letters, digits, `_` and `-`, 64 at most. */
  readonly modelName: string;
  readonly description: string;
  readonly groups: readonly string[];
  readonly dangerous: boolean;
  readonly idempotent: boolean;
  readonly jsonSchema: JsonSchema;
  readonly tool: AnyTool;
}

const NAME = /^[A-Za-z0-9_:-]{1,128}$/;
const LONGEST_MODEL_NAME = 64;

export type ToolRegistry = ReturnType<typeof createToolRegistry>;

/**
 * The tools of an assistant. The first registration of a name wins: what the runtime brings is given before what the host adds, unless the host replaces it on purpose.
 * @throws {RangeError} If a name is not made of letters, digits, `_`, `-` and `:`, or two names look alike to the model.
 */
export function createToolRegistry(tools: Readonly<Record<string, AnyTool>>) {
  const byName = new Map<string, RegisteredTool>();
  const byModelName = new Map<string, RegisteredTool>();
  for (const [key, tool] of Object.entries(tools)) {
    const registered = register(tool.name ?? key, tool);
    const clash = byModelName.get(registered.modelName);
    if (clash)
      throw new RangeError(
        `Cannot register the tool ${registered.name} as the model could not tell it from ${clash.name}`,
      );
    byName.set(registered.name, registered);
    byModelName.set(registered.modelName, registered);
  }
  const all: readonly RegisteredTool[] = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  /** What was shown last. Most callers see the same tools, and what is derived from a list is kept with it. */
  let shown = all;

  return {
    all,
    /** By full name or by the name that the model sees. */
    find: (name: string): RegisteredTool | undefined => byName.get(name) ?? byModelName.get(name),
    /** What this caller's model is shown, in a stable order; `refuses` is the same question that the call asks again. */
    visible(context: VisibilityContext, refuses: (tool: RegisteredTool) => boolean): readonly RegisteredTool[] {
      const visible = all.filter((tool) => !refuses(tool) && isVisible(tool, context));
      if (visible.length !== shown.length || visible.some((tool, index) => tool !== shown[index])) shown = visible;
      return shown;
    },
  };
}

/** Asks the tool's own filter; one that throws hides the tool. */
export function isVisible(tool: RegisteredTool, context: VisibilityContext): boolean {
  try {
    return tool.tool.meta?.visibleTo?.(context) ?? true;
  } catch {
    return false;
  }
}

function register(name: string, tool: AnyTool): RegisteredTool {
  if (!NAME.test(name)) {
    throw new RangeError(
      `Cannot register a tool as its name must be 1 to 128 letters, digits, "_", "-" or ":": current value is ${JSON.stringify(name)}`,
    );
  }
  const meta = tool.meta ?? {};
  const tagged = (meta.tags ?? []).filter((tag) => tag.startsWith("group:")).map((tag) => tag.slice("group:".length));
  return {
    name,
    modelName: modelNameOf(name),
    description: tool.description,
    groups: [...new Set([...tagged, ...(meta.category === undefined ? [] : [meta.category])])],
    dangerous: meta.dangerous ?? false,
    idempotent: meta.idempotent ?? false,
    jsonSchema: toolJsonSchema(name, tool),
    tool,
  };
}

function modelNameOf(name: string): string {
  const plain = name.replaceAll(":", "__");
  if (plain.length <= LONGEST_MODEL_NAME) return plain;
  const hash = shortHash(name);
  return `${plain.slice(0, LONGEST_MODEL_NAME - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits: only tells long names apart, and a clash is refused at registration. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
