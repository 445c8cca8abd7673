import { type Channel, sendFailure } from "../channel.ts";
import { after, type Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { DeadLetter, Outbox } from "../outbox/index.ts";
import type { Store } from "../store/index.ts";
import type { LogFields, Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";
import type { ChannelStatuses } from "./channel-statuses.ts";
import { type Holder, type Leases, readHolder } from "./leases.ts";
import { decideWay, webhookUrlOf } from "./way.ts";

/** First and longest wait before a broken connection is reopened, in milliseconds. */
export const FIRST_WAIT_MS = 1_000;
export const MAX_WAIT_MS = 60_000;
/** Consecutive refusals of an account after which the platform is not asked until the next start. */
export const MAX_REFUSALS = 3;
/** Milliseconds after which a connection counts as working, as it does after a message: earlier failures are reset. */
export const STEADY_MS = 10_000;
/** Consecutive failures after which a message is set aside, so that it does not block those behind it. */
const MAX_TAKES = 6;
/** Characters of such a message that are kept. */
const MAX_ASIDE_CHARS = 1000;
/**
 * Milliseconds that a process that stops listening may use to finish its messages, before the new listener takes them
 * up.
 */
const TAKE_UP_MS = 15_000;
/** Most milliseconds for setting up a platform. */
const SET_UP_MS = 30_000;

export interface ConnectionDeps {
  /** Access, route, journal, wake: resolves when the message is durable. */
  accept(channel: Channel, message: InboundMessage): Promise<unknown>;
  /** Stores messages that cannot be taken. */
  readonly outbox: Pick<Outbox, "bury">;
  readonly leases: Pick<Leases, "hold">;
  readonly statuses: Pick<ChannelStatuses, "set">;
  /** Takes up what the previous listener left. */
  takeUp(): Promise<void>;
  /** Address at which platforms reach this server. */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * @returns A function that connects a channel with its platform until the signal aborts. It registers the webhook, or
 * holds the platform's own connection, in one of the processes that share the store. Never rejects.
 */
export function createConnect(deps: ConnectionDeps): (channel: Channel, signal: AbortSignal) => Promise<void> {
  const { accept, outbox, takeUp, leases, statuses, publicUrl, clock, logger } = deps;

  async function connect(channel: Channel, signal: AbortSignal): Promise<void> {
    const { name, access, listen, setUp } = channel;
    const fields = { channel: name, account: access.account ?? DEFAULT_ACCOUNT };
    try {
      const way = decideWay(channel, publicUrl);
      if (way === "listen" && listen !== undefined) await listenInTurn(channel, fields, signal);
      if (way === "webhook" && setUp !== undefined && publicUrl !== undefined) await register(channel, fields, signal);
    } catch (error) {
      // A failing channel must not stop the assistant. An unexpected error is a defect, and is logged.
      if (!signal.aborted) logger.error("A channel is not connected any more", { ...fields, error: messageOf(error) });
    }
  }

  function listenInTurn(channel: Channel, fields: LogFields, signal: AbortSignal): Promise<void> {
    let isTakenOver = false;
    const takeUpUnlessLost = async (held: AbortSignal) => {
      const error = held.aborted ? undefined : await takeUp().then(() => undefined, messageOf);
      if (error !== undefined)
        logger.error("What the last listener left waits for the next start", { ...fields, error });
    };
    return leases.hold(leaseNameOf(channel), signal, {
      run(held) {
        // The platform does not deliver messages again that the previous listener confirmed, so this process takes them
        // up.
        if (isTakenOver) after(clock, TAKE_UP_MS, () => void takeUpUnlessLost(held), { idle: true });
        return listenAgainAndAgain(channel, fields, held);
      },
      onWaiting(holder) {
        isTakenOver = true;
        statuses.set(channel, "waiting", describeListener(holder));
        logger.info(`This process takes over when the listening one ends: ${describeListener(holder)}`, fields);
      },
    });
  }

  async function listenAgainAndAgain(channel: Channel, fields: LogFields, signal: AbortSignal): Promise<void> {
    let isSetUp = false;
    let failed = { id: "", takes: 0 };
    const take = async (message: InboundMessage) => {
      try {
        await accept(channel, message);
      } catch (error) {
        failed = { id: message.id, takes: failed.id === message.id ? failed.takes + 1 : 1 };
        if (failed.takes < MAX_TAKES) throw error;
        const reason = messageOf(error);
        // If the store is down, this throws too, and the message is tried again.
        await outbox.bury(asideLetter(message, reason, clock.now()));
        logger.error("A message could not be taken, and is put aside", { ...fields, id: message.id, error: reason });
      }
    };
    const log = (sentence: string) => logger.warn(sentence, fields);
    await tryAgainAndAgain(channel, fields, signal, async (wentWell) => {
      if (!isSetUp) {
        await setUpLogged(channel, fields, signal);
        isSetUp = true;
        logger.info("Listening for messages", fields);
      }
      const isOpen = () => {
        wentWell();
        statuses.set(channel, "open");
      };
      const cancel = after(clock, STEADY_MS, isOpen, { idle: true });
      const deliver = async (messages: readonly InboundMessage[]) => {
        // One after another, so that messages keep their order in the log.
        for (const message of messages) await take(message);
        isOpen();
      };
      try {
        await channel.listen?.(signal, deliver, log);
      } finally {
        cancel();
      }
      return "ended";
    });
  }

  function register(channel: Channel, fields: LogFields, signal: AbortSignal): Promise<void> {
    const webhookUrl = webhookUrlOf(channel, publicUrl ?? "");
    return tryAgainAndAgain(channel, fields, signal, async () => {
      await setUpLogged(channel, fields, signal, { webhookUrl });
      statuses.set(channel, "open");
      return "done";
    });
  }

  async function setUpLogged(
    channel: Channel,
    fields: LogFields,
    signal: AbortSignal,
    where: { readonly webhookUrl?: string } = {},
  ): Promise<void> {
    const late = () => new Error(`The platform did not answer within ${SET_UP_MS} ms`);
    const deadline = startDeadline(clock, SET_UP_MS, late, signal);
    try {
      const changes = await channel.setUp?.({ ...where, signal: deadline.signal });
      for (const change of changes ?? []) logger.info(change, fields);
    } finally {
      deadline.end();
    }
  }

  /** Retries until it is done, the signal aborts, or the platform keeps refusing the account. */
  async function tryAgainAndAgain(
    channel: Channel,
    fields: LogFields,
    signal: AbortSignal,
    attempt: (wentWell: () => void) => Promise<"done" | "ended">,
  ): Promise<void> {
    statuses.set(channel, "connecting");
    let failures = 0;
    let refusals = 0;
    const wentWell = () => {
      failures = 0;
      refusals = 0;
    };
    while (!signal.aborted) {
      let waitMs = FIRST_WAIT_MS;
      try {
        if ((await attempt(wentWell)) === "done") return;
      } catch (error) {
        if (signal.aborted) return;
        const { retryable, retryAfterMs = 0 } = sendFailure(error);
        failures += 1;
        refusals = retryable ? 0 : refusals + 1;
        if (refusals >= MAX_REFUSALS) {
          statuses.set(channel, "refused", messageOf(error));
          logger.error(
            "The platform refuses the account: nothing arrives until it is mended and the assistant is started again",
            {
              ...fields,
              error: messageOf(error),
            },
          );
          return;
        }
        waitMs = Math.max(retryAfterMs, reconnectMs(failures));
        statuses.set(channel, "retrying", messageOf(error));
        logger.warn("A channel is not connected, and is tried again", {
          ...fields,
          error: messageOf(error),
          inSeconds: Math.ceil(waitMs / 1000),
        });
      }
      await clock.sleep(waitMs, signal).catch(() => {});
    }
  }

  return connect;
}

/** The text that its writer gets when the owner sends the letter. */
function asideLetter(message: InboundMessage, error: string, at: number): DeadLetter {
  const { channel, account = DEFAULT_ACCOUNT, id, peer, thread, text } = message;
  return {
    at,
    target: { channel, account, chat: peer.id, ...(thread !== undefined && { thread }) },
    id: `in:${channel}:${account}:${id}`,
    part: 0,
    text: `Your message could not be taken. Please send it again: ${text.slice(0, MAX_ASIDE_CHARS)}`,
    error,
    attempts: MAX_TAKES,
  };
}

function leaseNameOf({ name, access }: Pick<Channel, "name" | "access">): readonly string[] {
  return ["listeners", name, access.account ?? DEFAULT_ACCOUNT];
}

/**
 * @returns Which process listens for a channel, of those that share the store, for people; `undefined`: none, or only
 * one process can use the store.
 */
export async function readListener(
  store: Pick<Store, "get">,
  channel: Pick<Channel, "name" | "access">,
  nowMs: number,
): Promise<string | undefined> {
  const holder = await readHolder(store, leaseNameOf(channel), nowMs);
  return holder && describeListener(holder);
}

function describeListener({ name, sinceMs }: Holder): string {
  return `the process ${name} listens since ${new Date(sinceMs).toISOString()}`;
}

/**
 * Milliseconds until a broken connection is reopened: doubles with each failure up to a minute, less up to half of it
 * at random, so that clients do not reconnect all at once.
 *
 * @param failures Consecutive failures, counting the last. 1 or more.
 * @param chance From 0 to 1.
 */
export function reconnectMs(failures: number, chance: number = Math.random()): number {
  const fullMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.round(fullMs * (1 - chance / 2));
}
