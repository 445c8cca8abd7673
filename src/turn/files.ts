import { type ModelAnswer, NOT_TAKEN, takesFile } from "../agent/index.ts";
import { isUnstored, storeAttachments } from "../artifacts/index.ts";
import type { Attachment } from "../message.ts";
import { type InRecord, type Session, parseSessionKey } from "../session/index.ts";
import { firstModel } from "./ask.ts";
import type { TurnParts, Work } from "./parts.ts";

/**
 * Fetches the files of messages that a prompt is about to show, and logs what became of them. A message whose files are known is left as it is.
 *
 * @throws The reason of `signal`; what cannot be fetched is told to the model instead.
 */
export async function keepFiles<Message extends InRecord>(
  parts: Pick<TurnParts, "attachments" | "channel" | "sessions" | "agent" | "modelInfo">,
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
    const channel = parts.channel(message);
    const files = { sessionKey: key, messageId: id, user, attachments, channel, signal };
    const stored = await markShown(parts, session, await storeAttachments(parts.attachments, files));
    const record = { type: "files", id: `files:${id}`, of: id, attachments: stored } as const;
    await parts.sessions.append(key, record, { id: record.id });
    kept.push({ ...message, attachments: stored });
  }
  return kept;
}

/**
 * No later call of this turn shows files that a model's server did not take. When that is for good, logs which files of this turn and of earlier ones no
 * prompt shows any more: also a turn that is taken up again does not.
 */
export async function stopShowing(
  { sessions }: Pick<TurnParts, "sessions">,
  work: Pick<Work, "session" | "messages" | "unshown">,
  { unshown = [], isUnshownForGood }: Pick<ModelAnswer, "unshown" | "isUnshownForGood">,
): Promise<void> {
  const { session } = work;
  for (const artifact of unshown) work.unshown.add(artifact);
  if (!isUnshownForGood) return;
  const refused = new Set(unshown);
  const turns = [...session.history, ...(session.open ? [session.open] : [])];
  const earlier = turns.flatMap(({ inputs }) => inputs.filter((input) => input.type === "in"));
  for (const { id, attachments = [] } of new Map([...earlier, ...work.messages].map((one) => [one.id, one])).values()) {
    const gone = attachments.flatMap(({ artifact = "", shown }) => (shown && refused.has(artifact) ? artifact : []));
    if (gone.length === 0) continue;
    const changed = attachments.map(({ shown, ...one }) =>
      gone.includes(one.artifact ?? "") ? { ...one, problem: NOT_TAKEN } : { ...one, ...(shown && { shown }) },
    );
    const record = { type: "files", id: `unshown:${id}:${gone.join(",")}`, of: id, attachments: changed } as const;
    await sessions.append(session.key, record, { id: record.id });
  }
}

/** Which of them prompts show: decided once, when they are kept, so that prompts stay the same bytes. */
export async function markShown(
  { agent, modelInfo }: Pick<TurnParts, "agent" | "modelInfo">,
  session: Pick<Session, "key" | "settings">,
  attachments: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const model = firstModel(agent(parseSessionKey(session.key)?.agentId ?? ""), session);
  const marked: Attachment[] = [];
  for (const { shown: _given, ...one } of attachments) {
    const isShown = one.artifact !== undefined && model && (await takesFile(model, modelInfo, one.mediaType));
    marked.push(isShown ? { ...one, shown: true } : one);
  }
  return marked;
}
