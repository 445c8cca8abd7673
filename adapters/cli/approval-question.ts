/** A person's answer to the question whether a call may run. */
export type TypedAnswer =
  | { readonly kind: "answer"; readonly command: string; readonly answer: "once" | "always" | "deny" }
  /** Nothing is decided: the request keeps waiting. */
  | { readonly kind: "later" }
  | { readonly kind: "unclear" };

/** The prompt before the cursor. */
export const APPROVAL_PROMPT =
  "Run it? y once, a always (a PATTERN: all calls that match), n no (n REASON), Enter later: ";

/**
 * Parses an answer into the command that any chat accepts. Only a clear answer counts: it must begin with its letter or
 * word, and nothing may follow a yes.
 */
export function readTypedAnswer(text: string, code: string): TypedAnswer {
  const typed = text.trim();
  if (typed === "" || /^l(ater)?$/i.test(typed)) return { kind: "later" };
  if (/^(y|yes)$/i.test(typed)) return { kind: "answer", answer: "once", command: `/approve ${code}` };
  const [, yes, pattern = ""] = /^(a|always)(?:\s+(.+))?$/is.exec(typed) ?? [];
  if (yes !== undefined)
    return { kind: "answer", answer: "always", command: `/approve ${code} always ${pattern}`.trim() };
  const [, no, reason = ""] = /^(n|no|deny)(?:\s+(.+))?$/is.exec(typed) ?? [];
  if (no !== undefined) return { kind: "answer", answer: "deny", command: `/deny ${code} ${reason}`.trim() };
  return { kind: "unclear" };
}
