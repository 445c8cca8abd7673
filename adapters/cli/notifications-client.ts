import type { ApiCall } from "./approvals-client.ts";

/** A notice that waits to be read, as the API writes it. Times are ISO 8601 texts. */
export interface WaitingRow {
  readonly id: string;
  readonly user: string;
  /** Key of the conversation that it is about. */
  readonly session_key: string;
  readonly kind: string;
  readonly text: string;
  /** Answers to choose from. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  readonly created_at: string;
}

/** A notice with the decision about it. */
export interface NoticeRow {
  readonly id: string;
  readonly type: string;
  readonly channel: string;
  readonly text: string;
  readonly at: string;
  readonly verdict: string;
  readonly rule: string;
  readonly until?: string;
}

/** The decisions for a person, and the person's own settings. */
export interface AttentionRow {
  readonly user: string;
  readonly muted_until: string | null;
  readonly less: Readonly<Record<string, number>>;
  readonly held: readonly (NoticeRow & { readonly until: string })[];
  /** Newest first. */
  readonly decisions: readonly NoticeRow[];
}

/** Unasked notices, of a store or of a server. */
export interface NotificationsClient {
  /** @param user Default: all users. */
  waiting(user: string | undefined): Promise<readonly WaitingRow[]>;
  /** @param user Default: the owner, also for the methods below. */
  attention(user: string | undefined): Promise<AttentionRow>;
  /** @returns The user. */
  mute(user: string | undefined, until: string | null): Promise<string>;
  less(user: string | undefined, type: string, times: number | undefined): Promise<{ readonly times: number }>;
}

const OWNER = "@owner";

/** Uses the API's routes. */
export function notificationsClient(call: ApiCall): NotificationsClient {
  const post = (what: string, body: object) => call(`/api/v1/attention/${what}`, { method: "POST", body });
  return {
    async waiting(user) {
      const of = user === undefined ? "" : `?user=${encodeURIComponent(user)}`;
      return ((await call(`/api/v1/notifications${of}`))?.["notifications"] ?? []) as readonly WaitingRow[];
    },
    async attention(user = OWNER) {
      const answer = await call(`/api/v1/attention?user=${encodeURIComponent(user)}`);
      const [found] = (answer?.["people"] ?? []) as readonly AttentionRow[];
      return found ?? { user, muted_until: null, less: {}, held: [], decisions: [] };
    },
    mute: async (user = OWNER, until) => String((await post("mute", { user, until }))?.["user"]),
    async less(user = OWNER, type, times) {
      const answer = await post("less", { user, type, ...(times !== undefined && { times }) });
      return { times: Number(answer?.["times"]) };
    },
  };
}
