import {
  AssistantError,
  type McpServerStatus,
  type SessionSummary,
  type SessionsApi,
  type TranscriptEntry,
  messageOf,
} from "../../mod.ts";
import { EXIT, ExitError } from "./exit-codes.ts";
import { loadAssistant } from "./load-assistant.ts";
import { portOf, tokenOf, type Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Longest wait for a server on this machine. */
const TIMEOUT_MS = 10_000;

/** A server that runs already. */
export interface RemoteServer {
  readonly url: string;
  readonly sessions: SessionsApi;
  /** How its MCP servers are. */
  mcp(): Promise<readonly McpServerStatus[]>;
  /** Name and state of each of its checks. */
  ready(): Promise<readonly { readonly name: string; readonly ok: boolean }[]>;
}

/** The sessions, either of the store itself or, while a server owns that, of the server. */
export interface SessionsSource {
  readonly sessions: SessionsApi;
  readonly server?: RemoteServer;
}

export interface SourceArguments {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** Opens the store, or asks the server that has it open. */
export async function withSessions<T>(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  use: (source: SessionsSource) => Promise<T>,
): Promise<T> {
  if (given.url !== undefined) {
    const server = remoteServer(given.url, tokenOf(settings, terminal.env, given.token), (base, cause) => {
      return new ExitError(EXIT.failed, `No server answers at ${base} (${reason(cause)}): check --url`);
    });
    return use({ sessions: server.sessions, server });
  }
  const loaded = await loadAssistant(settings, terminal).catch((error: unknown) => {
    if (AssistantError.is(error, "STORE_LOCKED")) return undefined;
    throw error;
  });
  if (loaded === undefined) {
    const server = remoteServer(serverUrl(settings, terminal), tokenOf(settings, terminal.env, given.token));
    return use({ sessions: server.sessions, server });
  }
  try {
    return await use({ sessions: loaded.assistant.sessions });
  } finally {
    await loaded.assistant.stop({ graceMs: 0 });
  }
}

/** Where a server with these settings listens on this machine. */
export function serverUrl(settings: Settings, terminal: Pick<Terminal, "env">): string {
  const host = settings.config.server?.host ?? "127.0.0.1";
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${portOf(undefined, settings, terminal.env)}`;
}

export function remoteServer(
  url: string,
  token: string | undefined,
  unanswered: (base: string, cause: unknown) => ExitError = unreachable,
): RemoteServer {
  const base = url.replace(/\/+$/, "");

  async function ask(path: string, method = "GET"): Promise<Response> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw unanswered(base, cause);
    });
    if (response.status === 401 || response.status === 403) {
      throw new ExitError(
        EXIT.failed,
        `The server at ${base} has the data open and wants the owner's token: give the one it printed at its start with --token, or set WAKEFUL_TOKEN`,
      );
    }
    return response;
  }

  async function jsonOf(response: Response): Promise<Record<string, unknown>> {
    if (!response.ok && response.status !== 503)
      throw new ExitError(
        EXIT.failed,
        `The server at ${base} answered ${response.status}: ${(await response.text()).slice(0, 200)}`,
      );
    return (await response.json()) as Record<string, unknown>;
  }

  const sessions: SessionsApi = {
    async list({ after, limit = 100 } = {}) {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      const page = await jsonOf(await ask(`/api/v1/sessions?${query}`));
      return (page["sessions"] as readonly Record<string, unknown>[]).map(
        (session) => camelCased(session) as unknown as SessionSummary,
      );
    },
    async show(key, { limit = 200 } = {}) {
      const response = await ask(`/api/v1/sessions/${encodeURIComponent(key)}?limit=${limit}`);
      if (response.status === 404) return null;
      const found = await jsonOf(response);
      return {
        key: String(found["key"]),
        entries: (found["entries"] as readonly Record<string, unknown>[]).map(
          (entry) => camelCased(entry) as unknown as TranscriptEntry,
        ),
      };
    },
    async remove(key) {
      const response = await ask(`/api/v1/sessions/${encodeURIComponent(key)}`, "DELETE");
      if (response.status === 404) return false;
      if (!response.ok) await jsonOf(response);
      return true;
    },
  };

  return {
    url: base,
    sessions,
    async mcp() {
      const response = await ask("/api/v1/mcp");
      if (response.status === 404) return []; // A server of a version before this.
      const { servers } = await jsonOf(response);
      return (servers as readonly Record<string, unknown>[]).map(
        (one) => camelCased(one) as unknown as McpServerStatus,
      );
    },
    async ready() {
      const answer = await jsonOf(await ask("/readyz"));
      return answer["checks"] as readonly { name: string; ok: boolean }[];
    },
  };
}

/** The API writes names in snake_case; one level is all that these shapes have. */
function camelCased(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      item,
    ]),
  );
}

function reason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return messageOf(inner) || messageOf(cause);
}

function unreachable(base: string, cause: unknown): ExitError {
  const remedy = "say where the server is with --url, or stop whatever process has the data open";
  return new ExitError(
    EXIT.locked,
    `The data is in use and no server answers at ${base} (${reason(cause)}): ${remedy}`,
  );
}
