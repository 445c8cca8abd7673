import { estimateTokenCount } from "tokenx";
import { type HeardRecord, MAX_HEARD, type TurnInputRecord } from "../session/index.ts";
import { dataBoundary } from "./boundaries.ts";
import { spokenLine } from "./speakers.ts";
import { MAX_TOKENS_A_CHAR } from "./tokens.ts";
import { shortened } from "../short-text.ts";

const MAX_TOKENS = 2000;
const MAX_LINE_CHARS = 600;

/** Overheard group messages, as one piece of data: the newest that fit. `undefined` if there are none. */
export function heardNote(
  inputs: readonly TurnInputRecord[],
): { readonly text: string; readonly leftOut: number } | undefined {
  const heard = heardOf(inputs);
  if (heard.length === 0) return undefined;
  const lines: string[] = [];
  let left = MAX_TOKENS;
  for (const { sender, text } of heard.slice(-MAX_HEARD).reverse()) {
    const line = spokenLine(sender, shortened(text, MAX_LINE_CHARS));
    const most = line.length * MAX_TOKENS_A_CHAR;
    left -= most <= left / MAX_HEARD ? most : estimateTokenCount(line);
    if (left < 0) break;
    lines.unshift(line);
  }
  const leftOut = heard.length - lines.length;
  // Gives no number, because the session drops old messages as well.
  const told = leftOut > 0 ? ["(older messages are not shown)", ...lines] : lines;
  return { text: dataBoundary("messages of the group that were not meant for you", told.join("\n")), leftOut };
}

/** Without duplicates, and without messages that the turn answers. */
function heardOf(inputs: readonly TurnInputRecord[]): readonly HeardRecord[] {
  const heard = inputs.filter((input): input is HeardRecord => input.type === "heard");
  if (heard.length === 0) return heard;
  const seen = new Set(inputs.flatMap((input) => (input.type === "in" ? input.id : [])));
  return heard.filter(({ id }) => !seen.has(id) && seen.add(id));
}
