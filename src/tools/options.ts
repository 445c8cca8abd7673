// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { McpClientLibrary } from "../libraries.ts";
import type { SearchProvider } from "./search/provider.ts";

/**
 * Search engines for `web_search`; without one the tool does not exist. They are asked in the order of these
 * options.
 */
export interface SearchOptions {
  /** Perplexity's Search API, asked first. */
  readonly perplexity?: {
    /** The key, from https://www.perplexity.ai/settings/api. */
    readonly apiKey?: string;
    /** Whether it is asked; default: if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.perplexity.ai`. */
    readonly baseUrl?: string;
  };
  /** Brave's Web Search API, asked next. */
  readonly brave?: {
    /** The key, from https://api-dashboard.search.brave.com. */
    readonly apiKey?: string;
    /** Whether it is asked; default: if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.search.brave.com`. */
    readonly baseUrl?: string;
  };
  /** DuckDuckGo, asked last. */
  readonly duckduckgo?: {
    /** Whether its HTML page is read; it has no API and may refuse. Default false. */
    readonly enabled?: boolean;
    /** The page's address. Default `https://html.duckduckgo.com`. */
    readonly baseUrl?: string;
  };
  /** Your own search engines, asked after the others. */
  readonly providers?: readonly SearchProvider[];
}

/** Tools of MCP servers. */
export interface McpOptions {
  /** MCP servers by name; their tools are called mcp__<name>__<tool>. */
  readonly servers?: Readonly<Record<string, McpServerOptions>>;
  /** mcpClient of wakeful/mcp, for runtimes that load nothing on demand (Workers). */
  readonly client?: McpClientLibrary | undefined;
}

/** An MCP server, by url or by command. */
export type McpServerOptions = McpHttpServer | McpStdioServer;

/** What all of them take. */
export interface McpServerBase {
  /** Groups of its tools for policy rules, besides mcp. */
  readonly groups?: readonly string[];
  /** Tools that are offered; default: all. */
  readonly tools?: readonly string[];
  /**
   * Which tools ask the owner before each call: all, none, or these. Default true. What a server says about its own
   * tools is not trusted.
   */
  readonly dangerous?: boolean | readonly string[];
  /**
   * Whether tools that the server adds later are offered without asking the owner. Default false. The owner is asked
   * about a changed tool in any case.
   */
  readonly trustNewTools?: boolean;
  /** Whether the server is trusted about which of its tools may run again after a crash. Default false. */
  readonly trustAnnotations?: boolean;
  /** Longest call, in milliseconds. Default 60_000. */
  readonly timeoutMs?: number;
}

/** A server that is reached over HTTP ("streamable HTTP"). */
export interface McpHttpServer extends McpServerBase {
  /** Address of the server, for a server over HTTP. */
  readonly url: string;
  /** Headers of every request to the server; sent nowhere else. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether `url` may be on this machine or in a private network. Default false. */
  readonly allowPrivate?: boolean;
}

/**
 * A server that is a program on this machine, reached over its standard input and output; not on Workers, which
 * have no processes.
 */
export interface McpStdioServer extends McpServerBase {
  /** Instead of url: the program that is the server; no shell reads it. */
  readonly command: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /**
   * Environment variables of the program, besides HOME, LOGNAME, PATH, SHELL, TERM and USER. Nothing else of the
   * assistant's environment is passed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The program's working directory; default: the assistant's. */
  readonly cwd?: string;
}
