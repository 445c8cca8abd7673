import type { ScriptTexts } from "../texts.ts";
import { button, element, find } from "./elements.ts";
import { type Server, problemText, sessionPath } from "./server.ts";
import type { Conversation } from "./wire.ts";

export interface ConversationListParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Base path of downloads, relative to the page. */
  readonly base: string;
  /** Id of the shown conversation. */
  current(): string;
  /** Shows another conversation. */
  choose(id: string): void;
  /** Called after a conversation was deleted. */
  onDeleted(id: string): void;
  say(status: string): void;
  /** Shows a problem. */
  onFailure(problem: string): void;
}

export interface ConversationList {
  /** Reads the list again. Contract: never throws. */
  refresh(): Promise<void>;
  /** Marks the shown conversation. */
  mark(): void;
  /** Closes the list if it covers the conversation. */
  close(): void;
}

/** The list of the caller's conversations, newest first. Hidden if the server keeps no list. */
export function createConversationList(parts: ConversationListParts): ConversationList {
  const { server, texts } = parts;
  const side = find("side", HTMLElement);
  const toggle = find("list-toggle", HTMLButtonElement);
  const list = find("conversations", HTMLUListElement);
  const older = find("older", HTMLButtonElement);
  let shown: readonly Conversation[] = [];
  let next: string | undefined;

  const isOver = () => getComputedStyle(side).position === "absolute";
  const isOpen = () => getComputedStyle(side).display !== "none";

  function setOpen(open: boolean): void {
    document.body.dataset["list"] = open ? "open" : "closed";
    tell();
  }

  function tell(): void {
    toggle.setAttribute("aria-expanded", String(isOpen()));
  }

  function close(): void {
    if (isOver() && isOpen()) setOpen(false);
  }

  function row(conversation: Conversation): HTMLLIElement {
    const title = conversation.title === "" ? texts.untitled : conversation.title;
    const at = new Date(conversation.last_at);
    const when = element("time", {
      text: at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }),
    });
    when.dateTime = conversation.last_at;
    const choose = button("", () => parts.choose(conversation.id), "title");
    choose.append(element("span", { text: title }), when);
    choose.dataset["id"] = conversation.id;
    const download = element("a", { text: texts.download, class: "quiet" });
    download.href = `${parts.base}${sessionPath(conversation.id)}/export?format=markdown`;
    download.download = "";
    download.setAttribute("aria-label", `${texts.download}: ${title}`);
    const remove = button(texts.remove, () => ask(conversation.id, title));
    remove.setAttribute("aria-label", `${texts.remove}: ${title}`);
    return element("li", {}, [choose, element("div", { class: "more" }, [download, remove])]);
  }

  function show(): void {
    list.replaceChildren(...shown.map(row));
    older.hidden = next === undefined;
    mark();
  }

  function mark(): void {
    for (const one of list.querySelectorAll<HTMLElement>("button.title")) {
      if (one.dataset["id"] === parts.current()) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  function ask(id: string, title: string): void {
    const dialog = element("dialog");
    const heading = element("h2", { text: texts.removeAsk });
    heading.id = "remove-ask";
    dialog.setAttribute("aria-labelledby", heading.id);
    const cancel = button(texts.cancel, () => dialog.close());
    const yes = button(
      texts.remove,
      () => {
        dialog.close();
        void remove(id);
      },
      "danger",
    );
    dialog.append(
      heading,
      element("p", { class: "name", text: title }),
      element("p", { class: "hint", text: texts.removeHint }),
      element("div", { class: "answers" }, [cancel, yes]),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  }

  async function remove(id: string): Promise<void> {
    try {
      const response = await server.request(sessionPath(id), { method: "DELETE" });
      // 404 means that it was already deleted.
      if (!response.ok && response.status !== 404) return parts.onFailure(await problemText(response, texts));
    } catch {
      return parts.onFailure(texts.notRemoved);
    }
    const index = shown.findIndex((one) => one.id === id);
    shown = shown.filter((one) => one.id !== id);
    show();
    parts.onDeleted(id);
    parts.say(texts.removed);
    // The pressed button was removed with its row.
    const rows = list.querySelectorAll<HTMLElement>("button.title");
    (rows[Math.min(index, rows.length - 1)] ?? find("new", HTMLElement)).focus();
  }

  async function load(before?: string): Promise<void> {
    const found = await server.conversations(before).catch(() => undefined);
    if (found === undefined) return; // Keep the current list; the next turn reads it again.
    toggle.hidden = found === null;
    side.hidden = found === null;
    if (found === null) return;
    const controls = (row?: Element | null) => [...(row?.querySelectorAll<HTMLElement>("button, a") ?? [])];
    const focused = controls(document.activeElement?.closest("#conversations > li"));
    const at = focused.findIndex((one) => one === document.activeElement);
    const known = new Set(shown.map(({ id }) => id));
    shown = before === undefined ? found.page : [...shown, ...found.page.filter(({ id }) => !known.has(id))];
    next = found.next;
    show();
    tell();
    const again = controls(list).find((one) => at !== -1 && one.dataset["id"] === focused[0]?.dataset["id"]);
    controls(again?.closest("li"))[at]?.focus();
  }

  toggle.addEventListener("click", () => {
    setOpen(!isOpen());
    if (isOpen() && isOver()) (list.querySelector<HTMLElement>("button.title") ?? toggle).focus();
  });
  // While there is nothing to choose the focus stays on the button, so it needs the key handler too.
  for (const part of [side, toggle])
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !isOver()) return;
      close();
      toggle.focus();
    });
  older.addEventListener("click", () => void load(next));
  addEventListener("resize", tell);
  return { refresh: () => load(), mark, close };
}
