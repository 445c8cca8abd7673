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

/** Stands before every route that needs a token. */
export interface Gate {
  /** False: the server has no token, so every route behind the gate answers 401. */
  readonly configured: boolean;
  /**
   * A server of its own lets calls with a bearer token through under any name: no browser sends one by itself.
   *
   * @throws {ProblemError} `MISDIRECTED` for a host name that the server does not answer to.
   */
  checkHost(request: Request, client: Client, asks: "page" | "api"): void;
  /**
   * Who is calling.
   *
   * @param target The route, as it is declared: what a stranger typed is not written anywhere.
   * @throws {ProblemError} `UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`, or `FORBIDDEN` for a cookie that comes from another site's page.
   */
  identify(request: Request, client: Client, target: string): Promise<Caller>;
  /** @throws {ProblemError} `FORBIDDEN` for a caller whose role is not among `roles`. */
  admit(caller: Caller, roles: readonly Role[]): Caller;
  /** As what, and as whom where its token says so, this browser is signed in to the page; `null`: it is not. */
  signedIn(request: Request): Promise<{ readonly role: "owner" | "user"; readonly user?: string } | null>;
  /** Takes the token of the page's form. `cookie`: the header that keeps the sign-in. */
  signIn(
    client: Client,
    token: string,
  ): Promise<
    | { readonly ok: true; readonly cookie: string }
    | { readonly ok: false; readonly problem: "wrongToken" | "throttled" | "metricsToken"; readonly retryAfter: number }
  >;
}

const NO_TOKEN =
  "This server has no token, so nobody may call it: set server.token in the configuration (or WAKEFUL_TOKEN in the environment) and start it again";

/** Failures whose source nobody told share this bucket; it slows no one down who has a right token. */
const UNKNOWN_SOURCE = "unknown";

export interface GateDeps {
  readonly tokens: readonly Token[];
  /**
   * Host names (without port) that the page and the API answer to; a request to another name gets 421. Served by a runtime adapter, loopback names, IP addresses and
   * calls with a bearer token are let through besides. Default: any name, and none where it is served.
   */
  readonly hosts?: readonly string[] | undefined;
  /** Where this server is reached from outside: one more of its names where it is served by a runtime adapter. */
  readonly publicUrl?: string | undefined;
  readonly audit: Pick<Audit, "write">;
  readonly clock: Clock;
}

export function createGate(deps: GateDeps): Gate {
  const { audit, clock, tokens } = deps;
  const hostNames = createHostNames(deps);
  const authenticator = createAuthenticator({ tokens, clock });
  const throttle = createThrottle({ clock });

  /** Looks a token up unless too many wrong ones came from there. @returns The token, or in how many seconds to try again (0: now). */
  async function tryToken(
    presented: string,
    { source, address, near }: Client,
    target: string,
  ): Promise<Token | { retryAfter: number }> {
    // Where the source is known it is stopped before the comparison, so that guessing is slow. Not where it may be a proxy that all come through: there
    // strangers would shut out the owner.
    const blockedMs = source === undefined || near ? 0 : throttle.waitMs(source);
    if (blockedMs > 0) return { retryAfter: Math.ceil(blockedMs / 1000) };
    const token = await authenticator.match(presented);
    if (token) return token;
    const waitMs = throttle.fail(source ?? UNKNOWN_SOURCE);
    // What is over the limit is not written: strangers must not fill the audit log.
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
      throw unauthorized("The token is not one of this server: check the header Authorization");
    }
    const cookie = cookieOf(request);
    const token = cookie === null ? null : await authenticator.verify(cookie);
    if (!token) throw unauthorized("Send the header Authorization: Bearer <token>, or sign in on the page");
    // A browser sends the cookie by itself: another site's page must not speak in the owner's name.
    const origin = originOf(request);
    if (origin === "foreign" || (origin === "unknown" && request.method !== "GET" && request.method !== "HEAD")) {
      throw new ProblemError(
        "FORBIDDEN",
        "With the page's cookie only the page itself may call: send a bearer token instead",
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
          `This needs a token with the role ${roles.join(" or ")}: this one is ${caller.role}`,
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
