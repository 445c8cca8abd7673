import { calendarOrUtc, isDay } from "../../calendar.ts";
import { ENTRY_TYPES } from "../../memory/index.ts";
import { writtenPlainly } from "../../statements/index.ts";
import { DAY_MS, brief, countOf, languageOfAll, textSlot, timeOf } from "./entries.ts";
import {
  type FoundPattern,
  type PatternDetector,
  type PatternEntry,
  type PatternMoment,
  priorityOf,
} from "./pattern.ts";
import { type Topic, topicOf } from "./topics.ts";

/** Days without a follow-up after which a commitment without a date is stale. */
const UNDATED_DAYS = 7;
/** Commitments that have been stale for longer are ignored. */
const LAPSED_DAYS = 60;
/** Share of a commitment's words that a later entry must have to be about it. */
const FOLLOWS = 0.5;
const DONE =
  /\b(?:done|did|complete|(?:finish|complet|submitt|shipp|book|deliver|fix|merg|call|sign|sort|renew|return|repli|publish|postpon|cancel+)ed|sent|paid|wrote|bought|handed in|took care|no longer|any ?more|already|moved to|(?:took|brought|gave) .+ back)\b|完成|做完|搞定|已经|取消|不用了|解决|改到|推迟|[办订弄买签填修续处理]好|写完|打过|还了|[交发寄付买]了(?![吗么])|[交发寄付买给].{0,12}了(?=[，。；！,!]|$)/i;
/**
 * Says that it is not done, cannot be done or has to be done. Does not match what is no longer needed, as “not need”
 * and “not … any more”.
 */
const NOT_DONE =
  /(?:\bnot|never|n't|forgot)\b(?! need\b|.* any ?more\b)|没(?!问题|事|忘)|未(?!来)|(?<!没)忘|来不及|[交发寄付买]不|(?<![不主重])[要该得](?:赶[紧快]|[去快先])?[交发寄付买给]/i;

/** Splits clauses: "Almost forgot, but sent it" means done. */
const CLAUSE = /[,;.!?，。；！？]|\bbut\b|但/i;

/**
 * Appointments, meetings, events and ways to pay: their day passes and nothing is left to do. Matched against the text
 * of `writtenPlainly`.
 */
const PASSES =
  /^(?:(?:i|we) )?(?:book|reserv)ed\b(?!.*\b(?:will|(?:have|need|going) to)\b)|^我.{0,9}(?:已经预[约订]|(?<![签制])[约订]好?了)(?!.*(?:会(?!议)|[要得]))|^(?:my|our|the) (?!.*\b(?:i|we|due)\b)|\b(?:i|we) (?:have (?!to\b|.*\bdue\b)|(?:am|are) (?!\w+ing\b))|\b(?:will|going to|am|are) (?:go (?!over)|going (?!to (?!(?:the|an?) ))|fly)|\b(?:will|(?:have|need|going) to|must|am|are) (?:\w+ly )?(?:be (?!done|finished|ready)|cook|eat|get (?:up|back)|hav(?!.* ready)|meet|pay (?:by|in|with)|play|see|stay|take (?:the |a )?(?:train|bus|taxi)|visit|watch|work(?!.* on))|(?:上[班课]|吃饭|见面|生日|旅[游行]|睡觉|出差|聚餐|[^拿带寄送]来|个会|去[^取交办买寄还拿修]..?)[。！!]?$/;
/** Words that only say that or when something must be done. Removing them leaves the verb and its objects. */
const FRAME = /\b(?:need|try|\w+(?:ing|day|noon)|tomorrow|\w*night|next|week\w*|month|later)\b/g;

/**
 * Words before the action that say who, when and that it must be done. Removed so that their Chinese character pairs do
 * not count as words of the action.
 */
const CHINESE_FRAME =
  /^(?:我们?|得|(?:下?周[一二三四五六日天]|[今明后]天|月底|\d+[月日号])(?:之?前)?|[会要](?!议|求)|需要|去|把)+/;

interface Data {
  readonly commitment: string;
  readonly due: string;
  readonly tz: string;
  readonly [name: string]: string;
}

interface Commitment {
  readonly entry: PatternEntry;
  readonly topic: Topic;
  readonly at: number;
  /** When it is due. Absent if no date was named. */
  readonly due: number | undefined;
}

/**
 * A commitment whose date has passed, or one without a date that had no follow-up.
 * Source: docs/patterns.md, "What is found".
 */
export const staleCommitment: PatternDetector<Data> = {
  name: "stale_commitment",
  detect(entries, moment) {
    const commitments = commitmentsIn(entries, moment.tz);
    if (commitments.length === 0) return null;
    const later = entries
      .filter((entry) => textSlot(entry, "type") !== ENTRY_TYPES.workflowTrace)
      .map((entry) => ({ entry, at: timeOf(entry), topic: topicOf(entry.content) }));
    return commitments.flatMap((one) => {
      const followed = later.filter(
        ({ entry, at, topic }) => entry !== one.entry && at > one.at && isAbout(topic, one.topic),
      );
      return foundIn(
        one,
        followed.map(({ entry }) => entry),
        moment,
      );
    });
  },
  suggest({ confidence, language, data: { commitment, due, tz } }) {
    const what = brief(commitment);
    const text =
      language === "zh"
        ? `您说过：“${what}”${due === "" ? "，之后没有下文" : `，期限是 ${due}，已经过了`}。要我明天早上九点提醒您吗？`
        : `You said: “${what}”. ${due === "" ? "Nothing has followed since" : `That was due on ${due}`}. Shall I remind you tomorrow at nine?`;
    const task = language === "zh" ? `提醒我：${commitment}` : `Remind me of this: ${commitment}`;
    return { text, priority: priorityOf(confidence), action: { kind: "job", schedule: "tomorrow at 09:00", tz, task } };
  },
};

/** Returns when the commitments turn stale, in milliseconds since the epoch. */
export function staleTimes(entries: readonly PatternEntry[], tz: string): readonly number[] {
  return commitmentsIn(entries, tz).map(staleAt);
}

function staleAt({ at, due }: Commitment): number {
  return due ?? at + UNDATED_DAYS * DAY_MS;
}

function commitmentsIn(entries: readonly PatternEntry[], tz: string): readonly Commitment[] {
  return entries.flatMap((entry) => {
    const type = textSlot(entry, "type");
    const isOne = type === "commitment" || (type === ENTRY_TYPES.statement && textSlot(entry, "kind") === "commitment");
    if (!isOne || entry.slots?.["lasting"] === true) return [];
    const due = dueOf(entry, tz);
    const topic = topicOf(entry.content.replace(CHINESE_FRAME, ""));
    if (type === ENTRY_TYPES.statement) {
      const plain = writtenPlainly(entry.content);
      // Too vague, as `I will try that tomorrow`.
      if (PASSES.test(plain) || topicOf(plain.replace(FRAME, "")).words.size < 2) return [];
    }
    return [{ entry, topic, at: timeOf(entry), due }];
  });
}

/** A due day ends at midnight in the person's time zone. */
function dueOf({ slots }: PatternEntry, tz: string): number | undefined {
  const due = slots?.["due"];
  if (typeof due === "number") return due;
  if (typeof due !== "string") return undefined;
  if (isDay(due)) {
    const calendar = calendarOrUtc(tz);
    return calendar.endOf("day", calendar.startOf(due));
  }
  const time = Date.parse(due);
  return Number.isNaN(time) ? undefined : time;
}

function isAbout(topic: Topic, { core, words }: Topic): boolean {
  const wanted = core.size > 0 ? core : words;
  const shared = [...wanted].filter((word) => topic.words.has(word)).length;
  return wanted.size > 0 && shared >= FOLLOWS * wanted.size;
}

function foundIn(
  one: Commitment,
  followed: readonly PatternEntry[],
  { now, tz }: PatternMoment,
): readonly FoundPattern<Data>[] {
  const { entry, due } = one;
  const since = now - staleAt(one);
  if (since < 0 || since > LAPSED_DAYS * DAY_MS) return [];
  if (due === undefined ? followed.length > 0 : followed.some(isDone)) return [];
  return [
    {
      subject: entry.id,
      confidence: due === undefined ? 0.6 : 0.8,
      evidenceIds: [entry.id],
      frequency: countOf(entry),
      language: languageOfAll([entry.content]),
      data: { commitment: brief(entry.content, 300), due: dayText(entry), tz },
    },
  ];
}

function isDone(entry: PatternEntry): boolean {
  const isTask = textSlot(entry, "type") === ENTRY_TYPES.autoCapture && textSlot(entry, "outcome") === "success";
  return isTask || entry.content.split(CLAUSE).some((clause) => DONE.test(clause) && !NOT_DONE.test(clause));
}

function dayText({ slots }: PatternEntry): string {
  const due = slots?.["due"];
  return typeof due === "number"
    ? new Date(due).toISOString().slice(0, 10)
    : typeof due === "string"
      ? due.slice(0, 10)
      : "";
}
