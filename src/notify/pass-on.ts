import type { PlacedNotice } from "../attention/index.ts";
import type { NewOffer } from "../buttons/index.ts";
import type { Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { isAsked } from "../notice.ts";
import type { OutboxMessage } from "../outbox/index.ts";
import type { HostMessage } from "../reply.ts";
import { parseUser } from "../session/index.ts";

export interface PassOnDeps {
  readonly channels: { of(target: Pick<Target, "channel" | "account">): unknown };
  /** Contract: resolved = durable; the same id is queued once. */
  enqueue(target: Target, entry: { readonly message: OutboxMessage }): Promise<void>;
  /** Can they read on the page what a message leaves out? */
  isOwner(user: string): boolean;
  /** Keeps a text on the page until the owner has read it. Contract: resolved = durable; the same id is kept once. */
  keep(message: HostMessage): Promise<void>;
  /** Says it to a person whom no channel reaches. Contract: as `enqueue`. */
  tellHost(message: Omit<HostMessage, "kind">): Promise<void>;
  /** Contract: the same id is added once. */
  addNote(
    sessionKey: string,
    note: { readonly id: string; readonly text: string; readonly source: string },
  ): Promise<unknown>;
  /** Makes the buttons of a question. Contract: made again for the same source, it is the same. */
  offer(offer: NewOffer): Promise<{ readonly buttons: NonNullable<OutboxMessage["buttons"]> }>;
  /** Is told of each notice that was said. Contract: never rejects; may be told of the same again. Default: nobody is. */
  noteSaid?(notice: PlacedNotice): Promise<void>;
}

/** Says a notice: into the outbox of its chat, or to where people look whom no channel reaches. Contract: resolved = durable; the same id is said once. */
export type PassOn = (notice: PlacedNotice) => Promise<void>;

export function createPassOn({
  channels,
  enqueue,
  isOwner,
  keep,
  tellHost,
  offer,
  addNote,
  noteSaid,
}: PassOnDeps): PassOn {
  return async function passOn(notice) {
    const { id, type, user, sessionKey } = notice;
    const target = targetOf(notice);
    const isReached = channels.of(target) !== undefined;
    const buttons = notice.offer
      ? await askUnder(notice, isReached ? { target, messageId: id } : undefined)
      : notice.buttons;
    const { text: brief, whole, ...unasked } = notice;
    const isBrief = isReached && whole !== undefined && isOwner(user);
    const text = isBrief ? brief : (whole ?? brief);
    // Kept first: the message says where it is read.
    if (isBrief) await keep({ id: `notice:${id}`, kind: "notice", user, sessionKey, text: whole });
    if (isReached)
      await enqueue(target, {
        message: { id, text, ...(buttons && { buttons }), ...(!isAsked(notice) && { unasked }) },
      });
    // What a late result is can be seen by its id.
    else
      await tellHost({
        id: type === "late" ? id : `notice:${id}`,
        user,
        text,
        sessionKey,
        // Others stand for commands of a chat.
        ...(notice.offer && buttons && { buttons }),
      });
    // A person may come back to it: the model then knows what was said.
    if (notice.isOfProgram || !KNOWN.includes(type))
      await addNote(sessionKey, { id: `notice:${id}`, text, source: "notice" });
    await noteSaid?.(notice);
  };

  /** The buttons of the notice's question; of what nobody asked for also one that asks for less of it. */
  async function askUnder(notice: PlacedNotice, shown: NewOffer["shown"]): Promise<OutboxMessage["buttons"]> {
    const { id, type, user, sessionKey, requested } = notice;
    const { choices = [], kind = "", data = null, language = "en", noticeType = type } = notice.offer ?? {};
    const more = requested === true ? [] : [{ id: "less", label: language === "zh" ? "少发这类" : "Less of this" }];
    const { buttons } = await offer({
      source: id,
      kind,
      people: [user],
      session: sessionKey,
      choices: [...choices, ...more],
      data,
      language,
      noticeType,
      ...(shown && { shown }),
    });
    return buttons;
  }
}

/** Their conversation knows of them, or is none of a person. Everything else gets a note. */
const KNOWN: readonly string[] = [
  "job",
  "heartbeat",
  "late",
  "note",
  "message",
  "approval",
  "pairing",
  "feedback",
  "background",
  "workflow",
];

function targetOf({ user, channel, account = DEFAULT_ACCOUNT, chat, thread, replyTo }: PlacedNotice): Target {
  return {
    channel,
    account,
    chat: chat ?? parseUser(user).id,
    ...(thread !== undefined && { thread }),
    ...(replyTo !== undefined && { replyTo }),
  };
}
