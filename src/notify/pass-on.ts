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
  /** Whether the user is the owner, who can read the full text on the page. */
  isOwner(user: string): boolean;
  /** Keeps a text on the page until the owner has read it. Contract: resolved = durable; the same id is kept once. */
  keep(message: HostMessage): Promise<void>;
  /** Tells a person whom no channel reaches. Contract: as `enqueue`. */
  tellHost(message: Omit<HostMessage, "kind">): Promise<void>;
  /** Contract: the same id is added once. */
  addNote(
    sessionKey: string,
    note: { readonly id: string; readonly text: string; readonly source: string },
  ): Promise<unknown>;
  /** Creates the buttons of a question. Contract: the same source gets the same buttons. */
  offer(offer: NewOffer): Promise<{ readonly buttons: NonNullable<OutboxMessage["buttons"]> }>;
  /**
   * Called with each notice that was said. Contract: never rejects; may be called again with the same notice. Default:
   * nothing.
   */
  noteSaid?(notice: PlacedNotice): Promise<void>;
}

/**
 * Says a notice: queues it for its chat, or shows it to the host if no channel reaches the person. Contract: resolved =
 * durable; the same id is said once.
 */
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
    // Kept first, since the message says where to read the full text.
    if (isBrief) await keep({ id: `notice:${id}`, kind: "notice", user, sessionKey, text: whole });
    if (isReached)
      await enqueue(target, {
        message: { id, text, ...(buttons && { buttons }), ...(!isAsked(notice) && { unasked }) },
      });
    // The id of a late result already shows what it is.
    else
      await tellHost({
        id: type === "late" ? id : `notice:${id}`,
        user,
        text,
        sessionKey,
        // Other buttons stand for commands of a chat.
        ...(notice.offer && buttons && { buttons }),
      });
    // The person may reply to it: the note tells the model what was said.
    if (notice.isOfProgram || !KNOWN.includes(type))
      await addNote(sessionKey, { id: `notice:${id}`, text, source: "notice" });
    await noteSaid?.(notice);
  };

  /** Creates the buttons of a notice's question. An unrequested notice also gets "Less of this". */
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

/** Types that their conversation already knows, or that belong to no person's conversation. All others get a note. */
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
