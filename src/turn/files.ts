import { isUnstored, storeAttachments } from "../artifacts/index.ts";
import type { InRecord, Session } from "../session/index.ts";
import type { TurnParts } from "./parts.ts";

/**
 * Fetches the files of messages that a prompt is about to show, and logs what became of them. A message whose files are known is left as it is.
 *
 * @throws The reason of `signal`; what cannot be fetched is told to the model instead.
 */
export async function keepFiles<Message extends InRecord>(
  parts: Pick<TurnParts, "attachments" | "channel" | "sessions">,
  { key }: Session,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const kept: Message[] = [];
  for (const message of messages) {
    const { id, user, attachments = [] } = message;
    if (!isUnstored(attachments)) {
      kept.push(message);
      continue;
    }
    const channel = parts.channel(message);
    const files = { sessionKey: key, messageId: id, user, attachments, channel, signal };
    const stored = await storeAttachments(parts.attachments, files);
    const record = { type: "files", id: `files:${id}`, of: id, attachments: stored } as const;
    await parts.sessions.append(key, record, { id: record.id });
    kept.push({ ...message, attachments: stored });
  }
  return kept;
}
