import type { SavedCaller } from "../approvals/index.ts";
import type { Target } from "../channel.ts";
import type { Injection } from "../events/index.ts";
import type { Origin } from "../message.ts";
import type { Home, NoticeAddress } from "../notice.ts";
import type { PendingApproval } from "../reply.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";

/** Who calls, as the runtime knows it. */
export interface ToolCaller {
  /** With the roles that everybody has whom the turn answers. */
  readonly speaker: Speaker;
  /** The turn, or what stands for it in a call of the host program. */
  readonly taskId: string;
  /** Where replies go; absent when the caller alone gets them. */
  readonly target?: Target;
  /** Of unattended work: the conversation that it is for. */
  readonly home?: Home;
  /** What began the turn when it was no message of a person. */
  readonly origin?: Exclude<Origin, "message">;
  /** A reply follows that can carry what a tool has to say. */
  readonly inTurn: boolean;
  readonly signal: AbortSignal;
  /** What started the session that calls: nobody may do more than whoever started them. */
  readonly startedBy?: CallerLink;
  /** Everybody whose messages the turn answers, when it is not `user` alone. */
  readonly speakers?: readonly string[];
  /** No conversation began the work that calls. Default: as `origin` says. */
  readonly unattended?: true;
  /** The language of whoever asked. */
  readonly language?: SavedCaller["language"];
  /** How many tools have called one another up to here. */
  readonly depth?: number;
  /** Whoever started the work chose its tools, by names and `*` patterns: no others are offered or run. Default: all that the policy allows. */
  readonly onlyTools?: readonly string[];
  /** Tools that the turn does not offer although the policy would let it: what it starts does not have them either. */
  readonly withoutTools?: readonly string[];
  /** The result goes to a program, which keeps what is long itself: it is not shortened. */
  readonly wholeResult?: boolean;
  /** How long the owner has to answer, milliseconds. Default: as for all requests. */
  readonly askForMs?: number;
  /** Each call that needs an approval has a request of its own, also when one that is alike waits. Default false. */
  readonly asksEach?: boolean;
}

export type ToolResult =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      /** What a person who watches sees, when it is not `output`; `null` for nothing. */
      readonly forUser?: JsonValue | null;
      /** The call ends the turn with this reply. */
      readonly reply?: string;
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked, and the result comes to the session later. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/** A call whose tool said that its result comes later. */
export interface PendingCall {
  readonly callId: string;
  readonly name: string;
  /** The conversation that the result comes to. */
  readonly sessionKey: string;
  /** The session whose turn made the call, when it is another one. */
  readonly madeIn?: string;
  readonly tell: NoticeAddress;
}

/** Whom the policy is asked about. */
export type PolicySubject = CallerLink;

/** What a caller hears of a call besides its result; of the calls that a tool makes too. */
export interface CallWatch {
  /** What listeners of the call's events want the model to know. */
  injected?(injection: Injection): void;
  /** The owner was asked. */
  asked?(approval: PendingApproval): void;
}

export function refusal(code: string, message: string): Extract<ToolResult, { readonly error: unknown }> {
  return { ok: false, error: { code, message } };
}
