import type { ScriptTexts } from "../texts.ts";
import { button, element } from "./elements.ts";

/** A text to edit. */
export interface EditBoxParts {
  readonly texts: ScriptTexts;
  readonly text: string;
  /** Label of the box, for screen readers. */
  readonly label: string;
  /** @returns The errors, one per line; `undefined` once it is saved. */
  save(text: string): Promise<string | undefined>;
  /** Called when editing ends; shows the content again. */
  onDone(isSaved: boolean): void;
}

/** Returns the name in the text of a new item. */
export function nameIn(text: string): string {
  return /^name: *["']?([^\s"'#]+)/m.exec(text)?.[1] ?? "-";
}

/**
 * Replaces an element's content with a text box and its buttons. If saving fails, the error is shown below and the text
 * stays.
 */
export function showEditBox(body: HTMLElement, { texts, text, label, save, onDone }: EditBoxParts): void {
  const box = element("textarea");
  box.value = text;
  box.rows = Math.min(16, Math.max(4, text.split("\n").length + 1));
  box.setAttribute("aria-label", label);
  const failure = element("p", { class: "failed" });
  failure.setAttribute("role", "alert");
  const saveButton = button(
    texts.save,
    async () => {
      saveButton.disabled = true;
      const wrong = await save(box.value);
      saveButton.disabled = false;
      failure.textContent = wrong ?? "";
      if (wrong === undefined) onDone(true);
    },
    "",
  );
  const cancel = button(texts.cancel, () => onDone(false));
  body.replaceChildren(box, failure, element("div", { class: "answers" }, [saveButton, cancel]));
  box.focus();
}
