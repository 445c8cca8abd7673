import type { SavedCaller } from "../approvals/index.ts";
import type { Target } from "../channel.ts";
import type { Injection } from "../events/index.ts";
import type { Origin } from "../message.ts";
import type { Home, NoticeAddress } from "../notice.ts";
import type { PendingApproval } from "../reply.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";

/** The caller of a tool, as the runtime knows it. */
export interface ToolCaller {
  /** The speaker, with the roles that all people have whom the turn answers. */
  readonly speaker: Speaker;
  /** The turn, or the id that stands for it in a call of the host program. */
  readonly taskId: string;
  /** Where replies go; absent if only the caller gets them. */
  readonly target?: Target;
  /** For unattended work: the conversation that it is for. */
  readonly home?: Home;
  /** What began the turn, if not a person's message. */
  readonly origin?: Exclude<Origin, "message">;
  /** Whether a reply follows that can carry a tool's message. */
  readonly inTurn: boolean;
  readonly signal: AbortSignal;
  /** What started the calling session: no work has more rights than what started it. */
  readonly startedBy?: CallerLink;
  /** Users whose messages the turn answers, if it is not `user` alone. */
  readonly speakers?: readonly string[];
  /** Set if no conversation began the work. Default: derived from `origin`. */
  readonly unattended?: true;
  /** The language of the person who asked. */
  readonly language?: SavedCaller["language"];
  /** Number of nested tool calls up to here. */
  readonly depth?: number;
  /**
   * The only tools that are offered and run, as names and `*` patterns, chosen by what started the work. Default: all
   * that the policy allows.
   */
  readonly onlyTools?: readonly string[];
  /**
   * Tools that the turn excludes although the policy allows them. Work that the turn starts does not have them
   * either.
   */
  readonly withoutTools?: readonly string[];
  /** Whether the result is left unshortened, for a program that handles long results itself. */
  readonly wholeResult?: boolean;
  /** Milliseconds that the owner has to answer. Default: as for all requests. */
  readonly askForMs?: number;
  /**
   * Whether each call that needs an approval makes its own request, even while an identical one waits. Default false.
   */
  readonly asksEach?: boolean;
}

export type ToolResult =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      /** What a watching person sees instead of `output`; `null` for nothing. */
      readonly forUser?: JsonValue | null;
      /** Ends the turn with this reply. */
      readonly reply?: string;
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked, and the result comes to the session later. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/** A call whose tool said that its result comes later. */
export interface PendingCall {
  readonly callId: string;
  readonly name: string;
  /** The conversation that gets the result. */
  readonly sessionKey: string;
  /** The session whose turn made the call, if it is another one. */
  readonly madeIn?: string;
  readonly tell: NoticeAddress;
}

/** The subject of a policy decision. */
export type PolicySubject = CallerLink;

/** Callbacks for what happens during a call, including the calls that its tool makes. */
export interface CallWatch {
  /** Called with what listeners of the call's events want the model to know. */
  injected?(injection: Injection): void;
  /** Called when the owner was asked. */
  asked?(approval: PendingApproval): void;
}

export function refusal(code: string, message: string): Extract<ToolResult, { readonly error: unknown }> {
  return { ok: false, error: { code, message } };
}
