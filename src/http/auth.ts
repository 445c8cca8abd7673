import type { Clock } from "../clock.ts";
import { type HmacSigner, createHmac, timingSafeEqual } from "../guard/index.ts";
import type { ServerToken } from "./options.ts";

/** `hook`: an automation, whose token opens `/hooks` and nothing else. */
export type Role = ServerToken["role"] | "hook";

/** A bearer token that is configured. */
export type Token = Omit<ServerToken, "role"> & { readonly role: Role };

/** Who a request speaks for. */
export interface Caller {
  readonly role: Role;
  /** What a `user` token speaks as, `channel:id`. */
  readonly user?: string;
  /** How the caller proved it. Only a cookie is sent by a browser on its own, so only it needs the same-origin check. */
  readonly via: "bearer" | "cookie";
  /** Tells the token from others without telling what it is. */
  readonly tag: string;
}

export interface Authenticator {
  /** False: no token is configured, so nobody can sign in. */
  readonly configured: boolean;
  /** The token that equals `presented`; every configured one is compared, in constant time. */
  match(presented: string): Promise<Token | null>;
  /** What stands for a token where requests are counted: the same in every process, and no way back to the token. */
  tagOf(token: Token): Promise<string>;
  /** The value of the page's cookie for a token: valid for `SESSION_SECONDS`, also after a restart as long as the token stays. */
  issue(token: Token): Promise<string>;
  /** The token that a cookie's value was issued for; `null` when it is forged, too old or of a token that is gone. */
  verify(value: string): Promise<Token | null>;
}

/** The page's cookie. */
export const COOKIE_NAME = "wakeful_session";

/** How long a sign-in of the page holds: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const SIGNED_AS = "wakeful page session v1 ";
const TAGGED_AS = "wakeful token tag v1";
const TAG_LENGTH = 16;

/** Compares with digests of the tokens, which are made on first use: Workers allow no cryptography while a module loads. */
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

/** The token of `Authorization: Bearer <token>`; `null` when the header is missing or of another scheme. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** The value of the page's cookie. */
export function cookieOf(request: Request): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, ...value] = pair.split("=");
    if (name?.trim() === COOKIE_NAME) return value.join("=").trim();
  }
  return null;
}

/** The header that keeps (or, with an empty value, forgets) the page's sign-in. Not sent along by other sites, not readable by scripts. */
export function cookieHeader(value: string, options: { readonly secure: boolean }): string {
  const secure = options.secure ? "; Secure" : "";
  return `${COOKIE_NAME}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${value === "" ? 0 : SESSION_SECONDS}${secure}`;
}

/**
 * Does a request come from a page of this server? `unknown` when the browser said nothing, as programs do.
 * Browsers set both headers themselves; a page cannot.
 */
export function originOf(request: Request): "same" | "foreign" | "unknown" {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none" ? "same" : "foreign";
  const origin = request.headers.get("origin");
  if (origin === null) return "unknown";
  // Hosts are compared, not schemes: behind a proxy that ends TLS the request's own URL is http.
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host ? "same" : "foreign";
}
