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
/** Types with a special meaning for the runtime. */
const RESERVED_TYPES: readonly string[] = ["approval", "pairing", "late", "digest"];

/** A notice and the decision on it. Source: docs/attention-program.md. */
export interface DecidedNotice {
  /** Id of the notice. */
  readonly id: string;
  /** Type of the notice. */
  readonly type: string;
  /** The channel for it. */
  readonly channel: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** Beginning of the text; empty for requests for approval and pairing. */
  readonly text: string;
  /** Importance, 0 to 1. */
  readonly priority: number;
  /** Time of the decision. */
  readonly at: Date;
  /** What happens to it. */
  readonly verdict: AttentionVerdict;
  /** The rule that decided. `too_many`: a more important notice displaced it. */
  readonly rule: AttentionRule | "too_many";
  /** For `hold` and `digest`: when it is decided again. */
  readonly until?: Date;
}

/** A held notice with its full text. Source: docs/attention-program.md. */
export interface HeldNotice extends Omit<DecidedNotice, "rule"> {
  /** When it was first held. */
  readonly at: Date;
  /** `digest`: it is joined with others. */
  readonly verdict: "hold" | "digest";
  /** The rule that holds it. */
  readonly rule: AttentionRule;
  /** When it is decided again. */
  readonly until: Date;
}

/** A message that counts for limits. Source: docs/attention-program.md. */
export interface SaidNotice {
  /** Id of the notice, or of the digest. */
  readonly id: string;
  /** Its type; `digest` for several in one. */
  readonly type: string;
  /** When it was said. */
  readonly at: Date;
  /** For a digest: the notices that it joined. */
  readonly ids?: readonly string[];
}

/** A person's decisions and held notices. Source: docs/attention-program.md. */
export interface PersonAttention {
  /** Name of the person's memory, such as `@owner` or `telegram:42`. */
  readonly user: string;
  /** The newest 50, newest first. A notice that was held and then sent appears twice. */
  readonly decisions: readonly DecidedNotice[];
  /** Held notices, the next to be decided first. */
  readonly held: readonly HeldNotice[];
  /** Messages of the last two days, newest first. */
  readonly sent: readonly SaidNotice[];
  /** Nothing unrequested is said before this time. `null`: no mute. */
  readonly mutedUntil: Date | null;
  /** Types that the person wants less of, and how often they said so. */
  readonly less: Readonly<Record<string, number>>;
}

/** A notice of the host program. Source: docs/attention-program.md. */
export interface NewNotice {
  /** The recipient, as `channel:id`, `@owner` or the name of a linked person such as `@ada`. */
  readonly user: string;
  /** Text in Markdown: 1 to 20,000 characters. */
  readonly text: string;
  /** Its type, by which limits count. Default `note`. */
  readonly type?: string | undefined;
  /** Importance, 0 to 1. Default 0.7. */
  readonly priority?: number | undefined;
  /** Whether it cannot wait: it ignores quiet hours and limits. Default false. */
  readonly urgent?: boolean | undefined;
  /** Whether the person asked for it: it ignores quiet hours and limits. Default false. */
  readonly requested?: boolean | undefined;
  /** When it expires. Default: in a week. */
  readonly expiresAt?: Date | undefined;
  /** Idempotency key of the subject: the same key within a day, or still held, is said once. */
  readonly dedupeKey?: string | undefined;
  /** Idempotency key: the same id is said once. Default: a new one. */
  readonly id?: string | undefined;
}

/** Outcome of a notice. Source: docs/attention-program.md. */
export interface NoticeOutcome {
  /** Id of the notice. */
  readonly id: string;
  /** The decision. `null`: it was too long ago and is no longer kept. */
  readonly decision: Pick<DecidedNotice, "verdict" | "rule" | "until"> | null;
}

/**
 * `assistant.attention`. `user` is `channel:id` or the name of a linked person such as `@ada`; default: the owner.
 * Source: docs/attention-program.md.
 */
export interface AttentionApi {
  /** Returns a person's decisions, held notices with their times, messages that were said, and preferences. */
  view(of?: { readonly user?: string | undefined }): Promise<PersonAttention>;
  /** Lists all people with decisions, by the names of their memories. */
  people(): Promise<readonly string[]>;
  /**
   * Replaces the limits for all decisions from now on; omitted ones get their defaults. The scorer stays.
   * @throws {AssistantError} `OPTION_INVALID` with every invalid option; the old limits then stay.
   */
  replace(limits: AttentionLimits): void;
  /**
   * Holds all unrequested notices to a person until a time.
   * @param given.until `null`: ends the mute.
   * @throws {AssistantError} `OPTION_INVALID` for a time in the past.
   */
  mute(given: { readonly user?: string | undefined; readonly until: Date | null }): Promise<void>;
  /**
   * Lowers the priority of a type for a person, by 0.15 each time.
   * @param given.times How often they asked for less, 0 to 10; 0: normal. Default: once more than before.
   * @returns How often they asked for less.
   * @throws {AssistantError} `OPTION_INVALID`.
   */
  less(given: {
    readonly user?: string | undefined;
    readonly type: string;
    readonly times?: number | undefined;
  }): Promise<number>;
  /** Returns what would be decided now. Writes nothing and asks no scorer. */
  explain(notification: AttentionNotification, of?: { readonly user?: string | undefined }): Promise<AttentionDecision>;
  /**
   * Sends a notice that no person is waiting for: now, later or not at all. Contract: durable when this resolves.
   * @throws {AssistantError} `OPTION_INVALID` with the field and what was expected.
   */
  notify(notice: NewNotice): Promise<NoticeOutcome>;
  /**
   * Presses a button of a message that `deliver` received, for the person who pressed it. Repeating a press has no
   * further effect.
   * @param given.button The `id` of the button.
   * @returns The text for the person.
   * @throws {AssistantError} `FORBIDDEN` for a person who was not asked; `GONE` for a question that is answered or
   * over; `OPTION_INVALID` for an id that is no button of a question.
   */
  press(given: { readonly user: string; readonly button: string }): Promise<{ readonly text: string }>;
}

/** Outcome of a press. */
interface Pressed {
  reply(): Promise<Pick<Reply, "text" | "error">>;
}

export interface HostAttentionDeps {
  readonly attention: Pick<Attention, "view" | "users" | "mute" | "wantLess" | "explain">;
  readonly notify: Notify;
  /** As in `AttentionApi`. */
  replace(limits: AttentionLimits): void;
  /**
   * The direct conversation of a person, given as `channel:id`.
   * @throws {AssistantError} `OPTION_INVALID` for the runtime's own channels.
   */
  sessionKeyOf(user: string): string;
  /** @returns `null` for an id that is no button of a question. */
  obeyPress(
    button: string,
    by: { readonly user: string; readonly id: string; readonly sessionKey: string },
  ): Promise<Pressed | null>;
  canonicalUser(userId: string): string;
  /** The address of a person whose accounts are configured, as `channel:id`. @param name Such as `@owner`. */
  accountOf(name: string): string | undefined;
  /** Starts the assistant; resolves when it runs. */
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
    v.string("Expected the text of the notice"),
    v.trim(),
    v.minLength(1, "Expected the text of the notice"),
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

/** Attention for the host program, which may see that of all people and send notices to all. */
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
      // The inbox refuses with codes of `ErrorCode` only.
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

/** Whether it is a person with an address, not a name or a group. */
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
