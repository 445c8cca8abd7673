import { type Channel, type Deliver, type Target, sendFailure } from "../channel.ts";
import { systemClock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { InboundMessage } from "../message.ts";
import type { TestApi } from "./test-api.ts";

/** A platform's answers to a message that it is sent. */
export type PlatformAnswer =
  /** Retry after 7 seconds. */
  | "rate-limited"
  /** Temporarily broken. */
  | "unavailable"
  /** This chat will never accept it: blocked, gone. */
  | "refused"
  /** No answer: the network is down. */
  | "unreachable";

/** A channel created for one test, in front of a platform that the test controls. */
export interface OpenedChannel {
  /** The channel, with one account. */
  readonly channel: Channel;
  /** A chat that accepts messages. */
  readonly target: Target;
  /** Secrets that no error and no finding may show. */
  readonly secrets: readonly string[];
  /** A genuine webhook: a direct message. The same `id` gives the same event. */
  request(message: { readonly id: string; readonly text: string }): Promise<Request>;
  /**
   * For a platform that reports edits: a genuine webhook that edits the message of `request` with the id `of`, as an
   * event of its own.
   */
  edited?(message: { readonly id: string; readonly of: string; readonly text: string }): Promise<Request>;
  /** For a platform that reports deletions: as `edited`. */
  deleted?(message: { readonly id: string; readonly of: string }): Promise<Request>;
  /** Webhooks that the platform did not send, by their defect. */
  forged(): Promise<Readonly<Record<string, Request>>>;
  /** Genuine webhooks with invalid content, by their defect. */
  malformed(): Promise<Readonly<Record<string, Request>>>;
  /** A genuine webhook of more than 1 MiB without a declared length. */
  oversized(): Promise<Request>;
  /** For a channel that listens. */
  readonly connection?: {
    /** Gives the platform this direct message for the channel: the same event as `request` makes of it. */
    push(message: { readonly id: string; readonly text: string }): void;
    /** How many messages the platform would deliver again, since they are not confirmed. */
    unconfirmed(): number;
  };
  /** The platform's answer to the next call. */
  answerNext(answer: PlatformAnswer): void;
  /** Number of calls that asked the platform to send a message, failed ones too. */
  sends(): number;
  /** Messages that the platform accepted, in order. */
  taken(): readonly { readonly text: string; readonly idempotencyKey: string | null }[];
  /** Removes what the platform left. Called after each test. */
  dispose?(): Promise<void>;
}

/** Options of `channelContract`. */
export interface ChannelContractOptions {
  /** The channel's name in the titles of the tests. */
  readonly name: string;
  /** Creates a channel in front of a fresh platform. Called once for each test. */
  open(): Promise<OpenedChannel>;
  /** False for channels without a webhook. Default true. */
  readonly webhook?: boolean;
}

/**
 * Registers the contract of the `Channel` port as tests: every channel passes the same ones.
 *
 * Source: the Contract lines of `Channel`; docs/channels.md, "Write a channel of your own".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * channelContract({ describe, it, expect }, { name: "telegram", open });
 * ```
 */
export function channelContract(api: TestApi, options: ChannelContractOptions): void {
  const { name, open, webhook = true } = options;
  const { expect } = api;

  function test(title: string, body: (opened: OpenedChannel) => Promise<void>): void {
    api.it(title, async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.dispose?.();
      }
    });
  }

  api.describe(`${name} keeps the Channel contract`, () => {
    test("names itself and its limits", async ({ channel, target }) => {
      expect(channel.name).toBe(target.channel);
      expect(channel.limits.maxTextLength > 0).toBe(true);
      expect(["chars", "bytes"].includes(channel.limits.unit)).toBe(true);
    });
    if (webhook) receiving(test, expect);
    sending(test, expect);
    listening(test, expect);
    optional(test, expect);
  });
}

type Test = (title: string, body: (opened: OpenedChannel) => Promise<void>) => void;

function receiving(test: Test, expect: TestApi["expect"]): void {
  test("reads a genuine message as it was written", async ({ channel, request }) => {
    const text = "Hello, 世界 👩‍👩‍👧 <b>&amp;</b>\nsecond line";
    const receipt = await receive(channel, await request({ id: "1001", text }));
    expect(receipt.messages.length).toBe(1);
    const [message] = receipt.messages;
    expect(message?.text).toBe(text);
    expect(message?.channel).toBe(channel.name);
    expect(message?.peer.kind).toBe("direct");
    expect((message?.peer.id ?? "") !== "" && (message?.sender.id ?? "") !== "").toBe(true);
    expect(message?.mentioned).toBe(true);
  });

  test("gives one event one id, and two events two", async ({ channel, request }) => {
    const ids: (string | undefined)[] = [];
    for (const id of ["1001", "1001", "1002"]) {
      const receipt = await receive(channel, await request({ id, text: "hi" }));
      ids.push(receipt.messages[0]?.id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0] === ids[2]).toBe(false);
  });

  test("names the message that was edited or deleted, in an event of its own", async (opened) => {
    const { channel, request, edited, deleted } = opened;
    const [message] = (await receive(channel, await request({ id: "1001", text: "I live in Oslo" }))).messages;
    const changes = [
      await edited?.({ id: "1002", of: "1001", text: "I live in Bergen" }),
      await deleted?.({ id: "1003", of: "1001" }),
    ];
    for (const [at, made] of changes.entries()) {
      if (!made) continue;
      const [change] = (await receive(channel, made)).messages;
      expect(change?.kind).toBe(at === 0 ? "edit" : "deletion");
      expect(change?.text).toBe(at === 0 ? "I live in Bergen" : "");
      expect(change?.messageId !== undefined && change.messageId === message?.messageId).toBe(true);
      expect(change?.peer).toEqual(message?.peer);
      expect(change?.sender.id).toBe(message?.sender.id);
      expect(change?.id === message?.id).toBe(false);
    }
  });

  test("leaves roles to the runtime", async ({ channel, request }) => {
    const receipt = await receive(channel, await request({ id: "1001", text: "I am the owner" }));
    expect(receipt.messages[0]?.sender.roles).toBe(undefined);
  });

  test("rejects what is not genuine", async ({ channel, forged, secrets }) => {
    const requests = Object.entries(await forged());
    expect(requests.length > 0).toBe(true);
    for (const [what, request] of requests) {
      const error = await failure(receive(channel, request));
      expect(`${what}: ${codeOf(error)}`).toBe(`${what}: CHANNEL_REJECTED`);
      expect(shows(error, secrets)).toBe(false);
    }
  });

  test("refuses what is genuine but makes no sense", async ({ channel, malformed }) => {
    for (const [what, request] of Object.entries(await malformed())) {
      const error = await failure(receive(channel, request));
      expect(`${what}: ${codeOf(error)}`).toBe(`${what}: OPTION_INVALID`);
    }
  });

  test("refuses a body over the limit, also one that does not say how long it is", async ({ channel, oversized }) => {
    expect(codeOf(await failure(receive(channel, await oversized())))).toBe("BODY_TOO_LARGE");
  });
}

function sending(test: Test, expect: TestApi["expect"]): void {
  test("sends a message once, with its idempotency key", async ({ channel, target, taken, sends }) => {
    const { id } = await channel.send(target, { text: "hello", idempotencyKey: "turn.0" }, never());
    expect(typeof id).toBe("string");
    expect(taken()).toEqual([{ text: "hello", idempotencyKey: "turn.0" }]);
    expect(sends()).toBe(1);
  });

  test("tries once, and says how long the platform asks to wait", async ({ channel, target, answerNext, sends }) => {
    answerNext("rate-limited");
    const error = await failure(channel.send(target, { text: "hello" }, never()));
    expect(verdictOf(error)).toEqual({ retryable: true, retryAfterMs: 7000 });
    expect(sends()).toBe(1);
  });

  for (const { answer, retryable } of [
    { answer: "unavailable", retryable: true },
    { answer: "unreachable", retryable: true },
    { answer: "refused", retryable: false },
  ] as const) {
    test(`says that a message is ${retryable ? "" : "not "}worth a retry when the platform is ${answer}, and shows no secret`, async (opened) => {
      const { channel, target, secrets, answerNext, sends, taken } = opened;
      answerNext(answer);
      const error = await failure(channel.send(target, { text: "hello" }, never()));
      expect(verdictOf(error).retryable).toBe(retryable);
      expect(shows(error, secrets)).toBe(false);
      expect(sends()).toBe(1);
      await channel.send(target, { text: "again" }, never());
      expect(taken().map(({ text }) => text)).toEqual(["again"]);
    });
  }

  test("sends nothing once its signal has aborted", async ({ channel, target, taken }) => {
    const error = await failure(channel.send(target, { text: "hello" }, AbortSignal.abort(new Error("stopped"))));
    expect(error instanceof Error).toBe(true);
    expect(taken()).toEqual([]);
  });
}

function listening(test: Test, expect: TestApi["expect"]): void {
  test("hands on what comes over its own connection, under the id that it has by webhook", async (opened) => {
    const { channel, connection, request } = opened;
    if (channel.listen === undefined || connection === undefined) return;
    const heard = startListening(channel);
    connection.push({ id: "1001", text: "one" });
    connection.push({ id: "1002", text: "two" });
    await eventually(() => heard.messages.length === 2 && connection.unconfirmed() === 0);
    await heard.stop();
    expect(heard.messages.map(({ text }) => text)).toEqual(["one", "two"]);
    if (channel.receive === undefined) return;
    const byWebhook = await channel.receive(await request({ id: "1001", text: "one" }));
    expect(byWebhook.messages.map(({ id }) => id)).toEqual([heard.messages[0]?.id]);
  });

  test("confirms no message that could not be stored, nor one after it", async ({ channel, connection }) => {
    if (channel.listen === undefined || connection === undefined) return;
    connection.push({ id: "1001", text: "one" });
    connection.push({ id: "1002", text: "two" });
    const failing = startListening(channel, async () => {
      throw new Error("the store is full");
    });
    expect((await failure(failing.ended)) instanceof Error).toBe(true);
    expect(connection.unconfirmed()).toBe(2);

    const heard = startListening(channel);
    await eventually(() => heard.messages.length === 2 && connection.unconfirmed() === 0);
    await heard.stop();
    expect(heard.messages.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("waits until a message is stored before it confirms it", async ({ channel, connection }) => {
    if (channel.listen === undefined || connection === undefined) return;
    let store = () => {};
    const stored = new Promise<void>((resolve) => (store = resolve));
    const heard = startListening(channel, () => stored);
    connection.push({ id: "1001", text: "one" });
    await eventually(() => heard.messages.length === 1);
    await systemClock().sleep(20);
    expect(connection.unconfirmed()).toBe(1);
    store();
    await eventually(() => connection.unconfirmed() === 0);
    await heard.stop();
  });

  test("throws when its connection breaks, worth a retry, and shows no secret", async (opened) => {
    const { channel, connection, answerNext, secrets } = opened;
    if (channel.listen === undefined || connection === undefined) return;
    for (const answer of ["rate-limited", "unavailable", "unreachable"] as const) {
      answerNext(answer);
      const error = await failure(startListening(channel).ended);
      expect(error instanceof Error).toBe(true);
      expect(shows(error, secrets)).toBe(false);
      expect(sendFailure(error).retryable).toBe(true);
    }
  });

  test("ends soon after its signal aborts", async ({ channel, connection }) => {
    if (channel.listen === undefined || connection === undefined) return;
    const heard = startListening(channel);
    await systemClock().sleep(5);
    await heard.stop();
    expect(heard.messages).toEqual([]);
  });

  test("is set up once: what is as it should be stays as it is", async ({ channel }) => {
    if (channel.setUp === undefined) return;
    const ways = channel.receive === undefined ? [{}] : [{}, { webhookUrl: "https://assistant.example/webhooks/x" }];
    for (const where of ways) {
      await channel.setUp({ ...where, signal: never() });
      expect(await channel.setUp({ ...where, signal: never() })).toEqual([]);
    }
  });
}

/** Starts a listening channel, and collects the messages that it delivers. */
function startListening(channel: Channel, deliver: Deliver = async () => {}) {
  const stop = new AbortController();
  const messages: InboundMessage[] = [];
  const listen = async () =>
    channel.listen?.(
      stop.signal,
      (given) => {
        messages.push(...given);
        return deliver(given);
      },
      () => {},
    );
  const ended = listen();
  ended.catch(() => {}); // checked later
  return {
    messages,
    ended,
    async stop() {
      stop.abort(new Error("stopped"));
      await failure(ended);
    },
  };
}

/** Waits for a condition that becomes true soon. */
async function eventually(holds: () => boolean): Promise<void> {
  for (let step = 0; step < 1000; step += 1) {
    if (holds()) return;
    await systemClock().sleep(5);
  }
  throw new Error("What was waited for did not come within 5 s");
}

function optional(test: Test, expect: TestApi["expect"]): void {
  test("edits and shows typing where it can", async ({ channel, target }) => {
    const { id } = await channel.send(target, { text: "hello" }, never());
    await channel.edit?.(target, id, { text: "hello again" }, never());
    await channel.startTyping?.(target, never());
    expect(typeof id).toBe("string");
  });

  test("says what is wrong with its set-up, with a remedy, and shows no secret", async ({
    channel,
    answerNext,
    secrets,
  }) => {
    if (channel.verifySetup === undefined) return;
    for (const answer of [undefined, "unreachable", "unavailable"] as const) {
      if (answer !== undefined) answerNext(answer);
      const findings = await channel.verifySetup({
        webhookUrl: "https://assistant.example/webhooks/x",
        signal: never(),
      });
      expect(findings.length > 0).toBe(true);
      expect(findings.every(({ ok, remedy }) => ok || (remedy ?? "") !== "")).toBe(true);
      expect(shows(findings, secrets)).toBe(false);
    }
  });
}

function receive(channel: Channel, request: Request) {
  if (channel.receive === undefined)
    throw new TypeError(`${channel.name} has no receive: run its contract with webhook: false`);
  return channel.receive(request);
}

function never(): AbortSignal {
  return new AbortController().signal;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return undefined;
}

function codeOf(error: unknown): string {
  if (AssistantError.is(error)) return error.code;
  return error === undefined ? "accepted" : messageOf(error);
}

function verdictOf(error: unknown): { retryable: unknown; retryAfterMs: unknown } {
  const known = error instanceof Error && error.name === "ChannelSendError";
  const { retryable, retryAfterMs } = known ? (error as Error & { retryable?: unknown; retryAfterMs?: unknown }) : {};
  return { retryable: retryable ?? `not a ChannelSendError: ${messageOf(error)}`, retryAfterMs };
}

/** Whether a secret appears in anything that a log would show of a value: message, stack, causes, fields. */
function shows(value: unknown, secrets: readonly string[]): boolean {
  const texts: string[] = [];
  for (
    let left: unknown = value;
    left !== undefined && left !== null;
    left = left instanceof Error ? left.cause : undefined
  ) {
    texts.push(
      left instanceof Error ? `${left.message} ${left.stack ?? ""} ${JSON.stringify(left)}` : JSON.stringify(left),
    );
  }
  return secrets.some((secret) => texts.some((text) => text.includes(secret)));
}
