import type { SessionsApi } from "../../mod.ts";
import type { SessionSummary, SessionSummaryText, TranscriptEntry } from "../../kit.ts";
import { type ApiCall, camelCased } from "./approvals-client.ts";

/** Reading a long conversation takes a while. */
const EXPORT_TIMEOUT_MS = 600_000;

/** Sends a request to the API and returns the raw answer. */
export type ApiAsk = (path: string, options?: AskOptions) => Promise<Response>;

export interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Ends the request and its answer, which then have no timeout. */
  readonly signal?: AbortSignal;
  readonly accept?: string;
  /** Resumes a stream after this event. */
  readonly lastEventId?: string;
}

/** Conversations of a server, through its API. Changes are made as the token's user. */
export function sessionsClient(
  ask: ApiAsk,
  call: ApiCall,
  jsonOf: (response: Response) => Promise<Record<string, unknown>>,
): SessionsApi {
  const at = (key: string, more = "") => `/api/v1/sessions/${encodeURIComponent(key)}${more}`;
  const summariesIn = (answer: Record<string, unknown> | null) =>
    rows(answer?.["summaries"]) as unknown as readonly SessionSummaryText[];

  return {
    async list({ after, limit = 100 } = {}) {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      const page = await call(`/api/v1/sessions?${query}`);
      return rows(page?.["sessions"]) as unknown as readonly SessionSummary[];
    },
    async show(key, { limit = 200 } = {}) {
      const response = await ask(at(key, `?limit=${limit}`));
      if (response.status === 404) return null;
      const found = await jsonOf(response);
      return { key: String(found["key"]), entries: rows(found["entries"]) as unknown as readonly TranscriptEntry[] };
    },
    async export(key, { format = "markdown" } = {}) {
      const response = await ask(at(key, `/export?format=${format}`), { timeoutMs: EXPORT_TIMEOUT_MS });
      if (response.status === 404) return null;
      if (!response.ok) await jsonOf(response);
      return textsOf(response);
    },
    async remove(key) {
      const response = await ask(at(key), { method: "DELETE" });
      if (response.status === 404) return false;
      if (!response.ok) await jsonOf(response);
      return true;
    },
    summaries: async (key) => summariesIn(await call(at(key, "/summary"))),
    async editSummary(key, text) {
      const newest = summariesIn(await call(at(key, "/summary"), { method: "PUT", body: { text } })).at(-1);
      if (!newest) throw new TypeError("The server answered without a summary");
      return newest;
    },
    settings: async (key) => camelCased((await call(at(key, "/settings"))) ?? {}),
    async configure(key, { queueMode, model }) {
      const body = { ...(queueMode !== undefined && { queue_mode: queueMode }), ...(model !== undefined && { model }) };
      return camelCased((await call(at(key), { method: "PATCH", body })) ?? {});
    },
    async conversations({ limit = 50, before } = {}) {
      const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before }) });
      const { conversations, next_before: nextBefore } = (await call(`/api/v1/conversations?${query}`)) ?? {};
      return {
        conversations: (
          conversations as readonly { id: string; title: string; last_at: string; entries: number }[]
        ).map(({ last_at, ...one }) => ({ ...one, lastAt: new Date(last_at) })),
        ...(typeof nextBefore === "string" && { nextBefore }),
      };
    },
  };
}

function rows(found: unknown): readonly Record<string, unknown>[] {
  return (found as readonly Record<string, unknown>[]).map(camelCased);
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    yield decoder.decode(piece.value, { stream: true });
  yield decoder.decode();
}
