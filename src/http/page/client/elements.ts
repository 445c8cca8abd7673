// Helpers that create elements. Text from outside always becomes text nodes, never HTML.

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  options: { class?: string; text?: string } = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  made.append(...children);
  return made;
}

export function button(label: string, onClick: () => void, look = "quiet"): HTMLButtonElement {
  const made = element("button", { text: label, class: look });
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

/** A button for an irreversible action: the first press only turns its label into a question. */
export function askingButton(label: string, question: string, onSure: () => void): HTMLButtonElement {
  const made = button(label, () => {
    if (made.classList.contains("danger")) return onSure();
    made.className = "danger";
    made.textContent = question;
  });
  made.addEventListener("blur", () => {
    made.className = "quiet";
    made.textContent = label;
  });
  return made;
}

/** A code block that can be focused, so that the keyboard can scroll it sideways. */
export function codeBlock(text: string): HTMLPreElement {
  const block = element("pre", {}, [element("code", { text })]);
  block.tabIndex = 0;
  return block;
}

/** Replaces the plural ending `{s}` of an English text. */
export function inNumber(text: string, count: number): string {
  return text.replace("{s}", count === 1 ? "" : "s");
}

/** Shortens a text to one line; a cut text ends in "…". */
export function firstWords(text: string, count: number): string {
  const line = Array.from(text.replace(/\s+/gu, " ").trim());
  return line.length > count ? `${line.slice(0, count).join("")}…` : line.join("");
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * Shows rows in this order without moving the focused row: moving it would drop the focus and cancel its button's
 * question.
 */
export function showInOrder(list: HTMLElement, rows: readonly HTMLElement[]): void {
  if (rows.length === list.children.length && rows.every((row, index) => row === list.children[index])) return;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const still = rows[at];
  if (!still) return list.replaceChildren(...rows);
  for (const other of [...list.children]) if (other !== still) other.remove();
  still.before(...rows.slice(0, at));
  still.after(...rows.slice(at + 1));
}

/** Connects a view with its open and close buttons by name. */
export function wireView(name: string, onOpen: () => void): void {
  const opener = find(name, HTMLButtonElement);
  const dialog = find(`${name}-view`, HTMLDialogElement);
  opener.addEventListener("click", () => {
    dialog.showModal();
    onOpen();
  });
  find(`${name}-close`, HTMLButtonElement).addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => opener.focus());
}

export function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no #${id}`);
  return found;
}
