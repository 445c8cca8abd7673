import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Submission } from "../inbox/index.ts";
import type { StreamEvent } from "../reply.ts";
import type { Logger } from "../telemetry/index.ts";
import type { Caller } from "./auth.ts";
import { eventsFor } from "./failure.ts";
import { uiChunks, uiStreamResponse } from "./ui-stream.ts";

export interface StreamReplyDeps {
  stream(input: Submission): AsyncIterable<StreamEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends replies as UI message streams. */
export type StreamReply = ReturnType<typeof createStreamReply>;

export function createStreamReply({ stream, clock, logger }: StreamReplyDeps) {
  /** Returns the error text for the caller. */
  function describe(error: unknown): string {
    if (AssistantError.is(error)) return error.message;
    logger.error("A stream failed", { error: messageOf(error) });
    return "An internal error occurred: see the server's log";
  }

  /** Streams a turn's events as a UI message stream. */
  function answer(events: AsyncIterable<StreamEvent>, caller: Pick<Caller, "role">): Response {
    return uiStreamResponse(uiChunks(eventsFor(caller, events), describe), clock);
  }

  return {
    describe,
    /** Submits a message and streams its turn. */
    tell: (input: Submission, caller: Pick<Caller, "role">): Response => answer(stream(input), caller),
    answer,
  };
}
