/** Plain JSON, stored with the summary, so that nothing has to be parsed from a model's words. */
export interface Fact {
  /** `done` closes an open task and is not kept itself. */
  readonly kind: "decision" | "task" | "fact" | "identifier" | "done";
  /** The sentence as written, on one line, shortened if long. */
  readonly text: string;
  /** The exact identifier, for the kind `identifier`. */
  readonly value?: string;
  /** Facts of one kind with the same key say the same. */
  readonly key: string;
  /** Position of its message in the conversation. */
  readonly seq: number;
  /**
   * Value within its kind. Higher if a person said it, if it was repeated, or if a decision or task depends
   * on it. Below 0: one of a series.
   */
  readonly weight: number;
}

/** A message as plain text, without what the runtime added. */
export interface SpokenText {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  /** Position in the conversation. Default: the index in the list. */
  readonly seq?: number;
  /** Milliseconds since the epoch, so that `tomorrow` keeps its meaning. */
  readonly at?: number;
  /** The speaker, in a group. */
  readonly speaker?: string;
  /** Whether the request was stopped or failed, so that it is no open task. */
  readonly undone?: boolean;
}

/** Appended to the name of the speaker. */
export const UNDONE = " (stopped; not to be taken up again unless asked for)";
