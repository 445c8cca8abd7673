import { type Clock, after } from "../../../clock.ts";
import type { ScriptTexts } from "../texts.ts";
import { button, element, find, firstWords, wireView } from "./elements.ts";
import { renderMarkdown, withoutMarks } from "./markdown-view.ts";
import { type Server, json, problemText } from "./server.ts";
import type { JobEnded, WorkflowNews } from "./wire.ts";

/** An unsolicited message. */
interface Told {
  readonly id: string;
  readonly session_key: string;
  readonly kind: string;
  readonly text: string;
  /** Choices, if the message asks something. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
}

/** Milliseconds until the page reconnects by itself. */
const AGAIN_MS = 3000;

/** Listener for server events. */
export interface ToldListener {
  /** A message arrived in a conversation, or a request there waits for an answer. */
  onNews(event: "reply" | "notification" | "approval", sessionKey: string): void;
  /** A turn ended, in this tab or another. */
  onTurn(turn: string, sessionKey: string): void;
  onJobEnded(job: JobEnded): void;
  onWorkflow(news: WorkflowNews): void;
  /** The connection was restored. Events in between were missed. */
  onReturn(): void;
}

export interface ToldViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  readonly base: string;
  readonly listener: ToldListener;
  say(text: string): void;
  readonly clock: Clock;
}

/**
 * Shows unsolicited messages as they arrive: a count on a button, a list behind it, and, if the browser permits, a
 * system notification. A message stays until it is removed.
 */
export function createToldView(parts: ToldViewParts): { start(): void } {
  const { server, texts, base, listener, say, clock } = parts;
  const opener = find("told", HTMLButtonElement);
  const count = find("told-count", HTMLElement);
  const dialog = find("told-view", HTMLDialogElement);
  const items = find("told-list", HTMLUListElement);
  const system = find("told-system", HTMLButtonElement);
  const title = document.title;
  const shown = new Map<string, HTMLElement>();
  /** Whether messages are new; those that waited before the page was opened are not. */
  let isLive = false;

  function showCount(): void {
    const unread = shown.size;
    count.textContent = unread === 0 ? "" : String(unread);
    opener.setAttribute("aria-label", unread === 0 ? texts.told : `${texts.told}: ${unread}`);
    opener.hidden = unread === 0 && !dialog.open;
    document.title = unread === 0 ? title : `(${unread}) ${title}`;
    find("told-none", HTMLElement).hidden = unread > 0;
  }

  function add(told: Told): void {
    const body = element("div", { class: "body" });
    renderMarkdown(body, told.text);
    const away = button(texts.toldAway, () => void putAway(told.id));
    const item = element("li", {}, [body, away]);
    if (told.buttons) body.append(answersOf(told, told.buttons, away));
    shown.set(told.id, item);
    items.prepend(item);
    showCount();
  }

  /** Buttons for the message's choices; the result replaces them. */
  function answersOf({ id }: Told, choices: NonNullable<Told["buttons"]>, away: HTMLButtonElement): HTMLElement {
    const answers = element("div", { class: "answers" });
    answers.append(...choices.map((choice) => button(choice.label, () => void press(choice.id))));

    async function press(choice: string): Promise<void> {
      const path = `api/v1/notifications/${encodeURIComponent(id)}/press`;
      const outcome = element("p", { class: "outcome" });
      try {
        const response = await server.request(path, json("POST", { choice }));
        outcome.textContent = response.ok
          ? ((await response.json()) as { text: string }).text || texts.answerCounts
          : await problemText(response, texts);
      } catch {
        say(texts.unreachable);
        return;
      }
      if (answers.contains(document.activeElement)) away.focus();
      answers.replaceWith(outcome);
      say(outcome.textContent);
    }
    return answers;
  }

  async function putAway(id: string): Promise<void> {
    try {
      const response = await server.request(`api/v1/notifications/${encodeURIComponent(id)}`, { method: "DELETE" });
      if (!response.ok && response.status !== 404) return say(await problemText(response, texts));
    } catch {
      return say(texts.unreachable);
    }
    drop(id);
  }

  /** Removes an item and moves the focus to the next one. */
  function drop(id: string): void {
    const item = shown.get(id);
    const next = item?.nextElementSibling ?? item?.previousElementSibling;
    if (item?.contains(document.activeElement)) next?.querySelector<HTMLElement>(":scope > button")?.focus();
    item?.remove();
    shown.delete(id);
    showCount();
    if (shown.size === 0) dialog.close();
  }

  /** Removes messages that were removed in another tab or on another machine. */
  async function dropGone(): Promise<void> {
    const before = [...shown.keys()];
    if (before.length === 0) return;
    try {
      const response = await server.request("api/v1/notifications");
      if (!response.ok) return;
      const { notifications } = (await response.json()) as { notifications: readonly { id: string }[] };
      const there = new Set(notifications.map(({ id }) => id));
      for (const id of before) if (!there.has(id) && !shown.get(id)?.querySelector(".outcome")) drop(id);
    } catch {
      // The next check removes them.
    }
  }

  /** Shows a system notification if permitted. Skipped while the page is visible. */
  function showInSystem({ text, id }: Told): void {
    if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
    const notification = new Notification(title, { body: firstWords(withoutMarks(text), 300), tag: id });
    notification.addEventListener("click", () => window.focus());
  }

  function offerSystem(): void {
    system.hidden = !("Notification" in window) || Notification.permission !== "default";
  }

  function listen(): void {
    const source = new EventSource(`${base}api/v1/events`);
    // The browser reconnects after a lost connection, but not after an error response of a proxy. A person who is
    // signed out sees the sign-in form after the request.
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      isLive = true;
      after(clock, AGAIN_MS, () => void server.request("api/v1/notifications").then(listen, listen));
    });
    const on = (kind: string, take: (told: unknown) => void) =>
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => take(JSON.parse(data)));
    on("live", () => {
      if (isLive) listener.onReturn();
      isLive = true;
    });
    for (const kind of ["notification", "reply"] as const) {
      on(kind, (given) => {
        const told = given as Told;
        if (shown.has(told.id)) return;
        add(told);
        if (!isLive) return;
        say(`${texts.toldNow} ${firstWords(withoutMarks(told.text), 200)}`);
        showInSystem(told);
        listener.onNews(kind, told.session_key);
      });
    }
    on("approval", () => listener.onNews("approval", ""));
    on("turn", (told) => {
      const { turn_id: turn, session_key: session } = told as { turn_id: string; session_key: string };
      listener.onTurn(turn, session);
    });
    on("job", (told) => listener.onJobEnded(told as JobEnded));
    on("workflow", (told) => listener.onWorkflow(told as WorkflowNews));
  }

  return {
    start() {
      wireView("told", () => {
        offerSystem();
        void dropGone();
      });
      document.addEventListener("visibilitychange", () => void (document.hidden || dropGone()));
      dialog.addEventListener("close", () => {
        showCount();
        // The button that opened it disappeared with the last message.
        if (opener.hidden) find("text", HTMLTextAreaElement).focus();
      });
      system.addEventListener("click", () => void Notification.requestPermission().then(offerSystem));
      showCount();
      listen();
    },
  };
}
