/** Plain JSON, kept beside the summary, so that nothing has to be read out of a model's words. */
export interface Fact {
  /** `done` closes an open task and is never kept itself. */
  readonly kind: "decision" | "task" | "fact" | "identifier" | "done";
  /** The sentence as it was written, in one line, shortened when long. */
  readonly text: string;
  /** Of an identifier: itself, letter by letter. */
  readonly value?: string;
  /** Facts of one kind with the same key say the same. */
  readonly key: string;
  /** Place of its message in the conversation. */
  readonly seq: number;
  /** What it is worth among its kind: more when a person said it, when it was said again, when a decision or task rests on it. Below 0: one of a series. */
  readonly weight: number;
}

/** One message of a conversation as plain text, without what the runtime added. */
export interface SpokenText {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  /** Place in the conversation. Default: the place in the list. */
  readonly seq?: number;
  /** Milliseconds since the epoch, so that `tomorrow` keeps its meaning. */
  readonly at?: number;
  /** Who said it, in a group. */
  readonly speaker?: string;
  /** What it asks for was stopped or failed: it is no open task. */
  readonly undone?: boolean;
}

/** Behind the name of who said it. */
export const UNDONE = " (stopped; not to be taken up again unless asked for)";
