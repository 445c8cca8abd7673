import { type Attention, type DecisionRecord, DEFAULT_PRIORITY, type PlacedNotice } from "../attention/index.ts";
import { type Notice, type Notify, isAsked } from "../notice.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { parseUser } from "../session/index.ts";
import type { PassOn } from "./pass-on.ts";
import type { ScoreNotice } from "./scorer.ts";

export interface NotifyDeps {
  readonly attention: Pick<Attention, "take" | "takeBack" | "release" | "userOf" | "explain">;
  /** Maps a user to the name of the person's memory, which identifies their attention. */
  personOf(user: string): string;
  readonly passOn: PassOn;
  /** Reports a decision to listeners, audit log and metrics. */
  tell(userId: string, decision: DecisionRecord): void;
  /** The address at which a person wants unrequested notices, as `channel:id`. Default: where the notice belongs. */
  reachAt(user: string): string | undefined;
  readonly score: ScoreNotice;
  readonly logger?: Pick<Logger, "error">;
}

export interface NotifyOptions {
  /** Whether limits apply now; false: everything is said at once. Default: true. */
  isEnabled?(): boolean;
}

/** The only way to say something that no person is waiting for. */
export interface NotifyFlow {
  /** Decides whether and when a notice is said, and says it. */
  readonly notify: Notify;
  /**
   * Decides again on a notice that was to be said and was not sent. Contract: may be called again for the same notice.
   * @returns Whether it is now held or dropped.
   */
  holdAgain(notice: Notice): Promise<boolean>;
  /** Why an unrequested result of a job's run would be dropped for this person; undefined: it would not. */
  whyDropped(to: { readonly user: string; readonly channel: string }): Promise<string | undefined>;
  isKey(key: string): boolean;
  /** The handler of `attention:` keys: decides again on notices whose hold is over. May run again at any time. */
  handle(key: string): Promise<void>;
}

/**
 * Decides before a notice enters an outbox: an outbox is first in, first out, and a notice held until morning would
 * block replies.
 * The decision is durable first; then the message is queued under its id. After a crash in between, a repeated call or
 * the next wake queues it.
 *
 * Source: docs/attention.md.
 */
export function createNotify(
  { attention, personOf, passOn, tell, reachAt, score, logger }: NotifyDeps,
  { isEnabled = () => true }: NotifyOptions = {},
): NotifyFlow {
  return {
    async notify(given) {
      const notice = placed(given);
      if (!isEnabled()) {
        await passOn(notice);
        return "send";
      }
      const userId = personOf(notice.user);
      const { priority = DEFAULT_PRIORITY } = notice;
      const scored = isAsked(notice) ? notice : { ...notice, priority: await score(notice, priority) };
      const taken = await attention.take(userId, scored).catch(leftOut(logger));
      // The person's document is unreadable: better said at once than never.
      if (taken === null) {
        await passOn(notice);
        return "send";
      }
      const { verdict, isJoined, decided } = taken;
      for (const one of decided) tell(userId, one);
      if (verdict === "send" && !isJoined) await passOn(notice);
      return verdict;
    },
    async holdAgain(given) {
      if (!isEnabled()) return false;
      const notice = placed(given);
      const userId = personOf(notice.user);
      const taken = await attention.takeBack(userId, notice).catch(leftOut(logger));
      for (const one of taken?.decided ?? []) tell(userId, one);
      return taken !== null && taken.verdict !== "send";
    },
    async whyDropped({ user, channel }) {
      if (!isEnabled()) return undefined;
      const found = await attention.explain(personOf(user), { type: "job", channel }).catch(leftOut(logger));
      return found?.verdict === "drop" ? `nothing of it would be said: ${found.rule}` : undefined;
    },
    isKey: (key) => attention.userOf(key) !== null,
    async handle(key) {
      const userId = personOf(attention.userOf(key) ?? "");
      for (const one of await attention.release(userId, passOn)) tell(userId, one);
    },
  };

  /** Adds the channel: the person's choice for an unrequested notice, else where it belongs. */
  function placed(notice: Notice): PlacedNotice {
    const { user, channel = parseUser(user).channel } = notice;
    const preferred = isAsked(notice) ? undefined : reachAt(user);
    if (preferred === undefined || personOf(preferred) !== personOf(user)) return { ...notice, channel };
    const { account: _account, chat: _chat, thread: _thread, ...rest } = notice;
    return { ...rest, user: preferred, channel: parseUser(preferred).channel };
  }
}
