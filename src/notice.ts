/** Something that is said although nobody waits for it. */
export interface Notice {
  /** The same for a notice that is said again, after a crash. */
  readonly id: string;
  /** What it is about: limits are counted by it. */
  readonly type: "job" | "heartbeat" | "note" | "alert";
  /** Who it is for, as `channel:id`. */
  readonly user: string;
  readonly text: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** Where it goes. Default: the direct chat of the person. */
  readonly channel?: string;
  readonly account?: string;
  readonly chat?: string;
  readonly thread?: string;
  /** Its person asked for it: it keeps no quiet hours and no limits. */
  readonly requested?: boolean;
}

/** The one way to say something unasked. Contract: resolved = durable; the same id is said once. Source: docs/jobs.md, "Where it arrives". */
export type Notify = (notice: Notice) => Promise<void>;
