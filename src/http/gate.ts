import type { Clock } from "../clock.ts";
import type { Audit } from "../telemetry/index.ts";
import {
  bearerOf,
  cookieHeader,
  cookieOf,
  createAuthenticator,
  originOf,
  type Caller,
  type Role,
  type Token,
} from "./auth.ts";
import type { Client } from "./client-address.ts";
import { createHostNames } from "./host-names.ts";
import { ProblemError } from "./problem.ts";
import { createThrottle } from "./throttle.ts";

/** Authenticates and authorises requests to routes that need a token. */
export interface Gate {
  /** False if the server has no token: every route behind the gate then answers 401. */
  readonly configured: boolean;
  /**
   * Checks the host name. A server of its own accepts calls with a bearer token under any name, since browsers never
   * send one by themselves.
   *
   * @throws {ProblemError} `MISDIRECTED` for a host name that the server does not answer to.
   */
  checkHost(request: Request, client: Client, asks: "page" | "api"): void;
  /**
   * Identifies the caller.
   *
   * @param target The route pattern. Text from a stranger must not reach the audit log.
   * @throws {ProblemError} `UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`, or `FORBIDDEN` for a cookie sent by another site's
   * page.
   */
  identify(request: Request, client: Client, target: string): Promise<Caller>;
  /** @throws {ProblemError} `FORBIDDEN` if the caller's role is not in `roles`. */
  admit(caller: Caller, roles: readonly Role[]): Caller;
  /**
   * The role, and the user if the token names one, as which this browser is signed in to the page. `null`: not signed
   * in.
   */
  signedIn(request: Request): Promise<{ readonly role: "owner" | "user"; readonly user?: string } | null>;
  /** Checks the token from the page's form. `cookie`: the header that keeps the browser signed in. */
  signIn(
    client: Client,
    token: string,
  ): Promise<
    | { readonly ok: true; readonly cookie: string }
    | { readonly ok: false; readonly problem: "wrongToken" | "throttled" | "metricsToken"; readonly retryAfter: number }
  >;
}

const NO_TOKEN =
  "This server has no token and refuses every call: set server.token in the configuration, or WAKEFUL_TOKEN in the environment, and restart it";

/** Bucket for failures from unknown sources. It never blocks a valid token. */
const UNKNOWN_SOURCE = "unknown";

export interface GateDeps {
  readonly tokens: readonly Token[];
  /**
   * Host names (without port) that the page and the API answer to; other names get 421. Behind a runtime adapter's
   * `serve()`, loopback names, IP addresses and calls with a bearer token are accepted too. Default: any name, but none
   * behind `serve()`.
   */
  readonly hosts?: readonly string[] | undefined;
  /** The server's public URL. Its host is one more accepted name behind `serve()`. */
  readonly publicUrl?: string | undefined;
  readonly audit: Pick<Audit, "write">;
  readonly clock: Clock;
}

export function createGate(deps: GateDeps): Gate {
  const { audit, clock, tokens } = deps;
  const hostNames = createHostNames(deps);
  const authenticator = createAuthenticator({ tokens, clock });
  const throttle = createThrottle({ clock });

  /**
   * Looks a token up unless its source has failed too often.
   * @returns The token, or the seconds until the next try (0: now).
   */
  async function tryToken(
    presented: string,
    { source, address, near }: Client,
    target: string,
  ): Promise<Token | { retryAfter: number }> {
    // A known source is blocked before the comparison, so that guessing is slow. A possible proxy is not: strangers
    // behind it could lock the owner out.
    const blockedMs = source === undefined || near ? 0 : throttle.waitMs(source);
    if (blockedMs > 0) return { retryAfter: Math.ceil(blockedMs / 1000) };
    const token = await authenticator.match(presented);
    if (token) return token;
    const waitMs = throttle.fail(source ?? UNKNOWN_SOURCE);
    // Attempts over the limit are not logged, so that strangers cannot fill the audit log.
    if (waitMs === 0) {
      audit.write({ who: address, what: "http.sign-in", target, verdict: "refused", reason: "wrong token" });
    }
    return { retryAfter: Math.ceil(waitMs / 1000) };
  }

  function unauthorized(detail: string): ProblemError {
    return new ProblemError("UNAUTHORIZED", detail, { headers: { "www-authenticate": 'Bearer realm="wakeful"' } });
  }

  async function identify(request: Request, client: Client, target: string): Promise<Caller> {
    if (!authenticator.configured) throw unauthorized(NO_TOKEN);
    const presented = bearerOf(request);
    if (presented !== null) {
      const token = await tryToken(presented, client, target);
      if ("token" in token) return { ...callerOf(token, "bearer"), tag: await authenticator.tagOf(token) };
      if (token.retryAfter > 0) {
        throw new ProblemError(
          "TOO_MANY_ATTEMPTS",
          `Too many wrong tokens: try again in ${token.retryAfter} seconds`,
          token,
        );
      }
      throw unauthorized("The token is not a token of this server: check the header Authorization");
    }
    const cookie = cookieOf(request);
    const token = cookie === null ? null : await authenticator.verify(cookie);
    if (!token) throw unauthorized("Send the header Authorization: Bearer <token>, or sign in on the page");
    // Browsers send the cookie by themselves, so a page of another site must not act as the owner.
    const origin = originOf(request);
    if (origin === "foreign" || (origin === "unknown" && request.method !== "GET" && request.method !== "HEAD")) {
      throw new ProblemError(
        "FORBIDDEN",
        "Only the page itself may use the page's cookie: send a bearer token instead",
      );
    }
    return { ...callerOf(token, "cookie"), tag: await authenticator.tagOf(token) };
  }

  return {
    configured: tokens.some(({ token, role }) => token !== "" && role !== "hook"),
    checkHost(request, client, asks) {
      if (client.listensOn === undefined) hostNames.checkMounted(request);
      else if (asks === "page" || bearerOf(request) === null) hostNames.checkServed(request, client, client.listensOn);
    },
    identify,
    admit(caller, roles) {
      if (!roles.includes(caller.role)) {
        throw new ProblemError(
          "FORBIDDEN",
          `This route needs a token with the role ${roles.join(" or ")}: the role of this one is ${caller.role}`,
          { members: { roles } },
        );
      }
      return caller;
    },
    async signedIn(request) {
      const cookie = cookieOf(request);
      const token = cookie === null ? null : await authenticator.verify(cookie);
      if (token?.role !== "owner" && token?.role !== "user") return null;
      return { role: token.role, ...(token.user !== undefined && { user: token.user }) };
    },
    async signIn(client, presented) {
      const token = await tryToken(presented, client, "/login");
      if (!("token" in token)) {
        return { ok: false, problem: token.retryAfter > 0 ? "throttled" : "wrongToken", retryAfter: token.retryAfter };
      }
      if (token.role === "hook") return { ok: false, problem: "wrongToken", retryAfter: 0 };
      if (token.role === "metrics") return { ok: false, problem: "metricsToken", retryAfter: 0 };
      return { ok: true, cookie: cookieHeader(await authenticator.issue(token), client) };
    },
  };
}

function callerOf(token: Token, via: Caller["via"]): Omit<Caller, "tag"> {
  return { role: token.role, via, ...(token.user === undefined ? {} : { user: token.user }) };
}
