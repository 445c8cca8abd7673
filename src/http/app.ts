import type { Context } from "hono";
import { Hono } from "hono/tiny";
import type { Clock } from "../clock.ts";
import type { Logger, Redactor } from "../telemetry/index.ts";
import { MAX_BODY_BYTES, refuseLargeBody } from "./body.ts";
import type { Client, createClientReader } from "./client-address.ts";
import type { Gate } from "./gate.ts";
import { hardened } from "./hardened.ts";
import { pageRoutes } from "./page-routes.ts";
import { problem, problemOf } from "./problem.ts";
import type { createRateLimits } from "./rate-limits.ts";
import type { Call, Route } from "./route.ts";
import { closingOf } from "./served.ts";

export interface AppDeps {
  /** All routes except those of the page, in matching order. */
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly limits: ReturnType<typeof createRateLimits>;
  /** Determines where a request comes from. */
  readonly clientOf: ReturnType<typeof createClientReader>;
  /** Removes secrets from error messages to callers. */
  readonly redact: Redactor;
  /** Title of the page. Default `Wakeful`. */
  readonly name?: string;
  /** Whether skills can be installed. Default true. */
  readonly installs?: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the HTTP server: webhooks, the API and the page. docs/http.md lists its responses.
 *
 * A runtime adapter passes `{ remoteAddress }` as `fetch`'s `env`, so that requests and failed sign-ins can be counted
 * by source. `serve()` also passes its address (`SERVED`) and a signal for its shutdown (`CLOSING`).
 */
export function createApp(deps: AppDeps): Hono {
  const { routes, gate, limits, clientOf, redact, name, installs, clock, logger } = deps;
  const app = new Hono();

  /** Runs a handler and converts what it throws into a problem response. */
  async function answered(handle: () => Promise<Response> | Response): Promise<Response> {
    try {
      return hardened(await handle());
    } catch (error) {
      return hardened(problemOf(error, logger, redact));
    }
  }

  /**
   * Public routes have no limit by address: platforms share addresses and count a 429 as a failed delivery, and probes
   * must get through.
   */
  function serve(route: Route, context: Context): Promise<Response> {
    const request = context.req.raw;
    const closing = closingOf(context.env);
    const call: Call = {
      request,
      params: context.req.param() as Record<string, string>,
      query: new URL(request.url).searchParams,
      ...(closing && { closing }),
    };
    const { access } = route;
    if (access === "public") return answered(() => route.handle(call));
    return limited(context, async (client) => {
      gate.checkHost(request, client, "api");
      if (route.body) refuseLargeBody(request, route.maxBodyBytes ?? MAX_BODY_BYTES);
      const caller = await gate.identify(request, client, route.path);
      const tag = client.near && caller.role === "owner" ? undefined : caller.tag;
      return limits.token.limit(context, tag, () =>
        answered(() => route.handle({ ...call, caller: gate.admit(caller, access) })),
      );
    });
  }

  /** Applies the limit by address to everything that strangers can trigger. */
  function limited(context: Context, handle: (client: Client) => Promise<Response>): Promise<Response> {
    const client = clientOf(context.req.raw, context.env);
    const key = client.near ? undefined : client.source;
    return answered(() => limits.source.limit(context, key, () => answered(() => handle(client))));
  }

  const methods = new Map<string, string[]>();
  for (const route of routes) {
    app.on(route.method, route.path, (context) => {
      const response = serve(route, context);
      return context.req.method === "HEAD" ? response.then(unread) : response;
    });
    methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
  }
  pageRoutes(app, {
    gate,
    limited,
    clock,
    ...(name !== undefined && { name }),
    ...(installs !== undefined && { installs }),
  });
  methods.set("/", ["GET", "POST"]).set("/login", ["GET", "POST"]).set("/logout", ["POST"]);

  for (const [path, allowed] of methods) {
    const allow = [...allowed, ...(allowed.includes("GET") ? ["HEAD"] : [])].join(", ");
    app.all(path, ({ req }) =>
      hardened(problem("METHOD_NOT_ALLOWED", `${req.path} takes ${allow}, not ${req.method}`, { headers: { allow } })),
    );
  }
  app.notFound(({ req }) =>
    hardened(problem("NOT_FOUND", `There is no route ${req.path}: GET /api/v1/openapi.json lists them`)),
  );
  app.onError((error) => hardened(problemOf(error, logger, redact)));
  return app;
}

/** Answers `HEAD`. Cancels the body, so that its source stops. */
async function unread(response: Response): Promise<Response> {
  await response.body?.cancel();
  return response;
}
