import type { Timer } from "./clock.ts";
import type { Telemetry } from "./telemetry-port.ts";
import type {
  McpClientLibrary,
  McpServerLibrary,
  McpStdioLibrary,
  PageLibraries,
  Re2Library,
  ShellParser,
  SimulatedShell,
  UnstorageLibrary,
  YamlLibrary,
} from "./libraries.ts";

/**
 * What a runtime provides: the network, the libraries, and control over the life of the process. `wakeful` includes the
 * right one: everything on Node, Bun and Deno; on Workers YAML and the grammar of shell commands, while the program
 * passes in the rest.
 *
 * Source: docs/deploy.md, "What a runtime lends".
 */
export interface Platform {
  /**
   * Resolves names and connects to a checked address. `null`: the runtime can do neither (Workers), and only names are
   * judged.
   */
  readonly network: Network | null;
  /**
   * The library `yaml`, for synchronous functions. Contract: loads it with the first call at the latest; the same
   * object each time.
   */
  yaml(): YamlLibrary;
  /** The grammar of shell commands, `unbash`. Contract: as `yaml`. */
  shellParser(): ShellParser;
  /**
   * The library `re2js`, for synchronous functions. Contract: as `yaml`, but `null` when it is not installed, or not in
   * this bundle. Absent: `null`.
   */
  linearPatterns?(): Re2Library | null;
  /**
   * Loads a library that only some programs need. Contract: `null` when it is not installed, or not in this bundle;
   * rejects only when it is installed and broken.
   */
  load<Name extends LibraryName>(name: Name): Promise<Libraries[Name] | null>;
  /**
   * Whether `load` would return a library, without loading it, and what part of it runs here. Contract: `null` exactly
   * when `load` gives `null`; never throws.
   */
  probe(name: LibraryName): Promise<LibrarySupport | null>;
  /**
   * Lets the process end before this timer fires. Contract: the timer continues; does nothing without a process
   * (Workers).
   */
  unref(timer: Timer): void;
  /** Keeps the process alive until the returned function is called. Contract: does nothing without a process (Workers). */
  keepAlive(): () => void;
  /**
   * Name by which people recognise this process, such as `host-1:4211`. Absent without a process (Workers). Contract:
   * never throws.
   */
  processName?(): string;
  /**
   * Whether a tracer of this process currently listens to the AI SDK's calls. Contract: cheap, since it is called
   * before each model call; never throws.
   */
  isTracing(): boolean;
  /**
   * Where this process sends traces and metrics. Contract: `undefined` as long as nothing is registered for it; cheap,
   * since it is called before each turn; rejects only when something is registered that cannot be used. Absent: the
   * program passes the option `telemetry.api` (Workers).
   */
  telemetry?(): Promise<Telemetry> | undefined;
  /** What the runtime knows about the machine. Absent: nothing is known, and features that need it report that. */
  readonly machine?: Machine;
}

/** A runtime that Wakeful runs on. */
export type RuntimeName = "bun" | "node" | "deno" | "workers";

/** What a runtime knows about its machine. Unknown parts are absent. */
export interface Machine {
  /** Which runtime this is. */
  readonly runtime: RuntimeName;
  /**
   * Whether an environment variable is set to a text that is not empty. Contract: never throws; does not reveal the
   * value. Absent on Workers.
   */
  hasEnvironment?(name: string): boolean;
  /** Whether a program of this name is on the path. Contract: starts nothing; false for a name with a slash; never rejects. Absent on Workers. */
  hasProgram?(name: string): Promise<boolean>;
  /**
   * A folder of the machine, read-only. A relative path starts at the working directory. It need not exist yet. Absent
   * on Workers.
   */
  folder?(path: string): MachineFolder;
  /**
   * The home folder of the person who runs the process. Contract: `undefined` where the program may not read it; never
   * throws. Absent on Workers.
   */
  home?(): string | undefined;
}

/** A read-only folder of the machine: its subfolders, and files in them. No link is followed out of it. */
export interface MachineFolder {
  /** Its absolute path. */
  readonly path: string;
  /**
   * The subfolders, one level down, that contain a file of this name, each with a version that changes with the file.
   * Contract: none when the folder does not exist; a link that leads out of it is skipped; rejects when the folder
   * cannot be read.
   */
  having(file: string): Promise<readonly { readonly name: string; readonly version: string }[]>;
  /** Whether the folder exists. Absent: the runtime cannot tell. */
  exists?(): Promise<boolean>;
  /**
   * Reads at most `maxBytes` from the beginning of a file, by its path with `/` in this folder. Contract: `null` when
   * there is none, when it is not a plain file, and when it is outside.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /**
   * Paths, with `/`, of the plain files below a subfolder, relative to it and sorted. Contract: at most 500; no link is followed; none when there is no such
   * subfolder.
   */
  files(path: string): Promise<readonly string[]>;
  /**
   * Calls back soon after a change in it, once for changes that come together. Contract: until the signal aborts; keeps
   * no process alive; never throws. Absent: the runtime cannot.
   */
  watch?(changed: () => void, signal: AbortSignal): void;
}

/** Resolves names and connects to an address that was checked. */
export interface Network {
  /** A host name's addresses. Contract: throws when the name does not exist. */
  lookup(host: string): Promise<readonly string[]>;
  /** Sends one request to one of the addresses. Contract: as `FetchAt`. */
  readonly fetchAt: FetchAt;
}

/**
 * Sends one request to one of the given addresses, whatever its name resolves to now. Contract: follows no redirect,
 * unpacks the body, sends nothing twice.
 */
export type FetchAt = (
  url: URL,
  init: {
    readonly method: string;
    readonly headers: Headers;
    readonly signal: AbortSignal;
    readonly body?: string | Uint8Array<ArrayBuffer>;
  },
  addresses: readonly string[],
) => Promise<Response>;

/** The libraries that only some programs need, by package name. */
export interface Libraries {
  /** Regular expressions in linear time. */
  readonly re2js: Re2Library;
  /** The interpreter of the simulated shell. */
  readonly "just-bash": SimulatedShell;
  /** Converts a web page to readable text; with `linkedom` and `turndown`. */
  readonly "@mozilla/readability": PageLibraries;
  /** Speaks MCP with servers. */
  readonly "@ai-sdk/mcp": McpClientLibrary;
  /** Speaks MCP with a program of this machine. */
  readonly "@ai-sdk/mcp/mcp-stdio": McpStdioLibrary;
  /** Speaks MCP as a server. */
  readonly "@modelcontextprotocol/server": McpServerLibrary;
  /** Creates a storage from a driver. */
  readonly unstorage: UnstorageLibrary;
}

/** A library that `Platform.load` knows. */
export type LibraryName = keyof Libraries;

/** The part of a library that runs on this runtime. */
export interface LibrarySupport {
  /** Whether `just-bash` runs JavaScript here. Default false. */
  readonly javascript?: boolean;
}

/** How a program gets each library, for the message that it is missing. */
export const REMEDIES: Readonly<Record<LibraryName, string>> = {
  re2js: "the host program can give the option patterns from wakeful/patterns/re2",
  "just-bash":
    "npm install just-bash; in a bundle for Workers give exec: { shell: simulatedShell() } from wakeful/shells/simulated",
  "@mozilla/readability": "give the option pageReader, which is readabilityReader() from wakeful/readers/readability",
  "@ai-sdk/mcp":
    "npm install @ai-sdk/mcp; where nothing is loaded on demand (Workers), give the option mcp.client from wakeful/mcp",
  "@ai-sdk/mcp/mcp-stdio": "reach the server by its url, or run on Node, Bun or Deno",
  "@modelcontextprotocol/server":
    "npm install @modelcontextprotocol/server and start again; on Workers give the option mcp.endpoint from wakeful/mcp/server",
  unstorage: "give createStorage({ driver }) of unstorage",
};
