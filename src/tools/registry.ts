import { type JsonSchema, toolJsonSchema } from "./schema.ts";
import type { AnyTool, VisibilityContext } from "./tool.ts";

/**
 * Where a tool comes from, in the order in which names are looked up: built in or given by the host, registered while
 * the program runs, offered by MCP servers.
 */
export type ToolLevel = "static" | "dynamic" | "mcp";

/** A tool as the registry keeps it. */
export interface RegisteredTool {
  /** The full name, which policy, audit and metrics use. */
  readonly name: string;
  /** The name that the model sees: providers accept letters, digits, `_` and `-`, at most 64. */
  readonly modelName: string;
  readonly level: ToolLevel;
  readonly description: string;
  readonly groups: readonly string[];
  readonly dangerous: boolean;
  readonly idempotent: boolean;
  /** Whether its output comes from outside: the prompt shows it inside a boundary. */
  readonly untrusted: boolean;
  readonly jsonSchema: JsonSchema;
  readonly tool: AnyTool;
}

/**
 * A tool that is not offered because a tool of a higher level has its name, or a name that looks the same to the
 * model.
 */
export interface ToolClash {
  readonly name: string;
  readonly level: ToolLevel;
  /** The tool that is offered. */
  readonly takenBy: { readonly name: string; readonly level: ToolLevel };
}

const NAME = /^[A-Za-z0-9_:.-]{1,128}$/;
const MAX_MODEL_NAME = 64;
const LEVELS: readonly ToolLevel[] = ["static", "dynamic", "mcp"];

export type ToolRegistry = ReturnType<typeof createToolRegistry>;

export interface ToolRegistryOptions {
  /** Called once for each tool that is registered but not offered. */
  readonly onClash?: (clash: ToolClash) => void;
  /** Returns why a configured tool is not there yet. Default: `undefined`. */
  readonly whyAbsent?: (name: string) => string | undefined;
}

/**
 * Creates the registry of an assistant's tools, on three levels. `tools` are the static ones. The first registration
 * of a name wins: the runtime's tools come before those that the host adds, unless the host replaces one on purpose.
 * @throws {RangeError} If a name is not made of letters, digits, `_`, `-`, `.` and `:`, or two static names look
 * alike to the model.
 */
export function createToolRegistry(
  tools: Readonly<Record<string, AnyTool>>,
  { onClash = () => {}, whyAbsent = () => undefined }: ToolRegistryOptions = {},
) {
  const levels = {
    static: new Map<string, RegisteredTool>(),
    dynamic: new Map<string, RegisteredTool>(),
    mcp: new Map<string, RegisteredTool>(),
  };
  for (const [key, tool] of Object.entries(tools)) {
    const registered = read("static", tool.name ?? key, tool);
    levels.static.set(registered.name, registered);
  }
  const onArrival: (() => void)[] = [];
  let offered = offer(levels);
  const [impossible] = offered.clashes;
  if (impossible)
    throw new RangeError(
      `Cannot register the tool ${impossible.name} as the model could not tell it from ${impossible.takenBy.name}`,
    );
  /**
   * The last list that `visible` returned. Most callers see the same tools, and values derived from a list are cached
   * with it.
   */
  let shown = offered.all;

  function refresh(): void {
    const before = offered;
    offered = offer(levels);
    for (const clash of offered.clashes)
      if (!before.clashes.some((known) => known.name === clash.name && known.level === clash.level)) onClash(clash);
  }

  const find = (name: string): RegisteredTool | undefined => offered.byName.get(name) ?? offered.byModelName.get(name);

  return {
    /** The offered tools, by name in ascending order. */
    get all(): readonly RegisteredTool[] {
      return offered.all;
    },
    /** Registered tools that a tool of a higher level hides. */
    get clashes(): readonly ToolClash[] {
      return offered.clashes;
    },
    /** Names that a policy may use: those of tools and of their groups. */
    names: () => ({ tools: offered.all.map(({ name }) => name), groups: offered.all.flatMap(({ groups }) => groups) }),
    /** Whether a tool has this full name. */
    has: (name: string): boolean => find(name)?.name === name,
    /** Returns what is wrong with a pattern of arguments for a tool, if anything. */
    async checkPattern(name: string, pattern: string): Promise<string | undefined> {
      const { patterns } = find(name)?.tool.meta ?? {};
      return patterns ? patterns.check(pattern) : `${name} does not support patterns`;
    },
    /** Finds a tool by full name or by the name that the model sees. */
    find,
    /** Returns why `find` has no tool of this name although it is configured. */
    whyAbsent,
    /**
     * Adds a tool while the program runs; it replaces one of the same level and name.
     * @returns Removes the tool; has no effect if it was replaced in the meantime.
     * @throws {RangeError} For a bad name.
     */
    register(level: "dynamic" | "mcp", name: string, tool: AnyTool): () => void {
      const registered = read(level, name, tool);
      levels[level].set(name, registered);
      refresh();
      for (const arrived of onArrival) arrived();
      return () => {
        if (levels[level].get(name) !== registered) return;
        levels[level].delete(name);
        refresh();
      };
    },
    /** Adds a listener that is called after each registration. */
    onRegistered: (arrived: () => void) => void onArrival.push(arrived),
    /** The tools that this caller's model sees, in a stable order; the call asks `refuses` again. */
    visible(context: VisibilityContext, refuses: (tool: RegisteredTool) => boolean): readonly RegisteredTool[] {
      const visible = offered.all.filter((tool) => !refuses(tool) && isVisible(tool, context));
      if (visible.length !== shown.length || visible.some((tool, index) => tool !== shown[index])) shown = visible;
      return shown;
    },
  };
}

function offer(levels: Readonly<Record<ToolLevel, ReadonlyMap<string, RegisteredTool>>>) {
  const byName = new Map<string, RegisteredTool>();
  const byModelName = new Map<string, RegisteredTool>();
  const clashes: ToolClash[] = [];
  for (const level of LEVELS) {
    for (const tool of levels[level].values()) {
      const taken = byName.get(tool.name) ?? byModelName.get(tool.modelName);
      if (taken) {
        clashes.push({ name: tool.name, level, takenBy: { name: taken.name, level: taken.level } });
        continue;
      }
      byName.set(tool.name, tool);
      byModelName.set(tool.modelName, tool);
    }
  }
  const all: readonly RegisteredTool[] = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { byName, byModelName, clashes, all };
}

/** Asks the tool's own filter. A filter that throws hides the tool. */
export function isVisible(tool: RegisteredTool, context: VisibilityContext): boolean {
  try {
    return tool.tool.meta?.visibleTo?.(context) ?? true;
  } catch {
    return false;
  }
}

function read(level: ToolLevel, name: string, tool: AnyTool): RegisteredTool {
  if (!NAME.test(name)) {
    throw new RangeError(
      `Cannot register a tool as its name must be 1 to 128 letters, digits, "_", "-", "." or ":": current value is ${JSON.stringify(name)}`,
    );
  }
  if (typeof tool?.execute !== "function")
    throw new TypeError(`Cannot register ${JSON.stringify(name)}: expected a tool, as defineTool() gives it`);
  const meta = tool.meta ?? {};
  const tagged = (meta.tags ?? []).filter((tag) => tag.startsWith("group:")).map((tag) => tag.slice("group:".length));
  return {
    name,
    modelName: modelNameOf(name),
    level,
    description: tool.description,
    groups: [...new Set([...tagged, ...(meta.category === undefined ? [] : [meta.category])])].filter(
      (group) => group !== "",
    ),
    dangerous: meta.dangerous ?? false,
    idempotent: meta.idempotent ?? false,
    untrusted: meta.untrusted ?? false,
    jsonSchema: toolJsonSchema(name, tool),
    tool,
  };
}

function modelNameOf(name: string): string {
  const plain = name.replaceAll(":", "__").replaceAll(".", "_");
  if (plain.length <= MAX_MODEL_NAME) return plain;
  const hash = shortHash(name);
  return `${plain.slice(0, MAX_MODEL_NAME - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits: only distinguishes long names; a clash is refused at registration. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
