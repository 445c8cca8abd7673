// The script of the page, for browsers. `node .ci/page.ts` builds it into client-script.ts, which is what the server sends.
import type { ScriptTexts } from "./texts.ts";
import { showStream } from "./client/answer-stream.ts";
import { createApprovals } from "./client/approvals.ts";
import { createConversationList } from "./client/conversation-list.ts";
import { button, element, find } from "./client/elements.ts";
import { type Kept, forgetKept, newId, readKept, writeKept } from "./client/kept.ts";
import { createMemoryView } from "./client/memory-view.ts";
import { createLogView } from "./client/log-view.ts";
import { createServer, json, problemText, sessionPath } from "./client/server.ts";
import type { Entry } from "./client/wire.ts";

function start(): void {
  const composer = find("composer", HTMLFormElement);
  const input = find("text", HTMLTextAreaElement);
  const sendButton = find("send", HTMLButtonElement);
  const status = find("status", HTMLElement);
  const alert = find("alert", HTMLElement);
  const texts = JSON.parse(document.body.dataset["texts"] ?? "{}") as ScriptTexts;
  const isOwner = document.body.dataset["role"] === "owner";
  const base = location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`;

  let kept = readKept();
  let busy = false;
  /** Rises with every change of conversation, so that what belongs to an older one is dropped. */
  let generation = 0;
  /** Conversations that were left before their answer was complete. */
  const left = new Map<string, Kept>();

  const say = (text: string) => (status.textContent = text);
  const server = createServer(base);
  const log = createLogView(find("log", HTMLElement), texts);
  const approvals = createApprovals({
    server,
    log,
    texts,
    isOwner,
    conversation: () => kept.id,
    generation: () => generation,
    say,
  });
  const list = createConversationList({
    server,
    texts,
    base,
    current: () => kept.id,
    choose(id) {
      list.close();
      if (id !== kept.id) turnTo(left.get(id) ?? { id, begun: true }, "");
      input.focus();
    },
    onDeleted(id) {
      left.delete(id);
      if (id === kept.id) turnTo({ id: newId() }, "");
    },
    say,
    onFailure: (problem) => showAlert(problem),
  });

  function keep(next: Kept): void {
    kept = next;
    writeKept(next);
  }

  function setBusy(now: boolean, said = ""): void {
    busy = now;
    // Not `disabled`: that would take the focus away from who sits on the button.
    sendButton.setAttribute("aria-disabled", String(now));
    log.element.setAttribute("aria-busy", String(now));
    say(now ? texts.working : said);
    status.classList.toggle("working", now);
  }

  function showAlert(text: string, retry?: () => void): void {
    alert.replaceChildren(element("span", { text }));
    if (retry) {
      const again = () => {
        hideAlert();
        input.focus();
        retry();
      };
      alert.append(button(texts.tryAgain, again));
    }
    alert.hidden = false;
  }

  function hideAlert(): void {
    alert.hidden = true;
    alert.replaceChildren();
  }

  /** Leaves the conversation for another one; an answer that is under way goes on at the server. */
  function turnTo(next: Kept, said: string): void {
    if (kept.pending) left.set(kept.id, kept);
    left.delete(next.id);
    generation++;
    keep(next);
    hideAlert();
    approvals.forget();
    log.clear();
    list.mark();
    setBusy(false, said);
    void open().then(approvals.showWaiting);
  }

  /** Sends the kept pending message (or asks again for its answer: the server runs one id once) and shows what streams back. */
  async function watchAnswer(message: { id: string; text: string }): Promise<void> {
    const mine = generation;
    setBusy(true);
    const body = log.addMessage("assistant", texts.assistant);
    const giveUp = (text: string) => {
      body.parentElement?.remove(); // Asked again, the answer comes whole.
      setBusy(false);
      showAlert(text, () => void watchAnswer(message));
    };
    let response: Response;
    try {
      response = await server.request(
        "api/v1/chat",
        json("POST", {
          id: kept.id,
          messages: [{ id: message.id, role: "user", parts: [{ type: "text", text: message.text }] }],
          trigger: "submit-message",
        }),
      );
    } catch {
      if (mine === generation) giveUp(texts.offline);
      return;
    }
    if (mine !== generation) return;
    if (!response.ok || !response.body) return giveUp(await problemText(response));
    // The connection may break; the turn goes on at the server.
    const shown = await showStream({ log, texts, approvals }, response.body, body, () => mine === generation).catch(
      () => ({ replied: false, failure: undefined }),
    );
    if (mine !== generation) return;
    if (!shown.replied) return giveUp(shown.failure ?? texts.offline);
    keep({ id: kept.id, begun: true });
    setBusy(false, texts.answered);
    void list.refresh();
  }

  function send(): void {
    const text = input.value.trim();
    if (text === "" || busy) return;
    hideAlert();
    const message = { id: newId(), text };
    keep({ id: kept.id, begun: true, pending: message });
    input.value = "";
    fit();
    log.addUser(text);
    log.element.scrollTop = log.element.scrollHeight;
    void watchAnswer(message);
  }

  /** Lets the box grow with its text up to what the style allows. */
  function fit(): void {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  /** Puts a text in place of the newest summary. @returns What went wrong. */
  async function saveSummary(id: string, text: string): Promise<string | undefined> {
    try {
      const response = await server.request(`${sessionPath(id)}/summary`, json("PUT", { text }));
      return response.ok ? undefined : await problemText(response);
    } catch {
      return texts.notSaved;
    }
  }

  /** Shows what the server has of the conversation. */
  async function open(): Promise<void> {
    if (!kept.begun) return;
    const mine = generation;
    hideAlert();
    let entries: readonly Entry[] | null;
    try {
      entries = await server.transcript(kept.id);
    } catch (error) {
      if (mine === generation)
        showAlert(`${texts.notLoaded} ${error instanceof Error ? error.message : ""}`, () => void open());
      return;
    }
    if (mine !== generation) return;
    const { id, pending } = kept;
    const lastUser = entries?.findLast((entry) => entry.type === "user");
    const answered = entries?.at(-1)?.type === "assistant";
    if (entries && entries.length > 0) {
      // The answer that is still under way is streamed again from its beginning, so what there is of it is not shown twice.
      const until =
        pending && !answered && lastUser?.text === pending.text ? entries.lastIndexOf(lastUser) + 1 : entries.length;
      const save = isOwner ? (text: string) => saveSummary(id, text) : undefined;
      log.showTranscript(entries.slice(0, until), { texts, save });
    }
    if (!pending) return;
    if (lastUser?.text === pending.text) {
      if (answered) keep({ id, begun: true });
      else void watchAnswer(pending);
    } else {
      // It never arrived: back into the box, so that the person decides.
      keep({ id, begun: true });
      input.value ||= pending.text;
      fit();
    }
  }

  composer.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
    input.focus();
  });
  input.addEventListener("keydown", (event) => {
    // An Enter that only ends the choice of characters (Chinese, Japanese) must not send.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });
  input.addEventListener("input", fit);
  find("new", HTMLButtonElement).addEventListener("click", () => {
    list.close();
    turnTo({ id: newId() }, texts.started);
    input.focus();
  });
  const signOut = find("sign-out", HTMLFormElement);
  signOut.action = `${base}logout`;
  signOut.addEventListener("submit", forgetKept);
  keep(kept);
  input.focus();
  void open().then(approvals.showWaiting);
  void list.refresh();
  void createMemoryView({ server, texts, isOwner }).start();
}

start();
