import { type Attention, type DecisionRecord, DEFAULT_PRIORITY, type PlacedNotice } from "../attention/index.ts";
import { type Notice, type Notify, isAsked } from "../notice.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { parseUser } from "../session/index.ts";
import type { PassOn } from "./pass-on.ts";
import type { ScoreNotice } from "./scorer.ts";

export interface NotifyDeps {
  readonly attention: Pick<Attention, "take" | "takeBack" | "release" | "userOf" | "explain">;
  /** Whose attention a user has: the name of a person's memory. */
  personOf(user: string): string;
  readonly passOn: PassOn;
  /** Tells listeners, audit and metrics of a decision. */
  tell(userId: string, decision: DecisionRecord): void;
  /** Where a person wants to be told what they did not ask for, as `channel:id`. Default: where it belongs. */
  reachAt(user: string): string | undefined;
  readonly score: ScoreNotice;
  readonly logger?: Pick<Logger, "error">;
}

export interface NotifyOptions {
  /** Whether limits hold now; false: everything is said at once. Default: they do. */
  isEnabled?(): boolean;
}

/** The one way to say something that nobody waits for. */
export interface NotifyFlow {
  /** Decides whether and when it is said, and says it. */
  readonly notify: Notify;
  /**
   * Decides again on what was decided to be said and is not sent. Contract: may be asked again for the same.
   * @returns Whether it waits, or is dropped, now.
   */
  holdAgain(notice: Notice): Promise<boolean>;
  /** Why nothing that a job's run finds would be said to this person, now or later; undefined: it would. */
  whyDropped(to: { readonly user: string; readonly channel: string }): Promise<string | undefined>;
  isKey(key: string): boolean;
  /** The handler of `attention:` keys: decides again on what was held until now. May run again at any time. */
  handle(key: string): Promise<void>;
}

/**
 * Decides before anything enters an outbox: an outbox is first in, first out, and what is held until morning would hold replies. The decision is durable first, then the
 * message is queued under its id; a crash in between is mended by whoever says it again, or by the next wake.
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
      // Said at once rather than never.
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

  /** With its channel: the person's own choice for what they did not ask for, else where it belongs. */
  function placed(notice: Notice): PlacedNotice {
    const { user, channel = parseUser(user).channel } = notice;
    const preferred = isAsked(notice) ? undefined : reachAt(user);
    if (preferred === undefined || personOf(preferred) !== personOf(user)) return { ...notice, channel };
    const { account: _account, chat: _chat, thread: _thread, ...rest } = notice;
    return { ...rest, user: preferred, channel: parseUser(preferred).channel };
  }
}
