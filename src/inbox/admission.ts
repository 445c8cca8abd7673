import type { Access } from "../access/index.ts";
import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { createRateCounter } from "../guard/index.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Outbox } from "../outbox/index.ts";
import type { AccessDecision } from "../policy/index.ts";
import { userOf } from "../session/index.ts";
import { ownerClaimText } from "./access-chat.ts";
import { targetOf } from "./target-of.ts";
import { inboxText } from "./texts.ts";

export interface AdmissionDeps {
  readonly access: Pick<Access, "decide" | "request" | "claimOwner" | "noteRefused" | "fresh">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly clock: Clock;
}

/** A message from a person who may not write. */
export interface Refused {
  readonly outcome: "refused";
  readonly reason: string;
}

/**
 * A stranger is told at most once in this time that they are not let in, so that they cannot make the assistant
 * send many messages. Milliseconds.
 */
const TELL_AGAIN_MS = 3_600_000;
/** Strangers per account that are told in that time. A crowd must not cause a message each. */
const MAX_TOLD = 60;

/** Decides who may write. */
export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ access, outbox, clock }: AdmissionDeps) {
  const toldTo = createRateCounter({ clock, windowMs: TELL_AGAIN_MS, limit: 1 });
  const toldOn = createRateCounter({ clock, windowMs: TELL_AGAIN_MS, limit: MAX_TOLD });

  /** Answers a message that claims ownership. `null`: it claims nothing and is handled like any other. */
  async function answerClaim(channel: Channel, message: InboundMessage): Promise<Refused | null> {
    const text = await ownerClaimText(access, message, channel.access);
    if (text === null) return null;
    const { channel: name, account = DEFAULT_ACCOUNT, id } = message;
    const answer = { id: `owner:${name}:${account}:${id}`, text };
    if (text !== "") await outbox.enqueue(targetOf(message), { message: answer });
    return { outcome: "refused", reason: "a claim of ownership, which is no message" };
  }

  async function decide(channel: Channel, message: InboundMessage): Promise<AccessDecision> {
    await access.fresh();
    const decision = access.decide(message, channel.access);
    if (decision.verdict !== "refuse") return decision;
    if (message.kind === "reaction") return { ...decision, tell: false, mayAsk: false }; // a reaction gets no answer
    if (!decision.mayAsk) return decision;
    if ((message.kind ?? "message") !== "message") return { ...decision, tell: false }; // an edit is no request
    const { verdict } = await access.request(message);
    return verdict === "let-in" ? access.decide(message, channel.access) : { ...decision, tell: false };
  }

  async function refuse(
    message: InboundMessage,
    { reason, tell }: Extract<AccessDecision, { verdict: "refuse" }>,
  ): Promise<Refused> {
    access.noteRefused(message, reason);
    if (tell) await tellRefused(message);
    return { outcome: "refused", reason };
  }

  async function tellRefused(message: InboundMessage): Promise<void> {
    const user = userOf(message.channel, message.sender.id);
    const target = targetOf(message);
    if (toldTo.hit(user).hits > 1 || toldOn.hit(`${target.channel}\n${target.account}`).hits > MAX_TOLD) return;
    await outbox.enqueue(target, { message: { id: newId(clock), text: inboxText("NOT_LET_IN", message.text) } });
  }

  return { answerClaim, decide, refuse };
}
