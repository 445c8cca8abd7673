import { type Schema, type Section, optionOf } from "../settings/index.ts";
import { AssistantError } from "../errors.ts";
import { isUnstorage } from "../store/index.ts";
import { sdkOptions } from "./schema/sdk.ts";

const WORKSPACE = ["read", "write", "list", "stat", "remove"];

/**
 * Checks the options that are objects or functions, so that the error names the option and not the code that fails
 * first.
 *
 * @throws {AssistantError} `OPTION_INVALID`, with the option, what was expected and what was given.
 */
export function checkMadeByCode(options: object): void {
  checkKeys(sdkOptions, options, "");
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
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of ["channels", "hooks", "registries"])
    if (given[name] !== undefined && !Array.isArray(given[name]))
      throw invalid(`option ${name}`, `a list of ${name}`, given[name]);
  checkDetectors(
    (options as { readonly proactive?: { readonly patterns?: { readonly detectors?: unknown } } }).proactive?.patterns
      ?.detectors,
  );
  const { channels = [], tools = {} } = options as { readonly channels?: unknown[]; readonly tools?: unknown };
  channels.forEach((channel, index) => {
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

function checkDetectors(detectors: unknown = []): void {
  const option = "option proactive.patterns.detectors";
  if (!Array.isArray(detectors)) throw invalid(option, "a list of detectors", detectors);
  for (const [index, detector] of detectors.entries())
    checkMembers(`${option}[${index}]`, detector, ["detect", "suggest"]);
}

/** Checks the keys whose schema lists the functions that they must have (`can`). */
function checkKeys(schema: Schema, values: object, prefix: string): void {
  for (const [name, key] of Object.entries((optionOf(schema) as Section).keys)) {
    const value: unknown = values[name as keyof typeof values];
    const option = optionOf(key);
    if (value === undefined || (prefix + name === "store" && isUnstorage(value))) continue;
    if (option.kind === "section") checkKeys(key, Object(value) as object, `${prefix}${name}.`);
    else if (option.kind === "leaf" && option.can !== undefined)
      checkMembers(`option ${prefix}${name}`, value, option.can);
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
