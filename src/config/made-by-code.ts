import { AssistantError } from "../errors.ts";
import { isUnstorage } from "../store/index.ts";

/** What an object made by code must be able to do, by the option that takes it; an empty list is a function. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  store: ["get", "put", "remove", "list", "append", "read"],
  engine: ["start", "wake", "stop"],
  clock: ["now", "sleep", "at"],
  logger: ["info", "warn", "error"],
  fetch: [],
  lookup: [],
  deliver: [],
  pageReader: ["read"],
  patterns: ["compile"],
};

const WORKSPACE = ["read", "write", "list", "stat", "remove"];

const MEMORY_STORE = ["save", "get", "search", "list", "remove", "archive", "restore", "users", "forget"];

/**
 * Checks what data cannot describe, so that a mistake is told by its option's name and not by what breaks first.
 *
 * @throws {AssistantError} `OPTION_INVALID`, naming the option, what was expected and what was given.
 */
export function checkMadeByCode(options: object): void {
  for (const [name, members] of Object.entries(MEMBERS)) {
    const value: unknown = options[name as keyof typeof options];
    if (value === undefined || (name === "store" && isUnstorage(value))) continue;
    checkMembers(`option ${name}`, value, members);
  }
  const {
    workspace,
    agent,
    agents = [agent ?? {}],
  } = options as {
    readonly workspace?: unknown;
    readonly agent?: { readonly workspace?: unknown };
    readonly agents?: readonly { readonly workspace?: unknown }[];
  };
  for (const one of [workspace === false ? undefined : workspace, ...agents.map((each) => each.workspace)])
    if (one !== undefined) checkMembers("option workspace", one, WORKSPACE);
  const { memory } = options as { readonly memory?: { readonly store?: unknown; readonly embedder?: unknown } };
  if (memory?.store !== undefined) checkMembers("option memory.store", memory.store, MEMORY_STORE);
  if (memory?.embedder !== undefined) checkMembers("option memory.embedder", memory.embedder, ["doEmbed"]);
  const { channels = [], tools = {} } = options as { readonly channels?: unknown; readonly tools?: unknown };
  if (!Array.isArray(channels)) throw invalid("option channels", "a list of channels", channels);
  channels.forEach((channel: unknown, index) => {
    checkMembers(`option channels[${index}]`, channel, ["send"]);
    const { name, access } = channel as { readonly name?: unknown; readonly access?: unknown };
    if (typeof name !== "string" || typeof access !== "object" || access === null)
      throw invalid(`option channels[${index}]`, "a channel, with name and access", channel);
  });
  if (typeof tools !== "object" || tools === null) throw invalid("option tools", "tools by name", tools);
  for (const [name, tool] of Object.entries(tools)) {
    checkMembers(`option tools.${name}`, tool, ["execute"]);
    if ((tool as { readonly inputSchema?: unknown }).inputSchema === undefined)
      throw invalid(`option tools.${name}`, "a tool with an inputSchema, as defineTool makes it", tool);
  }
}

function checkMembers(what: string, value: unknown, members: readonly string[]): void {
  if (members.length === 0) {
    if (typeof value !== "function") throw invalid(what, "a function", value);
    return;
  }
  const missing = members.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== "function");
  if (missing !== undefined) throw invalid(what, `an object with the functions ${members.join(", ")}`, value);
}

function invalid(what: string, expected: string, value: unknown): AssistantError {
  const shown = typeof value === "object" && value !== null ? `{ ${Object.keys(value).join(", ")} }` : String(value);
  return new AssistantError("OPTION_INVALID", `Invalid ${what}: expected ${expected}, got ${shown}`);
}
