import type { ScriptTexts } from "../texts.ts";
import type { Conversation, Entry, Waiting } from "./wire.ts";

/** The API, called as the signed-in person. */
export interface Server {
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The newest entries of a transcript; `null` if there is none yet. */
  transcript(id: string, limit: number): Promise<readonly Entry[] | null>;
  /** One page of conversations; `null` if the server keeps no list. */
  conversations(before?: string): Promise<{ readonly page: readonly Conversation[]; readonly next?: string } | null>;
  /** Requests that wait for the owner, or approved ones that wait for their tool, oldest first. */
  waiting(): Promise<readonly Waiting[]>;
}

/** Returns the API path of a conversation. */
export function sessionPath(id: string): string {
  return `api/v1/sessions/${encodeURIComponent(`web:${id}`)}`;
}

export function json(method: string, body: unknown): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Calls the API. Returns `undefined` after it has shown an error. */
export type Ask = <T>(path: string, init?: RequestInit) => Promise<T | undefined>;

export function createAsk(
  server: Pick<Server, "request">,
  texts: Pick<ScriptTexts, "unreachable" | "problems">,
  say: (text: string) => void,
  root = "",
): Ask {
  return async <T>(path: string, init?: RequestInit) => {
    try {
      const response = await server.request(root + path, init);
      if (response.ok) return response.status === 204 ? (true as T) : ((await response.json()) as T);
      say(await problemText(response, texts));
    } catch {
      say(texts.unreachable);
    }
    return undefined;
  };
}

export function createServer(base: string, texts: Pick<ScriptTexts, "problems">): Server {
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(base + path, { credentials: "same-origin", ...init });
    if (response.status === 401) {
      location.reload(); // The session has ended: the server now shows the sign-in form.
      await new Promise(() => {});
    }
    return response;
  }

  async function read(path: string): Promise<unknown> {
    const response = await request(path);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await problemText(response, texts));
    return response.json();
  }

  return {
    request,
    async transcript(id, limit) {
      return ((await read(`${sessionPath(id)}?limit=${limit}`)) as { entries: Entry[] } | null)?.entries ?? null;
    },
    async conversations(before) {
      const query = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
      const found = (await read(`api/v1/conversations${query}`)) as {
        conversations: Conversation[];
        next_before?: string;
      } | null;
      if (!found) return null;
      return { page: found.conversations, ...(found.next_before !== undefined && { next: found.next_before }) };
    },
    async waiting() {
      const found = (await read("api/v1/approvals")) as { approvals: Waiting[] } | null;
      return (found?.approvals ?? []).filter(({ state }) => state === "open" || state === "approved");
    },
  };
}

/**
 * Returns the server's error text. If the server was not reached, returns the page's own text, because the browser's is
 * English.
 */
export function whyFailed(error: unknown, unreachable: string): string {
  return error instanceof Error && !(error instanceof TypeError) ? error.message : unreachable;
}

/** Returns why the server refused: the page's text for the code if there is one, else the server's own. */
export async function problemText(response: Response, texts: Pick<ScriptTexts, "problems">): Promise<string> {
  try {
    const { title, detail, code = "" } = (await response.json()) as { title?: string; detail?: string; code?: string };
    return texts.problems[code] ?? detail ?? title ?? String(response.status);
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}
