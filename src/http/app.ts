import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { MAX_BODY_BYTES, readBody, refuseLargeBody } from "./body.ts";
import { cookieHeader, originOf } from "./auth.ts";
import { type ChatPage, type SignInProblem, formBase, loadChatPage } from "./chat-page.ts";
import { type Client, createClientReader } from "./client-address.ts";
import { type Gate, createGate } from "./gate.ts";
import { messageRoutes } from "./messages.ts";
import { operationRoutes } from "./operation.ts";
import type { HttpParts } from "./parts.ts";
import { ProblemError, problem, problemOf } from "./problem.ts";
import type { Route } from "./route.ts";
import { createRateLimits } from "./rate-limits.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Longest body of the sign-in form, in bytes. */
const MAX_FORM_BYTES = 4096;

/** Every route but those of the page, in the order in which they are matched. */
export function createRoutes(parts: HttpParts): readonly Route[] {
  const routes: Route[] = [
    ...webhookRoutes(parts),
    ...messageRoutes(parts),
    ...(parts.apiRoutes?.(parts, () => routes) ?? []),
    ...(parts.memory && parts.memoryRoutes ? parts.memoryRoutes({ ...parts, memory: parts.memory }) : []),
    ...operationRoutes(parts),
  ];
  return routes;
}

/**
 * The HTTP door: webhooks, the API and the page. What it answers is in docs/http.md.
 *
 * A runtime adapter passes `{ remoteAddress }` as `fetch`'s `env`, so that requests and failed sign-ins can be counted by source.
 */
export function createApp(parts: HttpParts): Hono {
  const app = new Hono();
  const gate = createGate(parts);
  const limits = createRateLimits(parts);
  const clientOf = createClientReader(parts.trustedProxies);
  const { logger } = parts;

  /** Runs what answers; what it throws is answered like everywhere else. */
  async function answered(handle: () => Promise<Response> | Response): Promise<Response> {
    try {
      return hardened(await handle());
    } catch (error) {
      return hardened(problemOf(error, logger, parts.redact));
    }
  }

  /** Public routes are not limited by address: platforms share addresses and count a 429 as a failed delivery, and probes must get through. */
  function serve(route: Route, context: Context): Promise<Response> {
    const request = context.req.raw;
    const call = {
      request,
      params: context.req.param() as Record<string, string>,
      query: new URL(request.url).searchParams,
    };
    const { access } = route;
    if (access === "public") return answered(() => route.handle(call));
    return limited(context, async (client) => {
      gate.checkHost(request);
      if (route.body) refuseLargeBody(request, route.maxBodyBytes ?? MAX_BODY_BYTES);
      const caller = await gate.admit(request, client, route.path, access);
      return limits.token.limit(context, caller.tag, () => answered(() => route.handle({ ...call, caller })));
    });
  }

  /** The limit by address, for everything that strangers can make work. */
  function limited(context: Context, handle: (client: Client) => Promise<Response>): Promise<Response> {
    const client = clientOf(context.req.raw, context.env);
    const key = client.near ? undefined : client.source;
    return answered(() => limits.source.limit(context, key, () => answered(() => handle(client))));
  }

  const methods = new Map<string, string[]>();
  for (const route of createRoutes(parts)) {
    app.on(route.method, route.path, (context) => serve(route, context));
    methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
  }
  if (parts.memory && !parts.memoryRoutes)
    app.all("/api/v1/memory/*", () =>
      hardened(
        problem(
          "NOT_INSTALLED",
          "The API of memory is not part of this bundle: give the option server.memoryApi, which is memoryApi from wakeful/memory/api",
        ),
      ),
    );
  pageRoutes(app, parts, gate, limited);
  methods.set("/", ["GET"]).set("/login", ["GET", "POST"]).set("/logout", ["POST"]);

  for (const [path, allowed] of methods) {
    const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : [])].join(", ");
    app.all(path, ({ req }) =>
      hardened(problem("METHOD_NOT_ALLOWED", `${req.path} takes ${allow}, not ${req.method}`, { headers: { allow } })),
    );
  }
  app.notFound(({ req }) =>
    hardened(
      parts.apiRoutes
        ? problem("NOT_FOUND", `There is no route ${req.path}: GET /api/v1/openapi.json lists them`)
        : problem(
            /^\/(?:api|mcp)(?:\/|$)/.test(req.path) ? "NOT_INSTALLED" : "NOT_FOUND",
            `There is no route ${req.path}: this bundle has those of messages and webhooks, and all with apiExtra`,
          ),
    ),
  );
  app.onError((error) => hardened(problemOf(error, logger, parts.redact)));
  return app;
}

/** The page, which keeps a browser signed in by a cookie. */
function pageRoutes(
  app: Hono,
  parts: HttpParts,
  gate: Gate,
  limited: (context: Context, handle: (client: Client) => Promise<Response>) => Promise<Response>,
): void {
  const { clock, name = "Wakeful" } = parts;
  // The text, not a promise of it: on Workers a promise made in one request must not be awaited in another.
  let policy: string | undefined;
  let loaded: ChatPage | undefined;

  /** @throws {ProblemError} `NOT_INSTALLED` where it is not there. */
  async function thePage(): Promise<ChatPage> {
    loaded ??= parts.page ?? (await loadChatPage());
    if (loaded) return loaded;
    throw new ProblemError(
      "NOT_INSTALLED",
      "The page is not part of this bundle: give the option server.page, which is chatPage from wakeful/page. GET /api/v1/openapi.json lists the API",
    );
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
        gate.checkHost(context.req.raw);
        return handle(context.req.raw, client);
      });
  }

  const toldOf = (request: Request, below: string) => ({
    name,
    language: request.headers.get("accept-language"),
    below,
  });

  function refuseForeign(request: Request): void {
    if (originOf(request) === "foreign") throw new ProblemError("FORBIDDEN", "Only the page itself may send this form");
  }

  app.get(
    "/",
    guarded(async (request) => {
      const html = await thePage();
      const told = toldOf(request, formBase(new URL(request.url).pathname));
      const role = await gate.signedIn(request);
      if (role) return page(await html.chat({ ...told, role }));
      return page(await html.signIn({ ...told, configured: gate.configured }));
    }),
  );
  // Where a reload after a failed sign-in leads.
  app.get("/login", ({ req }) => backToPage(req.raw));
  app.post(
    "/login",
    guarded(async (request, client) => {
      refuseForeign(request);
      const html = await thePage();
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, clock, MAX_FORM_BYTES)));
      const result = await gate.signIn(client, form.get("token")?.trim() ?? "");
      if (result.ok) return backToPage(request, result.cookie);
      const status: Record<SignInProblem, number> = { wrongToken: 401, throttled: 429, metricsToken: 403 };
      const again = result.retryAfter > 0 ? { "retry-after": String(result.retryAfter) } : {};
      const { problem } = result;
      const body = await html.signIn({ ...toldOf(request, ""), configured: gate.configured, problem });
      return page(body, status[problem], again);
    }),
  );
  app.post(
    "/logout",
    guarded(async (request, client) => {
      refuseForeign(request);
      return backToPage(request, cookieHeader("", client));
    }),
  );
}

/** From `<page>/login` and `<page>/logout`. Relative, so that it is right wherever the app is mounted. */
function backToPage(request: Request, cookie?: string): Response {
  const parent = new URL(request.url).pathname.split("/").at(-2);
  const headers = new Headers({ location: parent ? `../${parent}` : "./" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return hardened(new Response(null, { status: 303, headers }));
}

/** Nothing that is answered is cached, framed, sniffed or run as a page, unless the answer says otherwise itself. */
function hardened(response: Response): Response {
  const { headers } = response;
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (!headers.has("content-security-policy"))
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}
