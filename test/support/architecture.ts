import { readSource } from "./source-text.ts";
import { ANSWERS } from "./ways-out.ts";

/** From the lowest up: a room imports rooms of lower storeys, and (ground and doors only) of its own. */
const STOREYS = ["ground", "keepers", "makers", "flows", "doors"] as const;
type Storey = (typeof STOREYS)[number];

/** Every room of `src/`, whether it exists yet or not, and every file that stands alone there. */
const ROOMS: { readonly [room: string]: Storey } = {
  ...storey(
    "ground",
    "message.ts",
    "channel.ts",
    "channel-options.ts",
    "channels.ts",
    "errors.ts",
    "clock.ts",
    "time-limit.ts",
    "calendar.ts",
    "lifecycle.ts",
    "hash.ts",
    "ids.ts",
    "host-channels.ts",
    "reply.ts",
    "notice.ts",
    "short-text.ts",
    "speaker.ts",
    "call-text.ts",
    "issue-text.ts",
    "tool-lists.ts",
    "codes.ts",
    "platform.ts",
    "telemetry-port.ts",
    "libraries.ts",
  ),
  ...storey(
    "ground",
    "store",
    "engine",
    "events",
    "policy",
    "guard",
    "telemetry",
    "settings",
    "commands",
    "erasable",
    "patterns",
    "statements",
  ),
  ...storey(
    "keepers",
    "session",
    "memory",
    "skills",
    "schedule",
    "workflow",
    "subagents",
    "goals",
    "outbox",
    "approvals",
  ),
  ...storey("keepers", "buttons", "artifacts", "people", "persona", "notifications", "attention", "usage", "access"),
  ...storey("makers", "tools", "context", "agent"),
  ...storey(
    "flows",
    "inbox",
    "turn",
    "work",
    "delivery",
    "listening",
    "notify",
    "alerts",
    "proactive",
    "retention",
    "erasure",
    "belonging",
  ),
  ...storey(
    "doors",
    "config",
    "http",
    "assembly",
    "gateway-state.ts",
    "assistant.ts",
    "assistant-calls.ts",
    "assistant-types.ts",
    "version.ts",
    "testing",
  ),
};

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly detail: string;
}

interface Place {
  /** A path from the root of the repository. */
  readonly file: string;
  readonly room: string;
  readonly storey: Storey | undefined;
}

/** Names that the core must not use, and the files that may all the same. */
const FORBIDDEN: readonly { readonly rule: string; readonly pattern: RegExp; readonly except: RegExp }[] = [
  {
    rule: "src names no runtime",
    pattern:
      /(?<![.\w$])(?:process\s*\.|Deno\s*\.|Bun\s*\.|Buffer\b(?!\s*[:?])|__dirname\b|__filename\b|require\s*\()/g,
    except: /^$/,
  },
  {
    rule: "src sets no timer outside of clock.ts and engine/",
    pattern: /(?<![\w$])(?:setTimeout|setInterval|setImmediate|AbortSignal\s*\.\s*timeout)\b/g,
    // The page's script runs in the browser of a person, not in the core.
    except: /^src\/(?:clock\.ts|engine\/.*|http\/page\/client\.ts)$/,
  },
  {
    rule: "src reads no wall clock outside of clock.ts and engine/",
    pattern: /(?<![\w$])(?:Date\s*\.\s*now\b|new\s+Date\s*\(\s*\)|new\s+Date\b(?!\s*\()|performance\s*\.\s*now\b)/g,
    except: /^src\/(?:clock\.ts|engine\/.*|http\/page\/client\.ts)$/,
  },
  {
    rule: "the composition root calls no method of a store but close",
    // Called as it stands, with its methods taken out first, or under another name.
    pattern:
      /\bstore\s*(?:[?!]\s*)?\.\s*(?!close\b|caps\b)[a-z]\w*\s*(?:\?\.)?\(|\}\s*=\s*(?:[\w$]+\s*\.\s*)*store\s*;|\b(?!store\b)[\w$]+\s*\??\s*:\s*(?:Pick\s*<\s*)?Store\b/g,
    except: /^src\/(?!assistant(?:-\w+)?\.ts$|gateway-state\.ts$|assembly\/)/,
  },
  {
    rule: "what is no answer is said through notify()",
    pattern: /\boutbox\s*(?:\?\s*)?\.\s*enqueue\b|\benqueue\b[^;\n]*\}\s*=\s*outbox\b/g,
    except: new RegExp(`^(?:src/assistant\\.ts|${Object.keys(ANSWERS).join("|").replaceAll(".", "\\.")})$`),
  },
  {
    rule: "src waits for a span of time with after() of clock.ts",
    pattern: /\.\s*at\s*\(\s*(?:[\w$]+\s*\.\s*)*now\s*\(\s*\)\s*\+/g,
    except: /^$/,
  },
];

/** Every import there is: static, for its effect alone, `import()` and `import type`, `import("…")` as a type, `require`, re-exports. */
const IMPORT =
  /\b(?:import|export)\b[^;'"()]*?\bfrom\s*["']([^"'\n]+)["']|\bimport\s*["']([^"'\n]+)["']|\b(?:import|require)\s*\(\s*["'`]([^"'`\n]+)["'`]/g;

/** What a room is handed: an interface that is named so. */
const HAND_OVER = /\binterface\s+(\w+(?:Deps|Parts))\b(?:\s+extends\s+([^{]+))?\s*\{/g;
const MAX_HANDED = 9;
/** The same put together from others. */
const JOINED_HAND_OVER = /\btype\s+(\w+(?:Deps|Parts))\b[^=;]*=([^;]*?&[^;]*)/g;
/** A member that is itself what a room is handed. */
const NESTED = /(?<=:\s*)\w+(?:Deps|Parts)(?=\s*;)/g;

/** An interface whose brace opens before this place: its own members, and those of them that are hand-overs themselves. */
function handedFrom(code: string, from: number): Handed {
  let members = 0;
  let at = from;
  for (let depth = 0; depth >= 0 && at < code.length; at += 1) {
    const sign = code[at] ?? "";
    if ("{([".includes(sign)) depth += 1;
    else if ("})]".includes(sign)) depth -= 1;
    else if (sign === ";" && depth === 0) members += 1;
  }
  return { members, nested: code.slice(from, at).match(NESTED) ?? [] };
}

interface Handed {
  readonly members: number;
  readonly nested: readonly string[];
}

/** Every hand-over by its name: the members of one count in the one that it stands in. */
function handOversOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, Handed> {
  const found = new Map<string, Handed>();
  for (const text of sources.values()) {
    const { code } = readSource(text);
    for (const match of code.matchAll(HAND_OVER)) {
      const handed = handedFrom(code, match.index + match[0].length);
      if (handed.members > (found.get(match[1] ?? "")?.members ?? 0)) found.set(match[1] ?? "", handed);
    }
  }
  return found;
}

function widthOf({ members, nested }: Handed, handOvers: ReadonlyMap<string, Handed>): number {
  const inner = nested.flatMap((name) => handOvers.get(name) ?? []);
  return inner.reduce((sum, one) => sum + widthOf(one, handOvers) - 1, members);
}

/** What breaks a rule of ARCHITECTURE.md in these sources (path from the root → text). */
export function findViolations(sources: ReadonlyMap<string, string>): Violation[] {
  const handOvers = handOversOf(sources);
  return [...sources].flatMap(([file, text]) => checkFile(file, text, handOvers));
}

/** `file:line: rule (detail)`, one a line. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ file, line, rule, detail }) => `${file}:${line}: ${rule} (${detail})`).join("\n");
}

function checkFile(file: string, text: string, handOvers: ReadonlyMap<string, Handed>): Violation[] {
  const source = readSource(text);
  const violations: Violation[] = [];
  const inSrc = file.startsWith("src/");
  const report = (offset: number, rule: string, detail: string): void => {
    violations.push({ file, line: text.slice(0, offset).split("\n").length, rule, detail });
  };

  if (inSrc && placeOf(file).storey === undefined) {
    report(
      0,
      "every room of src has a storey",
      `${placeOf(file).room} is not in the table of test/support/architecture.ts`,
    );
  }
  for (const match of source.withStrings.matchAll(IMPORT)) {
    if (source.code[match.index] === " ") continue; // inside of a string
    const target = match[1] ?? match[2] ?? match[3] ?? "";
    const broken = target.startsWith("#")
      ? "no name is mapped: # imports"
      : inSrc
        ? importFromSrc(file, target)
        : importFromAdapters(file, target);
    if (broken !== undefined) report(match.index, broken, target);
  }
  // An entry is mod.ts with some functions bound to a platform.
  if (!ENTRY.test(file))
    for (const match of source.code.matchAll(/\bexport\s*\*/g))
      report(match.index, "everything is exported by name", "export *");
  for (const match of source.code.matchAll(/\bexport\s+default\b|\bas\s+default\b/g)) {
    report(match.index, "nothing is exported by default", match[0]);
  }
  for (const match of source.code.matchAll(HAND_OVER)) {
    const [whole, name = "", bases] = match;
    if (bases !== undefined)
      report(match.index, "no interface of dependencies extends another", `${name} extends ${bases.trim()}`);
    const width = widthOf(handedFrom(source.code, match.index + whole.length), handOvers);
    if (width > MAX_HANDED) report(match.index, "nobody is handed more than nine things", `${name} has ${width}`);
  }
  for (const { 1: name, 2: joined = "", index } of source.code.matchAll(JOINED_HAND_OVER))
    report(index, "no interface of dependencies extends another", `${name} = ${joined.trim()}`);
  if (inSrc) {
    for (const { rule, pattern, except } of FORBIDDEN) {
      if (except.test(file)) continue;
      for (const match of source.code.matchAll(pattern)) report(match.index, rule, match[0].trim());
    }
  }
  return violations.toSorted((a, b) => a.line - b.line);
}

function importFromSrc(file: string, target: string): string | undefined {
  if (/^(?:node|bun|deno|cloudflare|jsr|npm|https?):/.test(target)) return "src names no runtime";
  if (!target.startsWith(".")) {
    const { room } = placeOf(file);
    const isModelLibrary = target === "ai" || target.startsWith("ai/");
    return isModelLibrary && room !== "agent" ? "only src/agent imports ai" : undefined;
  }
  const path = resolve(file, target);
  if (!path.endsWith(".ts")) return "imports end in .ts";
  if (path.startsWith("adapters/")) return "src never imports adapters";
  if (!path.startsWith("src/")) return "src imports nothing outside of src";
  const from = placeOf(file);
  const to = placeOf(path);
  if (from.room === to.room) return undefined;
  if (!to.room.endsWith(".ts") && path !== `src/${to.room}/index.ts`)
    return "other rooms are imported through their index.ts";
  if (from.storey === undefined || to.storey === undefined) return undefined; // told above
  return mayImport(from.storey, to.storey) ? undefined : `${from.storey} do not import ${to.storey}`;
}

function mayImport(from: Storey, to: Storey): boolean {
  if (from === to) return from === "ground" || from === "doors";
  return STOREYS.indexOf(to) < STOREYS.indexOf(from);
}

function importFromAdapters(file: string, target: string): string | undefined {
  if (file === "mod.ts" || file === "kit.ts") {
    return target.startsWith("./src/") ? undefined : `${file} exports names of src`;
  }
  if (target === "ai" || target.startsWith("ai/")) return "only src/agent imports ai";
  if (!target.startsWith(".")) return undefined;
  const path = resolve(file, target);
  if (ENTRY.test(file)) {
    const isRoom = /^src\/(?:[^/]+\.ts|.+\/index\.ts)$/.test(path);
    const isPlatform = /^adapters\/platform\/[^/]+\/index\.ts$/.test(path);
    return isRoom || isPlatform || path === "mod.ts" || path === "kit.ts" || ENTRY.test(path)
      ? undefined
      : "an entry binds functions of src to a platform, and nothing else";
  }
  const kind = file.split("/").slice(0, 2).join("/");
  // A file that stands beside the adapters of one kind is shared by them.
  const isOwn = path.startsWith(`${adapterOf(file)}/`) || path.slice(0, path.lastIndexOf("/")) === kind;
  const isPublished =
    path === "mod.ts" ||
    path === "kit.ts" ||
    // What a runtime lends is lent to its adapters too.
    /^adapters\/platform\/[^/]+\.ts$/.test(path) ||
    (/^entry\.(?:host|workers)\.ts$/.test(path) && MAKES_ASSISTANTS.test(file)) ||
    /^adapters\/(?:[^/]+\/){1,2}index\.ts$/.test(path) ||
    path === "src/testing/index.ts";
  return isOwn || isPublished
    ? undefined
    : "adapters import mod.ts, kit.ts, published entry points and their vendor only";
}

/** What the package's name leads to: `wakeful` on each kind of runtime. */
const ENTRY = /^entry\.[a-z]+\.ts$/;

/** Adapters that are for one kind of runtime alone and use what is bound to it, as a program of that runtime does. */
const MAKES_ASSISTANTS = /^adapters\/(?:cli|runtimes\/cloudflare|workspaces\/(?:host|virtual))\//;

/** `adapters/<kind>/<name>`, or `adapters/<name>` for what has no kind. */
function adapterOf(file: string): string {
  const parts = file.split("/");
  const single = ["cli", "mcp", "node-host"].includes(parts[1] ?? "");
  return parts.slice(0, single ? 2 : 3).join("/");
}

function placeOf(file: string): Place {
  const room = file.split("/")[1] ?? "";
  return { file, room, storey: ROOMS[room] };
}

/** The path from the root that a relative import leads to. */
function resolve(file: string, target: string): string {
  const parts = file.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function storey(name: Storey, ...rooms: readonly string[]): { [room: string]: Storey } {
  return Object.fromEntries(rooms.map((room) => [room, name]));
}
