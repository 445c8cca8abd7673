import * as v from "valibot";
import {
  type Attention,
  type AttentionDecision,
  type AttentionNotification,
  type AttentionRule,
  type AttentionVerdict,
  type DecisionRecord,
  type HeldRecord,
  type SentRecord,
  DEFAULT_PRIORITY,
  KEEP_SENT_MS,
} from "../attention/index.ts";
import type { Clock } from "../clock.ts";
import { AssistantError, type ErrorCode } from "../errors.ts";
import { newId } from "../ids.ts";
import { issueText } from "../issue-text.ts";
import type { Notify } from "../notice.ts";
import type { Reply } from "../reply.ts";
import { leftOut } from "../telemetry/index.ts";
import type { AttentionLimits } from "./attention-limits.ts";
import type { NotifyOptions } from "./notify.ts";
import { OWNER_MEMORY, parseUser } from "../session/index.ts";
import { defined } from "../store/index.ts";

/** Longest text of one notice, in UTF-16 code units. */
const MAX_TEXT = 20_000;
const MAX_ID = 200;
/** Types that the runtime treats in a way of its own. */
const RESERVED_TYPES: readonly string[] = ["approval", "pairing", "late", "digest"];

/** A notice and what was decided on it. Source: docs/attention-program.md. */
export interface DecidedNotice {
  /** Of the notice. */
  readonly id: string;
  /** What it is about. */
  readonly type: string;
  /** Where it would be said. */
  readonly channel: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** The beginning of what it says; empty for requests for approval and pairing. */
  readonly text: string;
  /** How much it matters, 0 to 1. */
  readonly priority: number;
  /** When this was decided. */
  readonly at: Date;
  /** What becomes of it. */
  readonly verdict: AttentionVerdict;
  /** Which rule decided. `too_many`: it had to go for one that matters more. */
  readonly rule: AttentionRule | "too_many";
  /** Of `hold` and `digest`: when it is decided again. */
  readonly until?: Date;
}

/** A notice that waits, with its whole text. Source: docs/attention-program.md. */
export interface HeldNotice extends Omit<DecidedNotice, "rule"> {
  /** When it was first held. */
  readonly at: Date;
  /** `digest`: it joins others. */
  readonly verdict: "hold" | "digest";
  /** What holds it. */
  readonly rule: AttentionRule;
  /** When it is decided again. */
  readonly until: Date;
}

/** A message that limits count. Source: docs/attention-program.md. */
export interface SaidNotice {
  /** Of the notice; of a digest its own. */
  readonly id: string;
  /** What it was about; `digest` for several in one. */
  readonly type: string;
  /** When it was said. */
  readonly at: Date;
  /** Of a digest: the notices that it joined. */
  readonly ids?: readonly string[];
}

/** What was decided for a person, and what waits. Source: docs/attention-program.md. */
export interface PersonAttention {
  /** The name of their memory, as `@owner` or `telegram:42`. */
  readonly user: string;
  /** The newest 50, newest first. A notice that was held and then sent is in it twice. */
  readonly decisions: readonly DecidedNotice[];
  /** What waits, the soonest first. */
  readonly held: readonly HeldNotice[];
  /** What was said in the last two days, newest first. */
  readonly sent: readonly SaidNotice[];
  /** Nothing unasked is said before this time. `null`: the person has muted nothing. */
  readonly mutedUntil: Date | null;
  /** Types of which the person wants less, and how often they said so. */
  readonly less: Readonly<Record<string, number>>;
}

/** Something that a host program says unasked. Source: docs/attention-program.md. */
export interface NewNotice {
  /** Who it is for, as `channel:id`, `@owner` or the name of a linked person as `@ada`. */
  readonly user: string;
  /** What they read, in Markdown: 1 to 20,000 characters. */
  readonly text: string;
  /** What it is about; limits are counted by it. Default `note`. */
  readonly type?: string | undefined;
  /** How much it matters, 0 to 1. Default 0.7. */
  readonly priority?: number | undefined;
  /** It cannot wait: it keeps no quiet hours and no limits. Default false. */
  readonly urgent?: boolean | undefined;
  /** The person asked for it: it keeps no quiet hours and no limits. Default false. */
  readonly requested?: boolean | undefined;
  /** When it is worth nothing any more. Default: in a week. */
  readonly expiresAt?: Date | undefined;
  /** What it is about: the same said within a day, or still held, is said once. */
  readonly dedupeKey?: string | undefined;
  /** Said again with the same id, it is said once. Default: a new one. */
  readonly id?: string | undefined;
}

/** What became of a notice. Source: docs/attention-program.md. */
export interface NoticeOutcome {
  /** Of the notice. */
  readonly id: string;
  /** What was decided. `null`: so long ago that it is not kept. */
  readonly decision: Pick<DecidedNotice, "verdict" | "rule" | "until"> | null;
}

/** `assistant.attention`. `user` is `channel:id` or the name of a linked person as `@ada`; by default the owner. Source: docs/attention-program.md. */
export interface AttentionApi {
  /** What was decided for a person, what is held and until when, what was said, and what they asked for. */
  view(of?: { readonly user?: string | undefined }): Promise<PersonAttention>;
  /** Everybody to whom something was to be said unasked, by the names of their memories. */
  people(): Promise<readonly string[]>;
  /**
   * Puts other limits in place, for every decision from now on; what is left out has its default. The scorer stays.
   * @throws {AssistantError} `OPTION_INVALID` with every option that is wrong; then the old limits go on.
   */
  replace(limits: AttentionLimits): void;
  /**
   * Says nothing unasked to a person before a time; what comes meanwhile is held.
   * @param given.until `null`: from now on things are said again.
   * @throws {AssistantError} `OPTION_INVALID` for a time that is over.
   */
  mute(given: { readonly user?: string | undefined; readonly until: Date | null }): Promise<void>;
  /**
   * The person wants less of a type: each time it matters 0.15 less.
   * @param given.times How often they said so, 0 to 10; 0: as much as before. Default: once more than before.
   * @returns How often they said so.
   * @throws {AssistantError} `OPTION_INVALID`.
   */
  less(given: {
    readonly user?: string | undefined;
    readonly type: string;
    readonly times?: number | undefined;
  }): Promise<number>;
  /** What would be decided now. Nothing is written, and a scorer is not asked. */
  explain(notification: AttentionNotification, of?: { readonly user?: string | undefined }): Promise<AttentionDecision>;
  /**
   * Says something that nobody waits for, now, later or not at all. Contract: durable when this resolves.
   * @throws {AssistantError} `OPTION_INVALID` with the field and what was expected.
   */
  notify(notice: NewNotice): Promise<NoticeOutcome>;
  /**
   * Chooses an answer of a message that `deliver` was given, for the person who pressed it. The same press again is no second one.
   * @param given.button The `id` of the button.
   * @returns What the person reads of it.
   * @throws {AssistantError} `FORBIDDEN` for who was not asked; `GONE` for a question that is answered or over; `OPTION_INVALID` for what is no button of a question.
   */
  press(given: { readonly user: string; readonly button: string }): Promise<{ readonly text: string }>;
}

/** What a press led to. */
interface Pressed {
  reply(): Promise<Pick<Reply, "text" | "error">>;
}

export interface HostAttentionDeps {
  readonly attention: Pick<Attention, "view" | "users" | "mute" | "wantLess" | "explain">;
  readonly notify: Notify;
  /** As of `AttentionApi`. */
  replace(limits: AttentionLimits): void;
  /** The direct conversation of a person, given as `channel:id`. @throws {AssistantError} `OPTION_INVALID` for the runtime's own channels. */
  sessionKeyOf(user: string): string;
  /** @returns `null` for what is no button of a question. */
  obeyPress(
    button: string,
    by: { readonly user: string; readonly id: string; readonly sessionKey: string },
  ): Promise<Pressed | null>;
  canonicalUser(userId: string): string;
  /** Where a person is told of whom the configuration has accounts, as `channel:id`. @param name As `@owner`. */
  accountOf(name: string): string | undefined;
  /** The assistant runs once this is resolved. */
  start(): Promise<void>;
  readonly clock: Pick<Clock, "now">;
}

const When = v.date("Expected a date");
const Type = v.pipe(
  v.string("Expected what it is about, as note"),
  v.regex(/^[a-z][a-z0-9_-]{0,31}$/, "Expected a word of small letters, as note"),
);
const LessGiven = v.object({
  type: Type,
  times: v.optional(
    v.pipe(
      v.number("Expected a whole number"),
      v.integer("Expected a whole number"),
      v.minValue(0, "Expected 0 or more"),
      v.maxValue(10, "Expected 10 or less"),
    ),
  ),
});
const NoticeGiven = v.object({
  user: v.pipe(
    v.string("Expected who it is for, as telegram:42"),
    v.maxLength(300, "Expected at most 300 characters"),
    v.check(isPerson, "Expected who it is for, as telegram:42"),
  ),
  text: v.pipe(
    v.string("Expected what they should read"),
    v.trim(),
    v.minLength(1, "Expected what they should read"),
    v.maxLength(MAX_TEXT, `Expected at most ${MAX_TEXT} characters`),
  ),
  type: v.optional(
    v.pipe(
      Type,
      v.check((type) => !RESERVED_TYPES.includes(type), "Expected another one: the runtime says this type itself"),
    ),
    "note",
  ),
  priority: v.optional(
    v.pipe(
      v.number("Expected a number from 0 to 1"),
      v.minValue(0, "Expected a number from 0 to 1"),
      v.maxValue(1, "Expected a number from 0 to 1"),
    ),
  ),
  urgent: v.optional(v.boolean("Expected true or false")),
  requested: v.optional(v.boolean("Expected true or false")),
  expiresAt: v.optional(When),
  dedupeKey: v.optional(text(MAX_ID)),
  id: v.optional(text(MAX_ID)),
});

/** Attention for the host program, which may look at that of everybody and say something to anybody. */
export function createHostAttention(
  { attention, notify, replace, sessionKeyOf, obeyPress, canonicalUser, accountOf, start, clock }: HostAttentionDeps,
  { isEnabled = () => true }: NotifyOptions = {},
): AttentionApi {
  const whose = ({ user = OWNER_MEMORY }: { readonly user?: string | undefined }) => canonicalUser(user);

  return {
    people: () => attention.users(),
    replace,
    async view(of = {}) {
      const { userId, decisions, held, sent, mutedUntil = 0, less } = await attention.view(whose(of));
      return {
        user: userId,
        decisions: decisions.map(decided).toReversed(),
        held: held.map(waiting).toSorted((one, other) => one.until.getTime() - other.until.getTime()),
        sent: sent
          .filter(({ at }) => at > clock.now() - KEEP_SENT_MS)
          .map(said)
          .toReversed(),
        mutedUntil: mutedUntil > clock.now() ? new Date(mutedUntil) : null,
        less: Object.fromEntries(Object.entries(less).filter(([, times]) => times > 0)),
      };
    },
    async mute({ until, ...of }) {
      const time = valid(v.object({ until: v.nullable(When) }), { until }).until;
      if (time !== null && time.getTime() <= clock.now()) throw invalid("until: Expected a time to come, or null");
      await start();
      await attention.mute(whose(of), time?.getTime() ?? null);
    },
    async less({ user, ...given }) {
      const { type, times } = valid(LessGiven, given);
      await start();
      return attention.wantLess(whose({ user }), type, times);
    },
    async explain(notification, of = {}) {
      return isEnabled() ? attention.explain(whose(of), notification) : { verdict: "send", rule: "ok" };
    },
    async notify(given) {
      const { user: whom } = given;
      const named = typeof whom === "string" && whom.startsWith("@") ? accountOf(whom) : undefined;
      const { id = newId(clock), user, expiresAt, ...rest } = valid(NoticeGiven, { ...given, user: named ?? whom });
      const sessionKey = sessionKeyOf(user);
      await start();
      const notice = { ...defined(rest), id, user, sessionKey, isOfProgram: true } as const;
      await notify({ ...notice, ...(expiresAt && { expiresAtMs: expiresAt.getTime() }) });
      if (!isEnabled()) return { id, decision: { verdict: "send", rule: "ok" } };
      const seen = await attention.view(canonicalUser(user)).catch(leftOut());
      const found = seen?.decisions.findLast((one) => one.id === id);
      if (!found) return { id, decision: null };
      const { verdict, rule, until } = decided(found);
      return { id, decision: { verdict, rule, ...(until && { until }) } };
    },
    async press({ user, button }) {
      const sessionKey = sessionKeyOf(user);
      await start();
      const pressed = await obeyPress(button, { user, id: `press:${user}:${button}`, sessionKey });
      if (!pressed) throw invalid("button: Expected the id of a button of a question");
      const { text: says, error } = await pressed.reply();
      // The inbox refuses with codes of this list.
      if (error) throw new AssistantError(error.code as ErrorCode, error.message);
      return { text: says };
    },
  };
}

function text(most: number) {
  return v.pipe(
    v.string("Expected a text"),
    v.minLength(1, "Expected a text"),
    v.maxLength(most, `Expected at most ${most} characters`),
  );
}

/** Somebody with an address: no name and no group. */
function isPerson(user: string): boolean {
  const { channel, id } = parseUser(user);
  return /^[^\s@%]+$/.test(channel) && channel !== "group" && id.trim() !== "";
}

/** @throws {AssistantError} `OPTION_INVALID` with every field and what was expected. */
function valid<Schema extends v.GenericSchema>(schema: Schema, given: unknown): v.InferOutput<Schema> {
  const read = v.safeParse(schema, given, { abortPipeEarly: true });
  if (read.success) return read.output;
  throw invalid(read.issues.map((issue) => `${v.getDotPath(issue) ?? "notice"}: ${issueText(issue)}`).join("; "));
}

function invalid(what: string): AssistantError {
  return new AssistantError("OPTION_INVALID", what);
}

function decided({ at, until, ...decision }: DecisionRecord): DecidedNotice {
  return { ...decision, at: new Date(at), ...(until !== undefined && { until: new Date(until) }) };
}

function waiting({ notice, at, until, rule, verdict }: HeldRecord): HeldNotice {
  const { id, type, channel, sessionKey, text: says, priority = DEFAULT_PRIORITY } = notice;
  const when = { at: new Date(at), until: new Date(until) };
  return { id, type, channel, sessionKey, text: says, priority, ...when, rule, verdict };
}

function said({ id, type, at, ids }: SentRecord): SaidNotice {
  return { id, type, at: new Date(at), ...(ids && { ids }) };
}
