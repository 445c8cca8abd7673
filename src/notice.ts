import type { Target } from "./channel.ts";

/** The conversation that work is done for. What comes of the work's calls once it has ended goes there. */
export interface Home {
  readonly sessionKey: string;
  /** Its chat; absent where no channel reaches it. */
  readonly target?: Target;
}

/** Where a notice goes. */
export interface NoticeAddress {
  /** Who it is for, as `channel:id`. */
  readonly user: string;
  /** Default: the channel of the person. */
  readonly channel?: string;
  readonly account?: string;
  /** Default: the direct chat of the person. */
  readonly chat?: string;
  readonly thread?: string;
}

/** Something that is said although nobody waits for it. */
export interface Notice extends NoticeAddress {
  /** The same for a notice that is said again, after a crash. */
  readonly id: string;
  /** What it is about: limits are counted by it. */
  readonly type: "job" | "heartbeat" | "late" | "note" | "alert";
  readonly text: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** Its person asked for it: it keeps no quiet hours and no limits. */
  readonly requested?: boolean;
}

/** The one way to say something unasked. Contract: resolved = durable; the same id is said once. Source: docs/jobs.md, "Where it arrives". */
export type Notify = (notice: Notice) => Promise<void>;
