import type { Target } from "../channel.ts";
import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import { type JsonValue, type Value, isObject, readDocument } from "../store/index.ts";

/** Format version of approval documents. A newer one is refused. */
export const APPROVALS_FORMAT = 1;

/** Who asked for a call, kept with the request so that it can be run later exactly as it was asked for. */
export interface SavedCaller {
  readonly taskId: string;
  /** `channel:id`. */
  readonly user: string;
  readonly userRoles: readonly string[];
  /** Everybody whose messages the turn answers, when it is not `user` alone. */
  readonly speakers?: readonly string[];
  /** The language of whoever asked, for what the runtime says. Default English. */
  readonly language?: "en" | "zh";
  readonly channel: string;
  readonly accountId: string;
  readonly chatId: string;
  /** Default `direct`. */
  readonly peerKind?: Peer["kind"];
  readonly sessionKey: string;
  readonly agentId: string;
  readonly target?: Target;
  /** Of a call of unattended work: the conversation that is shown the request and told its outcome. */
  readonly home?: Home;
  /** The session, job or agent that started the one that asked; the policy is asked for all of them. */
  readonly startedBy?: CallerLink;
  /** The only tools that the work may use, also those that this one calls. */
  readonly onlyTools?: readonly string[];
  /** Tools that the work does without, also what this one starts. */
  readonly withoutTools?: readonly string[];
}

/** Who asked for a call, as everything but the request itself knows them. */
export function speakerOfRequest(saved: SavedCaller): Speaker {
  const { user, userRoles, channel, accountId, chatId, peerKind = "direct", sessionKey, agentId } = saved;
  const peer = { kind: peerKind, id: chatId };
  return { user, roles: userRoles, channel, account: accountId, peer, sessionKey, agentId };
}

/** The conversation that is shown a request and told its outcome, and its chat. */
export function homeOfRequest({ home, sessionKey, target }: Pick<SavedCaller, "home" | "sessionKey" | "target">): Home {
  return home ?? { sessionKey, ...(target && { target }) };
}

/** How a request ended. */
export interface ApprovalOutcome {
  /** `done` and `failed`: it ran. `expired`: no answer came in time. `interrupted`: it had begun when the process ended, and its result is unknown. */
  readonly verdict: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** Of `done`: what the tool gave. */
  readonly output?: JsonValue;
  /** Of `failed`: what the tool refused or threw, as the model reads it. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Why it was denied, in the words of whoever did. */
  readonly reason?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The answer of a person. `always`: also every later call with exactly these arguments, or that fits `pattern`. */
export interface ApprovalAnswer {
  readonly answer: "once" | "always" | "deny";
  /** `channel:id` of who answered. */
  readonly by: string;
  readonly reason?: string;
  readonly pattern?: string;
  readonly at: number;
}

/**
 * A call that waits for the owner, or did. `open`: not answered. `approved`: answered, not begun, maybe as its tool is in another process. `running`: begun,
 * result unknown. `ended`: see `outcome`. It only goes forward, one compare-and-set a step, which is why it cannot be used twice.
 */
export interface ApprovalRecord {
  readonly v: typeof APPROVALS_FORMAT;
  /** The call's id, so that a call that is run again after a crash finds its request. */
  readonly id: string;
  /** What people type: short, unique among all requests that are kept. */
  readonly code: string;
  readonly state: "open" | "approved" | "running" | "ended";
  readonly tool: string;
  readonly input: JsonValue;
  /** What besides the input decides the effect, as the tool says: working folder, environment, node. */
  readonly boundTo: JsonValue;
  /** The tool's description and input schema as they were. */
  readonly definition: string;
  readonly caller: SavedCaller;
  /** `channel:id` of everybody who may answer. */
  readonly approvers: readonly string[];
  readonly requestedAt: number;
  readonly expiresAt: number;
  /** Over everything above that the owner agrees to: a request that was changed afterwards does not pass. */
  readonly hash: string;
  readonly answer?: ApprovalAnswer;
  readonly outcome?: ApprovalOutcome;
  /** When the call began, milliseconds since the epoch. */
  readonly begunAt?: number;
  /** The rule of an answer `always` was made. */
  readonly hasRule?: true;
  /** It is on its way to the chats that have to see it. */
  readonly shown?: true;
  /** The session has been told of the outcome. */
  readonly told?: true;
  /** Nobody says anything to the outcome: work of its own has taken it, or the runtime itself had asked. */
  readonly turnless?: true;
}

/** A rule that spares the owner the question: made by an answer `always`, kept until it is removed. */
export interface AllowRule {
  readonly v: typeof APPROVALS_FORMAT;
  readonly id: string;
  readonly tool: string;
  /** Exactly these arguments … */
  readonly input?: JsonValue;
  /** … or what the owner typed, as the tool understands it. */
  readonly pattern?: string;
  readonly boundTo: JsonValue;
  readonly definition: string;
  /** Whose calls: `owner` for everybody with that role, else one `channel:id`. */
  readonly for: string;
  readonly by: string;
  readonly at: number;
  /** Of whatever else the rule holds: one that was edited does not count. */
  readonly hash: string;
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for what is no request. */
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
  ) as unknown as ApprovalRecord; // written by this room alone
}

/** @throws {AssistantError} As `parseApproval`. */
export function parseRule(value: unknown, key: string): AllowRule {
  return readDocument(
    value,
    key,
    APPROVALS_FORMAT,
    ({ id, tool, definition, for: whose, by, at, hash }) =>
      areTexts(id, tool, definition, whose, by, hash) && typeof at === "number",
  ) as unknown as AllowRule; // written by this room alone
}

const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "string");
