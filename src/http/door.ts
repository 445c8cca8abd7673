import type { Hono } from "hono";
import { messageOf, wrongCall } from "../errors.ts";
import type { Logger } from "../telemetry/index.ts";

export interface DoorDeps {
  /** Builds the routes, which takes milliseconds. A program that only calls `send` never needs them. */
  build(): Hono;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
  readonly logger: Pick<Logger, "error">;
}

/** Creates the app on the first request, and the assistant's `fetch` in front of it. */
export function createDoor({ build, start, logger }: DoorDeps) {
  let built: Hono | undefined;
  const app = () => (built ??= build());

  return {
    app,
    /** @throws {AssistantError} `OPTION_INVALID` if `request` is not a Request. */
    async fetch(request: Request, env?: unknown, context?: unknown): Promise<Response> {
      if (typeof (request as Request | undefined)?.url !== "string")
        throw wrongCall("request", "fetch", "a Request", request);
      // Not awaited: health checks are answered even if the start fails, and every route that needs the engine waits
      // for it.
      start().catch((error: unknown) => logger.error("The assistant could not start", { error: messageOf(error) }));
      return app().fetch(request, env, context as never);
    },
  };
}
