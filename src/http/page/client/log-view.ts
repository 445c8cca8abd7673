import type { ScriptTexts } from "../texts.ts";
import { asText, codeBlock, element, find } from "./elements.ts";
import { renderMarkdown } from "./markdown-view.ts";
import { type SummaryParts, summaryView } from "./summary-view.ts";
import type { Entry } from "./wire.ts";

export type Speaker = "user" | "assistant" | "note";

/** A running tool call. */
export interface ToolView {
  readonly details: HTMLElement;
  wait(): void;
  end(output: unknown, error?: string): void;
}

/** The visible conversation. */
export type LogView = ReturnType<typeof createLogView>;

export function createLogView(log: HTMLElement, texts: ScriptTexts) {
  const welcome = log.querySelector(".welcome");
  const earlier = find("earlier", HTMLButtonElement);

  const nearEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80;

  function follow(change: () => void): void {
    const isNear = nearEnd();
    change();
    if (isNear) log.scrollTop = log.scrollHeight;
  }

  /** Adds a message. @returns The element for its parts. */
  function addMessage(who: "user" | "assistant" | "note", label: string): HTMLElement {
    const body = element("div", { class: "body" });
    const message = element("article", { class: `message ${who}` }, [element("h2", { text: label }), body]);
    welcome?.remove();
    follow(() => log.append(message));
    return body;
  }

  function addUser(text: string): void {
    follow(() => addMessage("user", texts.you).append(element("p", { text })));
  }

  function toolView(callId: string, name: string, toolInput: unknown): ToolView {
    const state = element("span", { class: "state", text: texts.toolRunning });
    const details = element("details", { class: "tool running" }, [
      element("summary", {}, [element("code", { text: name }), " ", state]),
      element("h3", { text: texts.input }),
      codeBlock(asText(toolInput)),
    ]);
    details.dataset["key"] = callId;
    return {
      details,
      wait() {
        state.textContent = texts.toolWaits;
      },
      end(output: unknown, error?: string) {
        details.className = `tool ${error === undefined ? "done" : "failed"}`;
        state.textContent = error === undefined ? texts.toolDone : texts.toolFailed;
        details.append(
          element("h3", { text: error === undefined ? texts.output : texts.error }),
          codeBlock(error ?? asText(output)),
        );
      },
    };
  }

  function removeAll(): void {
    while (earlier.nextSibling) earlier.nextSibling.remove();
  }

  function clear(): void {
    removeAll();
    earlier.hidden = true;
    if (welcome) log.append(welcome);
  }

  /**
   * `summaries`: allows editing the newest summary. `isLonger`: earlier entries were added, so the scroll position is
   * kept.
   */
  function showTranscript(entries: readonly Entry[], summaries: SummaryParts, isLonger: boolean): void {
    const { scrollTop, scrollHeight } = log;
    const isAtEnd = nearEnd();
    const keyed = () => [...log.querySelectorAll<HTMLDetailsElement>("details[data-key]")];
    const before = new Map(keyed().map((view) => [view.dataset["key"], view]));
    const at = log.contains(document.activeElement) && document.activeElement?.closest("summary")?.parentElement;
    removeAll();
    const newest = entries.findLastIndex(({ type }) => type === "summary");
    let assistant: HTMLElement | undefined;
    for (const [index, entry] of entries.entries()) {
      if (entry.type === "tool" || entry.type === "assistant") {
        assistant ??= addMessage("assistant", texts.assistant);
        assistant.append(entry.type === "tool" ? toolEntry(entry) : replyEntry(entry));
        if (entry.type === "tool") continue;
      } else if (entry.type === "user") addUser(entry.text ?? "");
      else if (entry.type === "note") addMessage("note", texts.note).append(noteEntry(entry, entries[index + 1]));
      else if (entry.type === "reset") log.append(element("p", { class: "reset", text: texts.reset }));
      else {
        const old = before.get(`summary ${entry.seq}`);
        // A summary that is being edited is kept unchanged.
        const isEdited = old?.querySelector("textarea");
        log.append(
          isEdited ? old! : summaryView(entry, index === newest ? summaries : { ...summaries, save: undefined }),
        );
      }
      assistant = undefined;
    }
    for (const view of keyed()) {
      const old = before.get(view.dataset["key"]);
      view.open ||= old?.open === true;
      if (at && at === old) view.querySelector("summary")?.focus({ preventScroll: true });
    }
    log.scrollTop = isAtEnd ? log.scrollHeight : scrollTop + (isLonger ? log.scrollHeight - scrollHeight : 0);
  }

  /**
   * A note that instructed the assistant, from a due job or the outcome of a call. It is collapsed, because people read
   * the answer instead.
   */
  function noteEntry({ seq, text = "", source = "", origin }: Entry, next: Entry | undefined): HTMLElement {
    const told = element("p", { text });
    if (origin === undefined && next?.type !== "assistant" && next?.type !== "tool") return told;
    const details = element("details", {}, [element("summary", { text: source }), told]);
    details.dataset["key"] = `note ${seq}`;
    return details;
  }

  function toolEntry(entry: Entry): HTMLElement {
    const view = toolView(entry.call_id ?? "", entry.name ?? "", entry.input);
    if (entry.error) view.end(undefined, `${entry.error.code}: ${entry.error.message}`);
    else if ("output" in entry) view.end(entry.output);
    return view.details;
  }

  function replyEntry(entry: Entry): HTMLElement {
    const text = element("div", { class: entry.error ? "text failed" : "text" });
    renderMarkdown(text, entry.text ?? "");
    if (entry.text === "" && !entry.error) text.append(element("p", { class: "muted", text: texts.silent }));
    const reason = entry.error?.message;
    // The owner sees the reason; other people see only the text.
    if (entry.text !== "" && reason !== undefined && reason !== entry.text) text.append(element("p", { text: reason }));
    return text;
  }

  return { element: log, earlier, follow, addMessage, addUser, toolView, showTranscript, clear };
}
