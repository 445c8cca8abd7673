import type { Context, Hono } from "hono";
import type { Clock } from "../clock.ts";
import { cookieHeader, originOf } from "./auth.ts";
import { readBody } from "./body.ts";
import type { ChatPage, SignInProblem } from "./chat-page.ts";
import type { Client } from "./client-address.ts";
import type { Gate } from "./gate.ts";
import { hardened } from "./hardened.ts";
import { ProblemError } from "./problem.ts";

/** Maximum body of the sign-in form, in bytes. */
const MAX_FORM_BYTES = 4096;

export interface PageRoutesDeps {
  readonly gate: Gate;
  /** Runs a handler within the limit by address. */
  limited(context: Context, handle: (client: Client) => Promise<Response>): Promise<Response>;
  readonly clock: Clock;
  /** Title of the page. Default `Wakeful`. */
  readonly name?: string;
  /** Whether skills can be installed. Default true. */
  readonly installs?: boolean;
}

/** Adds the routes of the page. A cookie keeps the browser signed in. */
export function pageRoutes(
  app: Hono,
  { gate, limited, clock, name = "Wakeful", installs = true }: PageRoutesDeps,
): void {
  // Caches the text, not a promise: on Workers a promise made in one request must not be awaited in another.
  let policy: string | undefined;
  let loaded: ChatPage | undefined;

  /** Loaded on the first visit: most programs that serve only the API never need it. */
  async function thePage(): Promise<ChatPage> {
    return (loaded ??= (await import("./page/page.ts")).chatPage);
  }

  async function page(body: string, status = 200, headers: Record<string, string> = {}): Promise<Response> {
    policy ??= await (await thePage()).policy();
    return hardened(
      new Response(body, {
        status,
        headers: {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policy,
          "cross-origin-opener-policy": "same-origin",
          vary: "accept-language, cookie",
          ...headers,
        },
      }),
    );
  }

  function guarded(handle: (request: Request, client: Client) => Promise<Response>) {
    return (context: Context): Promise<Response> =>
      limited(context, async (client) => {
        gate.checkHost(context.req.raw, client, "page");
        return handle(context.req.raw, client);
      });
  }

  const toldOf = (request: Request) => ({ name, language: request.headers.get("accept-language") });

  function refuseForeign(request: Request): void {
    if (originOf(request) === "foreign")
      throw new ProblemError("FORBIDDEN", "This form can only be sent from the page itself");
  }

  app.get(
    "/",
    guarded(async (request) => {
      const html = await thePage();
      const told = toldOf(request);
      const who = await gate.signedIn(request);
      if (who) return page(await html.chat({ ...told, ...who, installs }));
      return page(await html.signIn({ ...told, configured: gate.configured }));
    }),
  );
  // A reload after a failed sign-in requests this path.
  app.get("/login", ({ req }) => backToPage(req.raw));
  /** @param back Creates the redirect after a successful sign-in. */
  function signIn(back: (request: Request, cookie: string) => Response) {
    return guarded(async (request, client) => {
      refuseForeign(request);
      const html = await thePage();
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, clock, MAX_FORM_BYTES)));
      const result = await gate.signIn(client, form.get("token")?.trim() ?? "");
      if (result.ok) return back(request, result.cookie);
      const status: Record<SignInProblem, number> = { wrongToken: 401, throttled: 429, metricsToken: 403 };
      const again = result.retryAfter > 0 ? { "retry-after": String(result.retryAfter) } : {};
      const { problem } = result;
      const body = await html.signIn({ ...toldOf(request), configured: gate.configured, problem });
      return page(body, status[problem], again);
    });
  }

  // The target of the page's form. A redirect to "?" stays on the page, wherever it is mounted.
  app.post(
    "/",
    signIn((_, cookie) => redirect("?", cookie)),
  );
  app.post("/login", signIn(backToPage));
  app.post(
    "/logout",
    guarded(async (request, client) => {
      refuseForeign(request);
      return backToPage(request, cookieHeader("", client));
    }),
  );
}

/**
 * Redirects from `<page>/login` and `<page>/logout` to the page. Relative, so that it works wherever the app is
 * mounted.
 */
function backToPage(request: Request, cookie?: string): Response {
  const parent = new URL(request.url).pathname.split("/").at(-2);
  return redirect(parent ? `../${parent}` : "./", cookie);
}

function redirect(location: string, cookie?: string): Response {
  const headers = new Headers({ location });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return hardened(new Response(null, { status: 303, headers }));
}
