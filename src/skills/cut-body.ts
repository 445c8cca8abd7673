import { estimateTokenCount } from "tokenx";
import { headOf } from "../short-text.ts";

/** A skill's text within a token limit. */
export interface CutBody {
  readonly text: string;
  /** Estimated tokens of `text`. */
  readonly tokens: number;
  /** Whether part of the body is missing. */
  readonly isCut: boolean;
}

/** Characters of a body that are counted per token of the budget: enough to fill it. Counting a longer text takes long. */
const MAX_CHARS_A_TOKEN = 16;
const CUT_MARK = "…";
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Returns the body with at most `maxTokens`, as estimated: whole, or cut after a paragraph, with a mark. A code block
 * is never cut inside.
 */
export function cutBody(body: string, maxTokens: number): CutBody {
  const whole = body.trim();
  const looked = whole.slice(0, Math.max(0, maxTokens) * MAX_CHARS_A_TOKEN);
  const count = estimateTokenCount(looked);
  if (looked.length === whole.length && count <= maxTokens) return { text: whole, tokens: count, isCut: false };
  const paragraphs = paragraphsOf(looked);
  // Drops last paragraphs until the rest fits. The proportional share is a first guess.
  let kept = Math.min(paragraphs.length - 1, Math.ceil((paragraphs.length * maxTokens) / Math.max(1, count)) + 1);
  for (; kept > 0; kept -= 1) {
    const cut = marked(`${paragraphs.slice(0, kept).join("\n\n")}\n\n`);
    if (cut.tokens <= maxTokens) return cut;
  }
  return cutParagraph(paragraphs[0] ?? "", maxTokens);
}

/** Cuts a first paragraph that is too long by itself after a word. */
function cutParagraph(paragraph: string, maxTokens: number): CutBody {
  let text = paragraph;
  for (;;) {
    const cut = marked(text);
    if (cut.tokens <= maxTokens) return cut;
    if (text === "") return { text: "", tokens: 0, isCut: true };
    const length = Math.min(text.length - 1, Math.floor((text.length * maxTokens) / cut.tokens));
    const shorter = headOf(text, length);
    const end = Math.max(shorter.lastIndexOf(" "), shorter.lastIndexOf("\n"));
    text = (end > shorter.length / 2 ? shorter.slice(0, end) : shorter).trimEnd();
  }
}

function marked(text: string): CutBody {
  const withMark = text + CUT_MARK;
  return { text: withMark, tokens: estimateTokenCount(withMark), isCut: true };
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (line.trim() !== "" || fence !== undefined) lines.push(line);
    else if (lines.length > 0) {
      paragraphs.push(lines.join("\n"));
      lines = [];
    }
  }
  if (lines.length > 0) paragraphs.push(lines.join("\n"));
  return paragraphs;
}
