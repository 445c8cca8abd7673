// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { McpClientLibrary } from "../libraries.ts";
import type { SearchProvider } from "./search/provider.ts";

/**
 * Search engines for `web_search`; without any there is no such tool. They are asked in the order in which they
 * stand here.
 */
export interface SearchOptions {
  /** Perplexity's Search API, asked first. */
  readonly perplexity?: {
    /** The key, from https://www.perplexity.ai/settings/api. */
    readonly apiKey?: string;
    /** Whether it is asked; when left out, if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.perplexity.ai`. */
    readonly baseUrl?: string;
  };
  /** Brave's Web Search API, asked next. */
  readonly brave?: {
    /** The key, from https://api-dashboard.search.brave.com. */
    readonly apiKey?: string;
    /** Whether it is asked; when left out, if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.search.brave.com`. */
    readonly baseUrl?: string;
  };
  /** DuckDuckGo, asked last. */
  readonly duckduckgo?: {
    /** Whether its page for people is read; it has no API and may refuse. Default false. */
    readonly enabled?: boolean;
    /** The page's address. Default `https://html.duckduckgo.com`. */
    readonly baseUrl?: string;
  };
  /** Search engines of your own, asked after the others. */
  readonly providers?: readonly SearchProvider[];
}

/** Tools of MCP servers. */
export interface McpOptions {
  /** MCP servers by a name, which their tools bear: mcp__<name>__<tool>. */
  readonly servers?: Readonly<Record<string, McpServerOptions>>;
  /** mcpClient of wakeful/mcp, where nothing is loaded on demand (Workers). */
  readonly client?: McpClientLibrary | undefined;
}

/** A server, by url or by command. */
export type McpServerOptions = McpHttpServer | McpStdioServer;

/** What all of them take. */
export interface McpServerBase {
  /** Groups of its tools for policy rules, besides mcp. */
  readonly groups?: readonly string[];
  /** Only these tools; when left out, all. */
  readonly tools?: readonly string[];
  /**
   * Which tools ask the owner before each call: all, none, or these. Default true. What a server says of itself is
   * not believed.
   */
  readonly dangerous?: boolean | readonly string[];
  /**
   * Tools that the server adds later are offered without asking the owner. Default false. A changed tool is asked
   * for all the same.
   */
  readonly trustNewTools?: boolean;
  /** Believe the server which of its tools may be run again after a crash. Default false. */
  readonly trustAnnotations?: boolean;
  /** Longest call, in milliseconds. Default 60_000. */
  readonly timeoutMs?: number;
}

/** A server that is reached over HTTP ("streamable HTTP"). */
export interface McpHttpServer extends McpServerBase {
  /** Where the server is, over HTTP. */
  readonly url: string;
  /** Sent with every request to the server, and nowhere else. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The url is on this machine or in a private network, and that is meant. Default false. */
  readonly allowPrivate?: boolean;
}

/**
 * A server that is a program of this machine, spoken to over its standard input and output; not on Workers, where
 * there are no processes.
 */
export interface McpStdioServer extends McpServerBase {
  /** Instead of url: a program that is the server; read by no shell. */
  readonly command: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /**
   * What the program finds in its environment besides HOME, LOGNAME, PATH, SHELL, TERM and USER. Nothing else of the
   * assistant's environment is passed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which the program runs; when left out, the assistant's. */
  readonly cwd?: string;
}
