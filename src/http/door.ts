import type { Hono } from "hono";
import { messageOf, wrongCall } from "../errors.ts";
import type { Logger } from "../telemetry/index.ts";

export interface DoorDeps {
  /** Puts up the routes, which takes milliseconds: a program that only calls `send` does without. */
  build(): Hono;
  /** The assistant runs once this is resolved. */
  start(): Promise<void>;
  readonly logger: Pick<Logger, "error">;
}

/** The app that answers requests, built for the first one, and the `fetch` of the assistant in front of it. */
export function createDoor({ build, start, logger }: DoorDeps) {
  let built: Hono | undefined;
  const app = () => (built ??= build());

  return {
    app,
    /** @throws {AssistantError} `OPTION_INVALID` for what is no request. */
    async fetch(request: Request, env?: unknown, context?: unknown): Promise<Response> {
      if (typeof (request as Request | undefined)?.url !== "string")
        throw wrongCall("request", "fetch", "a Request", request);
      // Not awaited: health is answered also while the start fails, and every route that needs the engine waits for it.
      start().catch((error: unknown) => logger.error("The assistant could not start", { error: messageOf(error) }));
      return app().fetch(request, env, context as never);
    },
  };
}
