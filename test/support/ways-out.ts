/** How something reaches a person: an answer to what they just did, or through `notify`, which decides. */
export type WayOut = "answer" | "asked for" | "unasked";

/** Files that may queue a message, and what they say. Everything else goes through `src/notify`. */
export const ANSWERS: Readonly<Record<string, string>> = {
  "src/turn/replies.ts": "the reply of a turn",
  "src/inbox/chat-commands.ts": "what a command says",
  "src/inbox/command-limit.ts": "what a command says",
  "src/inbox/presses.ts": "what a button says",
  "src/inbox/approval-answers.ts": "what the answer to a request says",
  "src/inbox/admission.ts": "what a message that is not let in is told",
  "src/inbox/access-chat.ts": "the code of a stranger who asks to be let in",
  "src/inbox/overflow.ts": "that a message was refused, as too many wait",
  "src/outbox/dead-letters.ts": "what the owner sends again",
};

/** What `notify` is asked to say, by the type of the notice. */
export const NOTICES: Readonly<Record<string, readonly [what: string, as: WayOut]>> = {
  approval: ["a request for approval", "asked for"],
  pairing: ["that a stranger asks to be let in, and that they are", "asked for"],
  late: ["the late result of a tool", "asked for"],
  message: ["the tool `message`, but in a heartbeat", "asked for"],
  note: ["the tool `notify`, but in a heartbeat", "asked for"],
  job: ["the result of a job, and that it was paused; the review of a goal is unasked", "asked for"],
  workflow: ["that a workflow began, and how it ended", "asked for"],
  background: ["what came of work in the background that a turn started", "asked for"],
  feedback: ["the question whether a skill helped, where it is switched on", "asked for"],
  heartbeat: ["the tools `notify` and `message` in a heartbeat", "unasked"],
  pattern: ["what was noticed in what a person does, with an offer", "unasked"],
  alert: ["what is wrong with the assistant, to its owners", "unasked"],
};
