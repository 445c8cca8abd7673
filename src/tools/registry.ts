import { type JsonSchema, toolJsonSchema } from "./schema.ts";
import type { AnyTool, VisibilityContext } from "./tool.ts";

/**
 * Where a tool comes from, in the order in which names are looked up: what is built in or given by the host, what is registered while the program
 * runs, what MCP servers offer.
 */
export type ToolLevel = "static" | "dynamic" | "mcp";

/** A tool as the registry keeps it. */
export interface RegisteredTool {
  /** The full name: policy, audit and metrics use it. */
  readonly name: string;
  /** The name that the model sees: providers take letters, digits, `_` and `-`, 64 at most. */
  readonly modelName: string;
  readonly level: ToolLevel;
  readonly description: string;
  readonly groups: readonly string[];
  readonly dangerous: boolean;
  readonly idempotent: boolean;
  /** Its output comes from outside: the prompt shows it inside a boundary. */
  readonly untrusted: boolean;
  readonly jsonSchema: JsonSchema;
  readonly tool: AnyTool;
}

/** A tool that is not offered, since a tool of a higher level has its name, or one that looks the same to the model. */
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
  /** Told once for each tool that is registered but not offered. */
  readonly onClash?: (clash: ToolClash) => void;
  /** Why a tool that is configured is not there yet. Default: nobody knows. */
  readonly whyAbsent?: (name: string) => string | undefined;
}

/**
 * The tools of an assistant, on three levels. `tools` are the static ones; the first registration of a name wins: what the runtime brings is given
 * before what the host adds, unless the host replaces it on purpose.
 * @throws {RangeError} If a name is not made of letters, digits, `_`, `-`, `.` and `:`, or two static names look alike to the model.
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
  /** What was shown last. Most callers see the same tools, and what is derived from a list is kept with it. */
  let shown = offered.all;

  function refresh(): void {
    const before = offered;
    offered = offer(levels);
    for (const clash of offered.clashes)
      if (!before.clashes.some((known) => known.name === clash.name && known.level === clash.level)) onClash(clash);
  }

  const find = (name: string): RegisteredTool | undefined => offered.byName.get(name) ?? offered.byModelName.get(name);

  return {
    /** The tools that are offered, by name in ascending order. */
    get all(): readonly RegisteredTool[] {
      return offered.all;
    },
    /** Tools that are registered but hidden by one of a higher level. */
    get clashes(): readonly ToolClash[] {
      return offered.clashes;
    },
    /** Names that a policy may use: of tools, and of their groups. */
    names: () => ({ tools: offered.all.map(({ name }) => name), groups: offered.all.flatMap(({ groups }) => groups) }),
    /** Is there a tool of this full name? */
    has: (name: string): boolean => find(name)?.name === name,
    /** What is wrong with a pattern of arguments for a tool, if anything. */
    async checkPattern(name: string, pattern: string): Promise<string | undefined> {
      const { patterns } = find(name)?.tool.meta ?? {};
      return patterns ? patterns.check(pattern) : `${name} knows no patterns`;
    },
    /** By full name or by the name that the model sees. */
    find,
    /** Why `find` knows no tool of this name although it is configured. */
    whyAbsent,
    /**
     * Adds a tool while the program runs; one of the same level and name is replaced.
     * @returns Takes it away again; harmless when it was replaced meanwhile.
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
    /** Told after each registration. */
    onRegistered: (arrived: () => void) => void onArrival.push(arrived),
    /** What this caller's model is shown, in a stable order; `refuses` is the same question that the call asks again. */
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

/** Asks the tool's own filter; one that throws hides the tool. */
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

/** FNV-1a, 32 bits: only tells long names apart, and a clash is refused at registration. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
