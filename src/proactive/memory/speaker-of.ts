import type { Peer, Sender } from "../../message.ts";

/** What somebody said, with their name where several people speak. */
export function withSpeaker(content: string, said: Parameters<typeof speakerOf>[0]): string {
  const speaker = speakerOf(said);
  return speaker === undefined ? content : `${speaker}: ${content}`;
}

/** In a group, so that it is known of whom it is told. */
export function speakerOf({ peer, sender }: { readonly peer: Peer; readonly sender: Sender }): string | undefined {
  if (peer.kind === "direct") return undefined;
  return (
    (sender.name ?? sender.id)
      .replace(/[\s\p{Cc}\p{Cf}:：]+/gu, " ")
      .trim()
      .slice(0, 40) || sender.id
  );
}
