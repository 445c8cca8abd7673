import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { HostMessage, JsonValue, Reply, StreamEvent } from "../../mod.ts";
import { messageOf } from "../../kit.ts";
import { type ApprovalsClient, camelCased } from "./approvals-client.ts";
import { type Talker, type Told, noticeOf } from "./conversation.ts";
import { NotSignedIn } from "./exit-codes.ts";
import type { ApiAsk } from "./sessions-client.ts";

/**
 * The person at the terminal. With an owner's token that is the owner, in the same conversation as `wakeful chat`
 * without a server.
 */
const TERMINAL = "cli";
const RETRY_MS = 3000;

export interface ChatClientDeps {
  readonly ask: ApiAsk;
  /** The server's message about a failure. */
  failureOf(response: Response): Promise<Error>;
  readonly approvals: Pick<ApprovalsClient, "list">;
}

/** Talks to an assistant through the routes of its API. */
export function chatClient({ ask, failureOf, approvals }: ChatClientDeps): Required<Talker> {
  async function* stream({ text, session, signal = new AbortController().signal }: Parameters<Talker["stream"]>[0]) {
    const reader = createReplyReader();
    try {
      const body = { text, user: TERMINAL, id: randomUUID(), ...(session !== undefined && { session }) };
      const response = await ask("/api/v1/messages", { method: "POST", body, accept: "text/event-stream", signal });
      if (!response.ok) throw await failureOf(response);
      for await (const { data } of eventsIn(response))
        if (data !== "[DONE]") yield* reader.read(JSON.parse(data) as Chunk);
    } catch (error) {
      if (signal.aborted) {
        await stop(session);
        throw signal.reason;
      }
      if (!reader.hasBegun) throw error;
      yield broken(messageOf(error));
      return;
    }
    if (!reader.isWhole) yield broken("it ended early");
  }

  /** Ends the turn at the server, and queued messages. The server's own log reports a failure. */
  async function stop(session: string | undefined): Promise<void> {
    const body = { text: "/stop", user: TERMINAL, wait: false, ...(session !== undefined && { session }) };
    await ask("/api/v1/messages", { method: "POST", body }).catch(() => {});
  }

  /** Follows the event feed, reconnecting after a lost connection, until `signal` aborts or the token is refused. */
  async function follow(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
    let lastEventId = "";
    // Requests that waited before the first connection are not news; after a lost connection they are.
    let isNews = false;
    while (!signal.aborted) {
      try {
        const response = await ask("/api/v1/events", { accept: "text/event-stream", signal, lastEventId });
        if (!response.ok) throw await failureOf(response);
        for await (const { event = "", id, data } of eventsIn(response)) {
          if (id !== undefined && id > lastEventId) lastEventId = id;
          const told = toldIn(event, data);
          if (told !== undefined && isNews) tell(told);
          isNews ||= event === "live";
        }
      } catch (error) {
        if (error instanceof NotSignedIn) return;
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    stream,
    approvals: { list: ({ all = false } = {}) => approvals.list({ all }) },
    hear(tell) {
      const listening = new AbortController();
      void follow(tell, listening.signal);
      return () => listening.abort();
    },
  };
}

function eventsIn(response: Response) {
  if (response.body === null) throw new TypeError("The server answered without a stream");
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

function toldIn(event: string, data: string): Told | undefined {
  if (!["notification", "reply", "approval"].includes(event)) return undefined;
  if (event !== "approval") return noticeOf(JSON.parse(data) as HostMessage);
  const { id = "", state } = JSON.parse(data) as Record<string, string>;
  return state === "open" ? { kind: "approval", id } : undefined;
}

function broken(why: string): StreamEvent {
  const message = `The connection to the server broke (${why}): the turn goes on there, and its reply is in the conversation`;
  return { type: "error", code: "CHANNEL_UNAVAILABLE", message };
}

/** The chunks of a UI message stream, with the fields that are read here. */
interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly errorText?: string;
  readonly data?: Reply["approvals"][number];
  readonly messageMetadata?: Record<string, unknown>;
}

/** Converts chunks back into the events that they came from. */
function createReplyReader() {
  const open = new Map<string, { name: string; input: JsonValue; at: number }>();
  const toolCalls: Reply["toolCalls"][number][] = [];
  /** Text of the last step, as in the reply. */
  let text = "";
  let hasBegun = false;
  let isWhole = false;

  function toolEnd({ toolCallId: callId = "", output = null, errorText }: Chunk): StreamEvent[] {
    const call = open.get(callId);
    if (call === undefined) return [];
    const { name, input, at } = call;
    const [, code = "FAILED", message = errorText ?? ""] = /^([A-Z_]+): (.*)$/s.exec(errorText ?? "") ?? [];
    const ended = errorText === undefined ? { output } : { error: { code, message } };
    const durationMs = performance.now() - at;
    toolCalls.push({ name, input, ...ended, durationMs });
    return [{ type: "tool-end", callId, name, ...ended, durationMs }];
  }

  function replyOf(metadata: Record<string, unknown>): Reply {
    const { usage, ...rest } = camelCased(metadata) as unknown as Omit<Reply, "text" | "toolCalls" | "usage"> & {
      readonly usage: Record<string, unknown>;
    };
    const said = rest.silent ? "" : text.trim();
    return { ...rest, text: said, toolCalls, usage: camelCased(usage) as unknown as Reply["usage"] };
  }

  return {
    /** Whether the server accepted the message. */
    get hasBegun() {
      return hasBegun;
    },
    /** Whether the reply is complete. */
    get isWhole() {
      return isWhole;
    },
    read(chunk: Chunk): StreamEvent[] {
      hasBegun = true;
      switch (chunk.type) {
        case "text-delta":
          text += chunk.delta ?? "";
          return [{ type: "text-delta", text: chunk.delta ?? "" }];
        case "tool-input-available": {
          const { toolCallId: callId = "", toolName: name = "", input = null } = chunk;
          text = "";
          open.set(callId, { name, input, at: performance.now() });
          return [{ type: "tool-start", callId, name, input }];
        }
        case "tool-output-available":
        case "tool-output-error":
          return toolEnd(chunk);
        case "data-approval":
          return chunk.data === undefined ? [] : [{ type: "approval", ...chunk.data }];
        case "error":
          return [{ type: "error", code: "FAILED", message: chunk.errorText ?? "" }];
        case "finish":
          isWhole = true;
          return chunk.messageMetadata === undefined ? [] : [{ type: "reply", reply: replyOf(chunk.messageMetadata) }];
        default:
          return [];
      }
    },
  };
}
