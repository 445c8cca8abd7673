import type { ScriptTexts } from "../texts.ts";
import { button, element } from "./elements.ts";

/** A text that is being changed. */
export interface EditBoxParts {
  readonly texts: ScriptTexts;
  readonly text: string;
  /** What the box is called for those who do not see it. */
  readonly label: string;
  /** @returns What went wrong, a line each; `undefined`: it is saved. */
  save(text: string): Promise<string | undefined>;
  /** It is saved or left: shows what stands in its place. */
  onDone(isSaved: boolean): void;
}

/** The name that a text which is written anew gives itself. */
export function nameIn(text: string): string {
  return /^name: *["']?([^\s"'#]+)/m.exec(text)?.[1] ?? "-";
}

/** Puts a box with its buttons in place of what an element shows; what went wrong stands under it, and what was written stays. */
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
