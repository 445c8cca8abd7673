import type { ScriptTexts } from "../texts.ts";
import { showEditBox } from "./edit-box.ts";
import { button, element, inNumber } from "./elements.ts";
import { renderMarkdown } from "./markdown-view.ts";
import type { Entry } from "./wire.ts";

export interface SummaryParts {
  readonly texts: ScriptTexts;
  /** Replaces the summary of this record. If absent, it cannot be edited. */
  readonly save: ((text: string, seq: number) => Promise<SavedSummary>) | undefined;
}

/** The error, or the record that replaces the summary. */
export type SavedSummary = { readonly wrong: string } | { readonly seq: number };

/** Shows the summary that replaces older turns in the prompt. Collapsed, and marked C. */
export function summaryView(
  { seq, text: written = "", turns = 0, edited, problem }: Entry,
  parts: SummaryParts,
): HTMLElement {
  const { texts, save } = parts;
  let text = written;
  const label = element("span", { text: `${turns} ${inNumber(texts.summaryTurns, turns)}` });
  const mark = element("span", { class: "mark", text: "C" });
  mark.setAttribute("aria-hidden", "true");
  const body = element("div", { class: "body" });
  const view = element("details", { class: "summary" }, [element("summary", {}, [mark, " ", label]), body]);
  let summarySeq = seq;
  keepSeq(seq);
  let isEdited = false;
  if (edited === true) sayEdited();
  show();
  return view;

  function keepSeq(now: number): void {
    summarySeq = now;
    view.dataset["key"] = `summary ${now}`;
  }

  function sayEdited(): void {
    if (!isEdited) label.append(` (${texts.summaryEdited})`);
    isEdited = true;
  }

  function show(): void {
    const shown = element("div", { class: "text" });
    renderMarkdown(shown, text);
    body.replaceChildren(shown);
    if (problem !== undefined) body.append(element("p", { class: "muted", text: problem }));
    if (save) body.append(button(texts.edit, () => edit(save)));
  }

  function edit(put: NonNullable<SummaryParts["save"]>): void {
    showEditBox(body, {
      texts,
      text,
      label: texts.summaryText,
      async save(written) {
        const given = written.trim();
        const saved = given === "" ? { wrong: texts.summaryEmpty } : await put(given, summarySeq);
        if ("wrong" in saved) return saved.wrong;
        keepSeq(saved.seq);
        text = given;
        sayEdited();
        return undefined;
      },
      onDone() {
        show();
        body.querySelector("button")?.focus();
      },
    });
  }
}
