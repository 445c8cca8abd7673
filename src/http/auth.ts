import type { Clock } from "../clock.ts";
import { type HmacSigner, createHmac, timingSafeEqual } from "../guard/index.ts";
import type { ServerToken } from "./options.ts";

/** Roles of tokens. `hook` is for automations; its token opens only `/hooks`. */
export type Role = ServerToken["role"] | "hook";

/** A configured bearer token. */
export type Token = Omit<ServerToken, "role"> & { readonly role: Role };

/** The identity of a request. */
export interface Caller {
  readonly role: Role;
  /** The user that a `user` token speaks as, `channel:id`. */
  readonly user?: string;
  /**
   * How the caller was authenticated. Browsers send only cookies by themselves, so only cookies need the same-origin
   * check.
   */
  readonly via: "bearer" | "cookie";
  /** Identifies the token without revealing it. */
  readonly tag: string;
}

export interface Authenticator {
  /** False if no token is configured, so that no one can sign in. */
  readonly configured: boolean;
  /** Returns the token that equals `presented`. Compares every configured token, in constant time. */
  match(presented: string): Promise<Token | null>;
  /** Returns the key under which a token's requests are counted: the same in every process, and not reversible. */
  tagOf(token: Token): Promise<string>;
  /**
   * Creates the cookie value for a token. Valid for `SESSION_SECONDS`, across restarts as long as the token stays
   * configured.
   */
  issue(token: Token): Promise<string>;
  /** Returns the token of a cookie value; `null` if it is forged, expired or of a removed token. */
  verify(value: string): Promise<Token | null>;
}

/** Name of the page's cookie. */
export const COOKIE_NAME = "wakeful_session";

/** Lifetime of a sign-in to the page: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const SIGNED_AS = "wakeful page session v1 ";
const TAGGED_AS = "wakeful token tag v1";
const TAG_LENGTH = 16;

/**
 * Compares digests of the tokens. They are computed on first use, because Workers allow no cryptography while a module
 * loads.
 */
export function createAuthenticator(options: { tokens: readonly Token[]; clock: Pick<Clock, "now"> }): Authenticator {
  const { clock } = options;
  const tokens = options.tokens
    .filter(({ token }) => token !== "")
    .map((token) => ({ token, hmac: createHmac(token.token) }));
  const tags = new Map<Token, string>();

  function hmacOf(token: Token): HmacSigner {
    const known = tokens.find((candidate) => candidate.token === token);
    if (!known) throw new TypeError("Cannot sign with a token that is not configured");
    return known.hmac;
  }

  return {
    configured: tokens.length > 0,
    async match(presented) {
      let found: Token | null = null;
      for (const { token } of tokens) if (await timingSafeEqual(token.token, presented)) found ??= token;
      return found;
    },
    async tagOf(token) {
      const tag = tags.get(token) ?? (await hmacOf(token).sign(TAGGED_AS)).slice(0, TAG_LENGTH);
      tags.set(token, tag);
      return tag;
    },
    async issue(token) {
      const issuedAt = String(Math.floor(clock.now() / 1000));
      return `${issuedAt}.${await hmacOf(token).sign(SIGNED_AS + issuedAt)}`;
    },
    async verify(value) {
      const [, issuedAt, signature] = /^([0-9]{1,12})\.([0-9a-f]{64})$/.exec(value) ?? [];
      if (issuedAt === undefined || signature === undefined) return null;
      let found: Token | null = null;
      for (const { token, hmac } of tokens) if (await hmac.verify(SIGNED_AS + issuedAt, signature)) found ??= token;
      return clock.now() / 1000 - Number(issuedAt) > SESSION_SECONDS ? null : found;
    },
  };
}

/** Returns the token of `Authorization: Bearer <token>`; `null` if the header is missing or has another scheme. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Returns the value of the page's cookie. */
export function cookieOf(request: Request): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, ...value] = pair.split("=");
    if (name?.trim() === COOKIE_NAME) return value.join("=").trim();
  }
  return null;
}

/**
 * Returns the header that sets the page's cookie, or removes it if the value is empty. Other sites cannot send the
 * cookie, and scripts cannot read it.
 */
export function cookieHeader(value: string, options: { readonly secure: boolean }): string {
  const secure = options.secure ? "; Secure" : "";
  return `${COOKIE_NAME}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${value === "" ? 0 : SESSION_SECONDS}${secure}`;
}

/**
 * Whether a request comes from a page of this server. `unknown` if the headers are missing, as with programs. Browsers
 * set both headers themselves; a page cannot.
 */
export function originOf(request: Request): "same" | "foreign" | "unknown" {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none" ? "same" : "foreign";
  const origin = request.headers.get("origin");
  if (origin === null) return "unknown";
  // Compares hosts, not schemes: behind a proxy that terminates TLS the request's own URL is http.
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host ? "same" : "foreign";
}
