import type { Target } from "../channel.ts";
import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import { type JsonValue, type Value, isObject, readDocument } from "../store/index.ts";

/** Format version of approval documents. A newer one is refused. */
export const APPROVALS_FORMAT = 1;

/** The caller of a requested call, stored so that the call can run later exactly as requested. */
export interface SavedCaller {
  readonly taskId: string;
  /** `channel:id`. */
  readonly user: string;
  readonly userRoles: readonly string[];
  /** All people whose messages the turn answers, if there are others besides `user`. */
  readonly speakers?: readonly string[];
  /** Language for the runtime's texts, from the requesting person. Default English. */
  readonly language?: "en" | "zh";
  readonly channel: string;
  readonly accountId: string;
  readonly chatId: string;
  /** Default `direct`. */
  readonly peerKind?: Peer["kind"];
  readonly sessionKey: string;
  readonly agentId: string;
  readonly target?: Target;
  /** For unattended work: the session that is shown the request and told its outcome. */
  readonly home?: Home;
  /** The session, job or agent that started the caller's. The policy checks the whole chain. */
  readonly startedBy?: CallerLink;
  /** The only tools that the work may use, directly or through this one. */
  readonly onlyTools?: readonly string[];
  /** Tools that are excluded for the work, including what this tool starts. */
  readonly withoutTools?: readonly string[];
}

/** The caller as a speaker. */
export function speakerOfRequest(saved: SavedCaller): Speaker {
  const { user, userRoles, channel, accountId, chatId, peerKind = "direct", sessionKey, agentId } = saved;
  const peer = { kind: peerKind, id: chatId };
  return { user, roles: userRoles, channel, account: accountId, peer, sessionKey, agentId };
}

/** The session and chat in which a request is shown and its outcome told. */
export function homeOfRequest({ home, sessionKey, target }: Pick<SavedCaller, "home" | "sessionKey" | "target">): Home {
  return home ?? { sessionKey, ...(target && { target }) };
}

/** How a request ended. */
export interface ApprovalOutcome {
  /**
   * `done` and `failed`: it ran. `expired`: no answer came in time. `interrupted`: it had begun when the process
   * ended, and its result is unknown.
   */
  readonly verdict: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** The tool's output, if `done`. */
  readonly output?: JsonValue;
  /** The tool's refusal or error as the model reads it, if `failed`. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Why it was denied, in the person's words. */
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A person's answer. `always`: also every later call with exactly these arguments, or matching `pattern`. */
export interface ApprovalAnswer {
  readonly answer: "once" | "always" | "deny";
  /** The person who answered, as `channel:id`. */
  readonly by: string;
  readonly reason?: string;
  readonly pattern?: string;
  readonly at: number;
}

/**
 * A call that waits or waited for the owner. `open`: not answered. `approved`: answered but not begun, possibly
 * because its tool is in another process. `running`: begun, result unknown. `ended`: see `outcome`. The state only
 * goes forward, one compare-and-set per step, so it cannot be used twice.
 */
export interface ApprovalRecord {
  readonly v: typeof APPROVALS_FORMAT;
  /** The call's id, so that a call that runs again after a crash finds its request. */
  readonly id: string;
  /** Short code for people, unique among all stored requests. */
  readonly code: string;
  readonly state: "open" | "approved" | "running" | "ended";
  readonly tool: string;
  readonly input: JsonValue;
  /** What else determines the effect, according to the tool: working folder, environment, node. */
  readonly boundTo: JsonValue;
  /** The tool's description and input schema at the time of the request. */
  readonly definition: string;
  readonly caller: SavedCaller;
  /** Users who may answer, as `channel:id`. */
  readonly approvers: readonly string[];
  readonly requestedAt: number;
  readonly expiresAt: number;
  /** Hash of everything above that the owner agrees to. A request that was changed later is refused. */
  readonly hash: string;
  readonly answer?: ApprovalAnswer;
  readonly outcome?: ApprovalOutcome;
  /** When the call began, milliseconds since the epoch. */
  readonly begunAt?: number;
  /** Whether the rule of an answer `always` was made. */
  readonly hasRule?: true;
  /** Whether the notices for its chats are queued. */
  readonly shown?: true;
  /** Whether the session has been told the outcome. */
  readonly told?: true;
  /** The outcome begins no turn: work of its own has taken it, or the runtime itself had asked. */
  readonly turnless?: true;
}

/** A rule that replaces the question to the owner. Made by an answer `always`, kept until it is removed. */
export interface AllowRule {
  readonly v: typeof APPROVALS_FORMAT;
  readonly id: string;
  readonly tool: string;
  /** Exactly these arguments … */
  readonly input?: JsonValue;
  /** … or the pattern that the owner typed, as the tool interprets it. */
  readonly pattern?: string;
  readonly boundTo: JsonValue;
  readonly definition: string;
  /** Whose calls it allows: `owner` for all users with that role, else one `channel:id`. */
  readonly for: string;
  readonly by: string;
  readonly at: number;
  /** Hash of all other fields. An edited rule does not count. */
  readonly hash: string;
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for an invalid request. */
export function parseApproval(value: Value, key: string): ApprovalRecord {
  return readDocument(
    value,
    key,
    APPROVALS_FORMAT,
    ({ id, code, state, tool, definition, caller, approvers, requestedAt, expiresAt, hash }) =>
      areTexts(id, code, state, tool, definition, hash) &&
      isObject(caller) &&
      Array.isArray(approvers) &&
      [requestedAt, expiresAt].every((time) => typeof time === "number"),
  ) as unknown as ApprovalRecord; // only this room writes it
}

/** @throws {AssistantError} As `parseApproval`. */
export function parseRule(value: unknown, key: string): AllowRule {
  return readDocument(
    value,
    key,
    APPROVALS_FORMAT,
    ({ id, tool, definition, for: whose, by, at, hash }) =>
      areTexts(id, tool, definition, whose, by, hash) && typeof at === "number",
  ) as unknown as AllowRule; // only this room writes it
}

const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "string");
