import { type ModelAnswer, NOT_TAKEN } from "../agent/index.ts";
import { type AttachmentParts, detachInline, isUnstored, storeAttachments } from "../artifacts/index.ts";
import type { Channel, Target } from "../channel.ts";
import type { Attachment } from "../message.ts";
import type { InRecord, Session, Sessions } from "../session/index.ts";
import type { ModelCalls, TurnAgent } from "./model-calls.ts";

export interface MessageFilesDeps {
  readonly attachments: AttachmentParts;
  readonly sessions: Pick<Sessions, "append">;
  readonly modelCalls: Pick<ModelCalls, "takesFile">;
  agentOf(sessionKey: string): TurnAgent;
  channel(target: Pick<Target, "channel" | "account">): Channel | undefined;
}

/** Files of messages: stores them before a prompt shows them, and leaves them out if a model does not take them. */
export type MessageFiles = ReturnType<typeof createMessageFiles>;

export function createMessageFiles({ attachments: keeping, sessions, modelCalls, agentOf, channel }: MessageFilesDeps) {
  /**
   * Fetches the files of messages that a prompt is about to show, and logs the result. Messages
   * with known files stay as they are.
   *
   * @throws The reason of `signal`. A file that cannot be fetched is no error: the model is told.
   */
  async function keep<Message extends InRecord>(
    session: Session,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<readonly Message[]> {
    const { key } = session;
    const kept: Message[] = [];
    for (const message of messages) {
      const { id, user, attachments = [] } = message;
      if (!isUnstored(attachments)) {
        kept.push(message);
        continue;
      }
      const files = { sessionKey: key, messageId: id, user, attachments, channel: channel(message), signal };
      const stored = await markShown(session, await storeAttachments(keeping, files));
      const record = { type: "files", id: `files:${id}`, of: id, attachments: stored } as const;
      await sessions.append(key, record, { id: record.id });
      kept.push({ ...message, attachments: stored });
    }
    return kept;
  }

  /** Stores the content of `data:` URLs before the message, so that the log only refers to it. */
  async function detach<Message extends Pick<InRecord, "id" | "user" | "attachments">>(
    session: Session,
    message: Message,
  ): Promise<Message> {
    const { id, user, attachments } = message;
    if (!attachments) return message;
    const files = { sessionKey: session.key, messageId: id, user, attachments };
    return { ...message, attachments: await markShown(session, await detachInline(keeping, files)) };
  }

  /**
   * Logs which files of this and earlier turns are no longer shown, because a model's server refused them for good. A
   * resumed turn does not show them either.
   */
  async function stopShowing(
    session: Session,
    messages: readonly InRecord[],
    { unshown = [] }: Pick<ModelAnswer, "unshown">,
  ): Promise<void> {
    const refused = new Set(unshown);
    const turns = [...session.history, ...(session.open ? [session.open] : [])];
    const earlier = turns.flatMap(({ inputs }) => inputs.filter((input) => input.type === "in"));
    for (const { id, attachments = [] } of new Map([...earlier, ...messages].map((one) => [one.id, one])).values()) {
      const gone = attachments.flatMap(({ artifact = "", shown }) => (shown && refused.has(artifact) ? artifact : []));
      if (gone.length === 0) continue;
      const changed = attachments.map(({ shown, ...one }) =>
        gone.includes(one.artifact ?? "") ? { ...one, problem: NOT_TAKEN } : { ...one, ...(shown && { shown }) },
      );
      const record = { type: "files", id: `unshown:${id}:${gone.join(",")}`, of: id, attachments: changed } as const;
      await sessions.append(session.key, record, { id: record.id });
    }
  }

  /** Marks the files that prompts show. Decided once, when they are stored, so that prompts stay byte-identical. */
  async function markShown(
    session: Pick<Session, "key" | "settings">,
    attachments: readonly Attachment[],
  ): Promise<readonly Attachment[]> {
    const agent = agentOf(session.key);
    const marked: Attachment[] = [];
    for (const { shown: _given, ...one } of attachments) {
      const isShown = one.artifact !== undefined && (await modelCalls.takesFile({ agent, session }, one.mediaType));
      marked.push(isShown ? { ...one, shown: true } : one);
    }
    return marked;
  }

  return { keep, detach, stopShowing };
}
