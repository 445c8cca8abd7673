import type { ScriptTexts } from "../texts.ts";
import { button, element } from "./elements.ts";
import { renderMarkdown } from "./markdown-view.ts";
import type { Entry } from "./wire.ts";

export interface SummaryParts {
  readonly texts: ScriptTexts;
  /** Puts a text in place of the summary of this record. Left out: it cannot be edited. */
  readonly save: ((text: string, seq: number) => Promise<SavedSummary>) | undefined;
}

/** What went wrong, or the record that stands in its place. */
export type SavedSummary = { readonly wrong: string } | { readonly seq: number };

/** What stands in the prompt for older turns: closed, and marked C. */
export function summaryView(
  { seq, text: written = "", turns = 0, edited, problem }: Entry,
  parts: SummaryParts,
): HTMLElement {
  const { texts, save } = parts;
  let text = written;
  const label = element("span", { text: `${turns} ${texts.summaryTurns}` });
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
    const box = element("textarea");
    box.value = text;
    box.rows = 10;
    box.maxLength = 16_000;
    box.setAttribute("aria-label", texts.summaryText);
    const failure = element("p", { class: "failed" });
    failure.setAttribute("role", "alert");
    const done = () => {
      show();
      body.querySelector("button")?.focus();
    };
    const saveButton = button(
      texts.save,
      async () => {
        saveButton.disabled = true;
        const given = box.value.trim();
        const saved = given === "" ? { wrong: texts.summaryEmpty } : await put(given, summarySeq);
        saveButton.disabled = false;
        failure.textContent = "wrong" in saved ? saved.wrong : "";
        if ("wrong" in saved) return;
        keepSeq(saved.seq);
        text = given;
        sayEdited();
        done();
      },
      "",
    );
    body.replaceChildren(box, failure, element("div", { class: "answers" }, [saveButton, button(texts.cancel, done)]));
    box.focus();
  }
}
