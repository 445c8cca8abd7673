import { ChannelSendError, MAX_WEBHOOK_BYTES } from "../channel.ts";
import type { Channel, ChannelAccess, ChannelLimits, OutboundMessage, Receipt, Target } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import type { InboundMessage } from "../message.ts";

/** A message that the channel accepted. */
export interface SentMessage {
  /** What `send` returned, counting from `sent-1`. */
  readonly id: string;
  /** Its target. */
  readonly target: Target;
  /** The message, as passed to `send`. */
  readonly message: OutboundMessage;
}

/**
 * Outcome of a scripted try: a refusal of the platform, any other error, or a break after which the outcome is unknown
 * to the caller.
 */
export type ScriptedFailure =
  | { readonly retryable: boolean; readonly retryAfterMs?: number; readonly message?: string }
  /** The message is recorded in `sent`, then the call throws: the platform has it, and the caller does not know. */
  | { readonly takenThenLost: true }
  | Error
  /** Waits until this settles, then continues as usual. The send's signal ends the wait. */
  | Promise<unknown>;

/** A channel for tests: records sent messages, and fails as scripted. */
export interface InMemoryChannel extends Channel {
  /** As in `Channel`: always present, for requests that `request` makes. */
  receive(request: Request): Promise<Receipt>;
  /** Accepted messages, in order. */
  readonly sent: readonly SentMessage[];
  /** Every call of `send`, failed ones too, in order. */
  readonly tries: readonly { readonly target: Target; readonly message: OutboundMessage }[];
  /** Targets that `startTyping` was called for. */
  readonly typing: readonly Target[];
  /** Outcomes of the next tries, one each; `null` lets one succeed. With `chat`, only tries to that chat count. */
  script(failures: readonly (ScriptedFailure | null)[], options?: { chat?: string }): void;
  /** The texts sent to a chat. */
  textsTo(chat: string): string[];
  /** A signed request with these messages, as the platform would send it. */
  request(messages: readonly Partial<InboundMessage>[], options?: { secret?: string; wait?: boolean }): Request;
}

/** Options of `inMemoryChannel`. */
export interface InMemoryChannelOptions {
  /** Default `memory`. */
  readonly name?: string;
  /** Default: everyone may write, and groups are always answered. */
  readonly access?: ChannelAccess;
  /** Default: 4096 characters a message, no pacing. */
  readonly limits?: Partial<ChannelLimits>;
  /** Default false. */
  readonly caseSensitiveIds?: boolean;
  /** Required value of a webhook's header `X-Memory-Secret`. Default `secret`. */
  readonly secret?: string;
}

/**
 * A messaging platform in memory, for tests of code that sends or receives.
 *
 * @example
 * ```ts
 * const channel = inMemoryChannel();
 * channel.script([{ retryable: true, retryAfterMs: 7000 }]); // the first try fails, the next is taken
 * ```
 */
export function inMemoryChannel(options: InMemoryChannelOptions = {}): InMemoryChannel {
  const { name = "memory", access = { dm: "open", groups: "always" }, secret = "secret" } = options;
  const sent: SentMessage[] = [];
  const tries: { target: Target; message: OutboundMessage }[] = [];
  const typing: Target[] = [];
  const scripts: { chat: string | undefined; left: (ScriptedFailure | null)[] }[] = [];
  let received = 0;

  function nextScripted(chat: string): ScriptedFailure | null {
    const script = scripts.find((entry) => entry.left.length > 0 && (entry.chat === undefined || entry.chat === chat));
    return script?.left.shift() ?? null;
  }

  function take(target: Target, message: OutboundMessage): { id: string } {
    const id = `sent-${sent.length + 1}`;
    sent.push({ id, target, message });
    return { id };
  }

  return {
    name,
    access,
    limits: { maxTextLength: 4096, unit: "chars", ...options.limits },
    ...(options.caseSensitiveIds === undefined ? {} : { caseSensitiveIds: options.caseSensitiveIds }),
    sent,
    tries,
    typing,
    script: (failures, { chat } = {}) => void scripts.push({ chat, left: [...failures] }),
    textsTo: (chat) => sent.filter((entry) => entry.target.chat === chat).map((entry) => entry.message.text),
    request(messages, { secret: given = secret, wait = false } = {}) {
      const complete = messages.map((message): InboundMessage => {
        received++;
        return {
          channel: name,
          id: `event-${received}`,
          peer: { kind: "direct", id: "ada" },
          sender: { id: message.peer?.kind === "direct" ? message.peer.id : "ada" },
          text: "hello",
          mentioned: true,
          ...message,
        };
      });
      return new Request(`http://localhost/webhooks/${name}${wait ? "?wait=true" : ""}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-memory-secret": given },
        body: JSON.stringify(complete),
      });
    },
    async receive(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.byteLength > MAX_WEBHOOK_BYTES)
        throw new AssistantError(
          "BODY_TOO_LARGE",
          `The webhook body is larger than ${MAX_WEBHOOK_BYTES} bytes: send less`,
        );
      if (request.headers.get("x-memory-secret") !== secret) {
        throw new AssistantError(
          "CHANNEL_REJECTED",
          "The header X-Memory-Secret is missing or wrong: send the channel's secret",
        );
      }
      let messages: unknown;
      try {
        messages = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
      } catch (cause) {
        throw new AssistantError("OPTION_INVALID", "The webhook body is not JSON in UTF-8: send a list of messages", {
          cause,
        });
      }
      if (!Array.isArray(messages))
        throw new AssistantError("OPTION_INVALID", "The webhook body is not a list: send a list of messages");
      return { messages: messages as InboundMessage[], wait: new URL(request.url).searchParams.get("wait") === "true" };
    },
    async send(target, message, signal) {
      signal.throwIfAborted();
      tries.push({ target, message });
      const scripted = nextScripted(target.chat);
      if (scripted === null) return take(target, message);
      if (scripted instanceof Promise) {
        await untilAborted(scripted, signal);
        return take(target, message);
      }
      if (scripted instanceof Error) throw scripted;
      if ("takenThenLost" in scripted) {
        take(target, message);
        throw new ChannelSendError("The connection broke after the message was taken", { retryable: true });
      }
      throw new ChannelSendError(scripted.message ?? "The scripted platform refused the message", scripted);
    },
    async startTyping(target) {
      typing.push(target);
    },
  };
}

function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
