import { after, type Clock } from "../clock.ts";
import type { PendingApproval, Reply, StreamEvent } from "../reply.ts";
import type { JsonValue } from "../store/index.ts";
import { replyJson } from "./wire.ts";

/**
 * The chunks of the AI SDK's UI message stream protocol that the server sends.
 *
 * Source: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol, "Data Stream Protocol".
 */
export type UiChunk =
  | { readonly type: "start" }
  | { readonly type: "start-step" | "finish-step" }
  | { readonly type: "text-start" | "text-end"; readonly id: string }
  | { readonly type: "text-delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: JsonValue;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: JsonValue;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  /**
   * The call waits for the owner. The reader may answer in its next message; other permitted callers may answer over
   * the API.
   */
  | { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: "data-approval";
      readonly id: string;
      readonly data: { readonly id: string; readonly code: string; readonly name: string; readonly input: JsonValue };
    }
  | { readonly type: "error"; readonly errorText: string }
  | {
      readonly type: "finish";
      readonly finishReason: "stop" | "error";
      readonly messageMetadata?: Readonly<Record<string, unknown>>;
    };

/** Translates a turn's events into chunks, one event at a time. Tracks open blocks, so that each is closed. */
export interface UiTranslator {
  start(): UiChunk[];
  push(event: StreamEvent): UiChunk[];
  /** Reports an error outside of the turn's own events. */
  fail(message: string): UiChunk[];
  end(): UiChunk[];
}

export function createUiTranslator(): UiTranslator {
  let blocks = 0;
  let openText: string | undefined;
  /** Text of the open step, to find what the reply adds to it. */
  let stepText = "";
  const openCalls = new Set<string>();
  let callsSeen = 0;
  /** Whether a tool of this step has ended. Later text or calls then belong to the next step. */
  let toolEnded = false;
  let failed = false;
  /** Sent at the end unless a reply replaces it. Readers stop at an error, so it follows the reply's text. */
  let failure: string | undefined;
  let metadata: Record<string, unknown> | undefined;

  function closeText(): UiChunk[] {
    if (openText === undefined) return [];
    const id = openText;
    openText = undefined;
    return [{ type: "text-end", id }];
  }

  function nextStep(): UiChunk[] {
    if (!toolEnded || openCalls.size > 0) return [];
    toolEnded = false;
    stepText = "";
    return [...closeText(), { type: "finish-step" }, { type: "start-step" }];
  }

  function text(delta: string): UiChunk[] {
    if (delta === "") return [];
    const chunks = nextStep();
    if (openText === undefined) {
      openText = `text-${++blocks}`;
      chunks.push({ type: "text-start", id: openText });
    }
    stepText += delta;
    chunks.push({ type: "text-delta", id: openText, delta });
    return chunks;
  }

  function toolStart(toolCallId: string, toolName: string, input: JsonValue): UiChunk[] {
    callsSeen++;
    const chunks = [...nextStep(), ...closeText()];
    openCalls.add(toolCallId);
    chunks.push({ type: "tool-input-available", toolCallId, toolName, input, dynamic: true });
    return chunks;
  }

  function toolEnd(
    toolCallId: string,
    ended: { output?: JsonValue; error?: { code: string; message: string } },
  ): UiChunk[] {
    // A call that started before this stream: readers reject an end without a start.
    if (!openCalls.delete(toolCallId)) return [];
    toolEnded = true;
    if (ended.error) {
      const errorText = `${ended.error.code}: ${ended.error.message}`;
      return [{ type: "tool-output-error", toolCallId, errorText, dynamic: true }];
    }
    return [{ type: "tool-output-available", toolCallId, output: ended.output ?? null, dynamic: true }];
  }

  function reply(reply: Reply): UiChunk[] {
    const { text: _, tool_calls: __, ...rest } = replyJson(reply);
    metadata = rest;
    const chunks: UiChunk[] = [];
    if (callsSeen === 0) {
      // The turn had ended before the stream began (the message was sent again), so its calls come from the reply.
      for (const [index, call] of reply.toolCalls.entries()) {
        const asked = reply.approvals.find(({ code }) => typeof call.output === "string" && call.output.includes(code));
        const callId = asked?.id ?? `${reply.turnId}.${index}`;
        chunks.push(...toolStart(callId, call.name, call.input), ...(asked ? approval(asked) : toolEnd(callId, call)));
      }
    }
    if (reply.text !== stepText.trim() && !reply.silent) {
      const more = reply.text.startsWith(stepText) ? reply.text.slice(stepText.length) : reply.text;
      if (more === reply.text) chunks.push(...closeText());
      chunks.push(...text(more));
    }
    if (reply.error) chunks.push(...fail(reply.error.message));
    return chunks;
  }

  /** A request has the id of its call. Readers show it as waiting, so it gets no output yet. */
  function approval({ id, code, name, input }: PendingApproval): UiChunk[] {
    const isKnown = openCalls.delete(id);
    toolEnded ||= isKnown;
    return [
      ...(isKnown ? ([{ type: "tool-approval-request", approvalId: id, toolCallId: id }] as const) : []),
      { type: "data-approval", id, data: { id, code, name, input } },
    ];
  }

  function fail(errorText: string): UiChunk[] {
    if (failed) return [];
    failed = true;
    return [...closeText(), { type: "error", errorText }];
  }

  return {
    start: () => [{ type: "start" }, { type: "start-step" }],
    push(event) {
      switch (event.type) {
        case "text-delta":
          return text(event.text);
        case "tool-start":
          return toolStart(event.callId, event.name, event.input);
        case "tool-end":
          return toolEnd(event.callId, event);
        case "approval":
          return approval(event);
        case "reply":
          return reply(event.reply);
        case "error":
          failure = event.message;
          return [];
        default:
          return [];
      }
    },
    fail,
    end() {
      const interrupted = [...openCalls].flatMap((callId) =>
        toolEnd(callId, { error: { code: "ABORTED", message: "The turn ended before the tool did" } }),
      );
      return [
        ...closeText(),
        ...interrupted,
        ...(failure === undefined ? [] : fail(failure)),
        { type: "finish-step" },
        { type: "finish", finishReason: failed ? "error" : "stop", ...(metadata ? { messageMetadata: metadata } : {}) },
      ];
    },
  };
}

/** Returns the chunks of a turn. `describe` converts a thrown error into one sentence for people. */
export async function* uiChunks(
  events: AsyncIterable<StreamEvent>,
  describe: (error: unknown) => string,
): AsyncGenerator<UiChunk> {
  const translator = createUiTranslator();
  yield* translator.start();
  try {
    for await (const event of events) yield* translator.push(event);
  } catch (error) {
    yield* translator.fail(describe(error));
  }
  yield* translator.end();
}

/**
 * Interval of keep-alive comments in a silent stream, in milliseconds. Proxies close idle connections after 30 s or
 * more.
 */
const KEEP_ALIVE_MS = 15_000;

/** Sends chunks as server-sent events. If the client disconnects, the chunks are no longer read; the turn goes on. */
export function uiStreamResponse(chunks: AsyncGenerator<UiChunk>, clock: Clock): Response {
  const encoder = new TextEncoder();
  let stopKeepAlive = () => {};
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const keepAlive = () => {
        stopKeepAlive = after(clock, KEEP_ALIVE_MS, () => {
          controller.enqueue(encoder.encode(": still here\n\n"));
          keepAlive();
        });
      };
      keepAlive();
      const { done, value } = await chunks.next().finally(() => stopKeepAlive());
      controller.enqueue(encoder.encode(`data: ${done ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done) controller.close();
    },
    cancel() {
      stopKeepAlive();
      // Not awaited: it settles with the turn's next event.
      chunks.return(undefined).catch(() => {});
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-vercel-ai-ui-message-stream": "v1",
    },
  });
}
