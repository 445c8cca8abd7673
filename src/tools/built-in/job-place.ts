import type { ToolContext } from "../tool.ts";

/** Where a job sends its messages, for whom it runs, and with whose rights. */
export interface Place {
  readonly user: string;
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
  readonly thread?: string;
  readonly session: string;
  readonly startedBy: string;
  readonly roles: readonly string[];
  readonly tools?: readonly string[];
  readonly withoutTools?: readonly string[];
}

/**
 * Returns the place of this conversation, with the speaker and their rights. Later work has no more tools than this
 * turn.
 */
export function placeOf({ speaker, target, onlyTools, withoutTools }: ToolContext): Place {
  const { user, roles, channel, account, peer, sessionKey } = speaker;
  return {
    user,
    channel,
    account,
    chat: target?.chat ?? peer.id,
    ...(target?.thread !== undefined && { thread: target.thread }),
    session: sessionKey,
    startedBy: user,
    roles,
    ...(onlyTools && { tools: onlyTools }),
    ...(withoutTools && withoutTools.length > 0 && { withoutTools }),
  };
}
