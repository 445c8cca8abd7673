// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** A token. */
export interface ServerToken {
  /** The bearer token. */
  readonly token: string;
  /** What its calls may do. */
  readonly role: "owner" | "user" | "metrics";
  /** For the role user: the user that its calls act as. */
  readonly user?: string;
}

/**
 * Automations that wake the assistant or give it tasks; if left out, only an owner's token opens these routes.
 * Source: docs/automations.md.
 */
export interface AutomationOptions {
  /** Bearer token of automations: it opens only /hooks/wake and /hooks/agent. */
  readonly token: string;
  /** Person whose conversation is woken and who gets the results; default: the first owner. */
  readonly user?: string;
  /** Further chats that /hooks/agent may send its reply to; default: none. */
  readonly chats?: readonly string[];
}

/** Limits on requests to the API and the page; requests above them get 429. Source: docs/http-limits.md, "Limits". */
export interface RateLimitOptions {
  /** Whether requests are limited. Default true. */
  readonly enabled?: boolean;
  /**
   * Requests per minute from one address, counted before the token is checked; webhooks, health checks, this machine
   * and trusted proxies are not counted. Default 600.
   */
  readonly perSource?: number;
  /** Requests per minute with one token. Default 120. */
  readonly perToken?: number;
}
