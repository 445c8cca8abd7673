// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** A token. */
export interface ServerToken {
  /** The bearer token. */
  readonly token: string;
  /** What it may do. */
  readonly role: "owner" | "user" | "metrics";
  /** Who a call with it speaks as, for the role user. */
  readonly user?: string;
}

/**
 * Automations that wake the assistant or give it something to do; when left out, only an owner's token opens these
 * routes. Source: docs/automations.md.
 */
export interface AutomationOptions {
  /** Bearer token of automations: it opens /hooks/wake and /hooks/agent, and nothing else. */
  readonly token: string;
  /** Whose conversation is woken, and who is sent what comes of it; when left out, the first owner. */
  readonly user?: string;
  /** Further chats that /hooks/agent may send its reply to; when left out, none. */
  readonly chats?: readonly string[];
}

/**
 * How often the API and the page may be asked; over it requests are answered 429. Source: docs/http-limits.md,
 * "Limits".
 */
export interface RateLimitOptions {
  /** Are requests limited at all? Default true. */
  readonly enabled?: boolean;
  /**
   * Requests a minute from one address, before the token is looked at; webhooks, health checks, this machine and
   * trusted proxies do not count. Default 600.
   */
  readonly perSource?: number;
  /** Requests a minute with one token. Default 120. */
  readonly perToken?: number;
}
