import { speakerName } from "../../context/index.ts";
import type { Peer, Sender } from "../../message.ts";

/**
 * Prefixes a group message with the sender's name and id, as prompts do, so that people with equal names stay distinct.
 */
export function withSpeaker(
  content: string,
  { peer, sender }: { readonly peer: Peer; readonly sender: Sender },
): string {
  return peer.kind === "direct" ? content : `${speakerName(sender)}: ${content}`;
}
