import { speakerName } from "../../context/index.ts";
import type { Peer, Sender } from "../../message.ts";

/** What somebody said; in a group behind their name and id, as prompts name them, so that nobody is taken for another of the same name. */
export function withSpeaker(
  content: string,
  { peer, sender }: { readonly peer: Peer; readonly sender: Sender },
): string {
  return peer.kind === "direct" ? content : `${speakerName(sender)}: ${content}`;
}
