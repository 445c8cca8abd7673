/**
 * A person's answer to a request for approval: `/approve CODE`,
 * `/approve CODE always [pattern]`, `/deny CODE [reason]`.
 */
export interface ApprovalCommand {
  readonly code: string;
  /** `unclear`: the words after the code are no answer. A refusal written as a sentence must not count as approval. */
  readonly answer: "once" | "always" | "deny" | "unclear";
  readonly reason?: string;
  readonly pattern?: string;
}

/**
 * `/name` or `/name@bot words`: a text that begins with a slash and a word. A path such
 * as `/etc/hosts` is no command.
 */
export interface ChatCommand {
  readonly name: string;
  readonly argument: string;
}

const ANY_COMMAND = /^\/([a-z][a-z0-9_]{0,31})(?:@\S{1,64})?(?:\s+([^]*))?$/i;

/** Parses a command. `null`: the text is an ordinary message. */
export function readChatCommand(text: string): ChatCommand | null {
  const [, name, argument = ""] = ANY_COMMAND.exec(text.trim()) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), argument };
}

const COMMAND = /^\s*\/(approve|deny)(?:@[^\s]{1,64})?(?:\s+(\S{1,200}))?(?:\s+([\s\S]*))?$/i;

/** Parses an answer to a request. `null`: the text is an ordinary message. Buttons carry the same texts. */
export function readApprovalCommand(text: string): ApprovalCommand | null {
  const [, verb, code = "", rest = ""] = COMMAND.exec(text) ?? [];
  if (verb === undefined) return null;
  const words = rest.trim();
  if (verb.toLowerCase() === "deny") return { code, answer: "deny", ...(words !== "" && { reason: words }) };
  const [, pattern = ""] = /^always(?:\s+([\s\S]+))?$/i.exec(words) ?? [];
  if (/^always\b/i.test(words)) return { code, answer: "always", ...(pattern !== "" && { pattern }) };
  return { code, answer: words === "" ? "once" : "unclear" };
}
