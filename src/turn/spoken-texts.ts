import { type SpokenText, isRefused, speakerName, undoneOf } from "../context/index.ts";
import type { LoggedTurn } from "../session/index.ts";

/** What was said in a turn, without what the runtime added. Empty for a turn whose words no model may be shown. */
export function spokenTexts(turn: LoggedTurn): readonly SpokenText[] {
  if (isRefused(turn)) return [];
  const { inputs, steps, tools, out } = turn;
  const undone = undoneOf(turn);
  const texts: (SpokenText & { readonly seq: number })[] = [];
  for (const input of inputs) {
    if (input.type === "note") {
      texts.push({ role: "tool", text: input.text, seq: input.seq, at: input.at });
      continue;
    }
    const isData = input.type === "in" && input.source !== undefined;
    const isGroup = input.type === "heard" || input.peer.kind !== "direct";
    texts.push({
      role: isData ? "tool" : "user",
      text: input.text,
      seq: input.seq,
      at: input.at,
      ...(isGroup && { speaker: speakerName(input.sender) }),
      ...(undone.has(input.id) && { undone: true }),
    });
  }
  for (const { text, seq, at } of steps) if (text.trim() !== "") texts.push({ role: "assistant", text, seq, at });
  for (const { output, state, seq, at } of tools) {
    if (state !== "done" || output === undefined) continue;
    texts.push({ role: "tool", text: typeof output === "string" ? output : JSON.stringify(output), seq, at });
  }
  const isSaid = steps.at(-1)?.text === out?.text;
  if (out && !out.error && out.text !== "" && !isSaid)
    texts.push({ role: "assistant", text: out.text, seq: out.seq, at: out.at });
  return texts.toSorted((a, b) => a.seq - b.seq);
}
