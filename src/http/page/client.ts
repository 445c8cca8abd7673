// The script of the page, for browsers. `node .ci/page.ts` builds it into client-script.ts, which is what the server sends.
// Everything that came from outside reaches the page as text nodes, never as HTML.
import { describeCall, visible } from "../../call-text.ts";
import type { JsonValue } from "../../store/index.ts";
import type { ScriptTexts } from "./texts.ts";

/** What the browser keeps: which conversation this is, and the message whose answer is not complete yet. */
interface Kept {
  readonly id: string;
  /** Something was said in it, so the server may have it. */
  readonly begun?: boolean;
  readonly pending?: { readonly id: string; readonly text: string };
}

interface Entry {
  readonly type: "user" | "note" | "tool" | "assistant";
  readonly text?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

interface Chunk {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly data?: { readonly id?: string; readonly code?: string; readonly name?: string };
  readonly messageMetadata?: { readonly silent?: boolean };
}

/** A call that waits, as the API lists it. */
interface Waiting {
  readonly id: string;
  readonly code: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly bound_to: JsonValue;
  readonly user: string;
  readonly session_key: string;
}

/** What came of an answer. */
interface Answered {
  readonly ok: boolean;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly outcome?: { readonly verdict: string; readonly reason?: string };
  readonly reply?: {
    readonly text: string;
    readonly silent: boolean;
    readonly approvals: readonly { readonly id: string; readonly code: string; readonly name: string }[];
  };
}

const KEPT_AS = "wakeful.conversation";

function element<K extends keyof HTMLElementTagNameMap>(
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

/** Paragraphs, code blocks, inline code and bold text: what is safe and useful of Markdown; the rest stays as it was written. */
function renderMarkdown(into: HTMLElement, markdown: string): void {
  const parts: Node[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const text = paragraph.join("\n").trim();
    if (text !== "") parts.push(element("p", {}, inline(text)));
    paragraph = [];
  };
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(lines[at]!);
    if (!fence) {
      if (lines[at]!.trim() === "") endParagraph();
      else paragraph.push(lines[at]!);
      continue;
    }
    endParagraph();
    const code: string[] = [];
    const closing = fence[1]!;
    for (at++; at < lines.length; at++) {
      const line = lines[at]!.trim();
      if (line.startsWith(closing) && line.replaceAll(closing[0]!, "") === "") break;
      code.push(lines[at]!);
    }
    parts.push(codeBlock(code.join("\n")));
  }
  endParagraph();
  into.replaceChildren(...parts);
}

function inline(text: string): (Node | string)[] {
  return text
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .map((piece, index) =>
      index % 2 === 0
        ? piece
        : piece.startsWith("`")
          ? element("code", { text: piece.slice(1, -1) })
          : element("strong", { text: piece.slice(2, -2) }),
    );
}

/** A block that scrolls sideways can be reached and scrolled with the keyboard. */
function codeBlock(text: string): HTMLPreElement {
  const block = element("pre", {}, [element("code", { text })]);
  block.tabIndex = 0;
  return block;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no #${id}`);
  return found;
}

function newId(): string {
  // Not crypto.randomUUID(): that one is missing on pages served without TLS from another machine.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function start(): void {
  const log = find("log", HTMLElement);
  const composer = find("composer", HTMLFormElement);
  const input = find("text", HTMLTextAreaElement);
  const button = find("send", HTMLButtonElement);
  const status = find("status", HTMLElement);
  const alert = find("alert", HTMLElement);
  const texts = JSON.parse(document.body.dataset["texts"] ?? "{}") as ScriptTexts;
  const base = location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`;

  const isOwner = document.body.dataset["role"] === "owner";
  /** Ids of the requests that have a card. */
  const carded = new Set<string>();

  const welcome = log.querySelector(".welcome");
  let kept = readKept();
  let busy = false;
  /** Rises with every change of conversation, so that what belongs to an older one is dropped. */
  let generation = 0;

  function readKept(): Kept {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null") as Kept | null;
      if (typeof found?.id === "string") return found;
    } catch {
      // Storage may be forbidden or hold something else: the conversation then lasts as long as the page.
    }
    return { id: newId() };
  }

  function keep(next: Kept): void {
    kept = next;
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify(next));
    } catch {
      // As above.
    }
  }

  function follow(change: () => void): void {
    const nearEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    change();
    if (nearEnd) log.scrollTop = log.scrollHeight;
  }

  function setBusy(now: boolean, said = ""): void {
    busy = now;
    // Not `disabled`: that would take the focus away from who sits on the button.
    button.setAttribute("aria-disabled", String(now));
    log.setAttribute("aria-busy", String(now));
    status.textContent = now ? texts.working : said;
    status.classList.toggle("working", now);
  }

  function showAlert(text: string, retry?: () => void): void {
    alert.replaceChildren(element("span", { text }));
    if (retry) {
      const again = element("button", { text: texts.tryAgain, class: "quiet" });
      again.type = "button";
      again.addEventListener("click", () => {
        hideAlert();
        input.focus();
        retry();
      });
      alert.append(again);
    }
    alert.hidden = false;
  }

  function hideAlert(): void {
    alert.hidden = true;
    alert.replaceChildren();
  }

  /** Adds one speaker's turn. @returns Where its parts go. */
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

  function toolView(name: string, toolInput: unknown) {
    const state = element("span", { class: "state", text: texts.toolRunning });
    const details = element("details", { class: "tool running" }, [
      element("summary", {}, [element("code", { text: name }), " ", state]),
      element("h3", { text: texts.input }),
      codeBlock(asText(toolInput)),
    ]);
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

  /** Requests that wait, oldest first; none for somebody who may not see them. */
  async function loadWaiting(): Promise<readonly Waiting[]> {
    if (!isOwner) return [];
    const response = await request("api/v1/approvals");
    if (!response.ok) throw new Error(await problemText(response));
    return ((await response.json()) as { approvals: (Waiting & { state: string })[] }).approvals.filter(
      ({ state }) => state === "open",
    );
  }

  /**
   * Shows a call that waits because of what was just said. The owner answers it here, once all that it is bound to is on the screen; somebody else reads its code.
   */
  async function showRequest(
    asked: { id: string; code: string; name: string },
    body: HTMLElement,
    view?: ReturnType<typeof toolView>,
  ): Promise<void> {
    view?.wait();
    const line = element("p", { class: "muted", text: `${visible(asked.name)}: ${texts.approval} ${asked.code}` });
    follow(() => body.append(line));
    try {
      const waiting = (await loadWaiting()).find(({ id }) => id === asked.id);
      if (waiting && line.isConnected && !carded.has(waiting.id))
        follow(() => line.replaceWith(approvalCard(waiting, view)));
    } catch {
      // The line stays: the request can be answered by its code, and is shown again by a reload.
    }
  }

  function isHere({ session_key: key }: Waiting): boolean {
    return key.endsWith(`:web:direct:${kept.id}`);
  }

  function approvalCard(waiting: Waiting, view?: ReturnType<typeof toolView>): HTMLElement {
    carded.add(waiting.id);
    const { id, code, tool, user } = waiting;
    const title = element("h3", {}, [`${texts.approvalAsked} (${code}): `, element("code", { text: visible(tool) })]);
    const outcome = element("p", { class: "outcome" });
    outcome.setAttribute("role", "status");
    outcome.tabIndex = -1;
    const reason = element("input");
    reason.type = "text";
    reason.maxLength = 2000;
    reason.autocomplete = "off";
    reason.placeholder = texts.denyReason;
    reason.setAttribute("aria-label", texts.denyReason);
    const answers = [
      ["once", texts.approveOnce],
      ["always", texts.approveAlways],
      ["deny", texts.deny],
    ] as const;
    const buttons = answers.map(([answer, label]) => {
      const made = element("button", { text: label, ...(answer === "once" ? {} : { class: "quiet" }) });
      made.type = "button";
      made.addEventListener("click", () => void send(answer));
      return made;
    });
    const card = element("section", { class: "approval" }, [
      title,
      codeBlock(describeCall({ input: waiting.input, boundTo: waiting.bound_to })),
      ...(isHere(waiting) ? [] : [element("p", { class: "asker", text: `${texts.approvalFor} ${visible(user)}` })]),
      element("div", { class: "answers" }, [...buttons, reason]),
      element("p", { class: "hint", text: texts.alwaysHint }),
      outcome,
    ]);
    card.setAttribute("role", "group");
    card.setAttribute("aria-label", `${texts.approvalAsked}: ${visible(tool)}`);

    function setDisabled(now: boolean): void {
      for (const control of [...buttons, reason]) control.disabled = now;
    }

    async function send(answer: (typeof answers)[number][0]): Promise<void> {
      const mine = generation;
      setDisabled(true);
      outcome.textContent = texts.approvalRuns;
      outcome.focus(); // The button that had the focus can have it no more.
      let response: Response;
      try {
        response = await request(`api/v1/approvals/${encodeURIComponent(id)}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            answer,
            wait: isHere(waiting),
            ...(answer === "deny" && reason.value.trim() !== "" && { reason: reason.value.trim() }),
          }),
        });
      } catch {
        outcome.textContent = texts.notReached;
        setDisabled(false);
        return;
      }
      if (!response.ok) {
        // Answered before, too old, or not theirs to answer: no second try can help.
        setDisabled(response.status < 500);
        card.classList.add("failed");
        outcome.textContent = visible(await problemText(response));
        return;
      }
      const answered = (await response.json()) as Answered;
      showAnswered(answered);
      if (mine === generation && answered.reply) showReply(answered.reply);
    }

    function showAnswered({ ok, output, error, outcome: ended }: Answered): void {
      const isDenied = ended?.verdict === "denied";
      const failure = ok || isDenied || !error ? undefined : `${error.code}: ${error.message}`;
      card.classList.add("answered");
      card.classList.toggle("failed", failure !== undefined);
      outcome.textContent = ok ? texts.approvalDone : isDenied ? texts.approvalDenied : texts.approvalFailed;
      if (isDenied && ended?.reason !== undefined) outcome.append(` ${visible(ended.reason)}`);
      view?.end(ok ? output : null, ok ? undefined : (failure ?? texts.approvalDenied));
      if (!ok && failure === undefined) return;
      follow(() =>
        card.append(
          element("h4", { text: ok ? texts.output : texts.error }),
          codeBlock(visible(failure ?? asText(output))),
        ),
      );
    }
    return card;
  }

  /** What the assistant says to the outcome of a call. */
  function showReply({ text, silent, approvals }: NonNullable<Answered["reply"]>): void {
    const body = addMessage("assistant", texts.assistant);
    const view = element("div", { class: "text" });
    if (silent) view.append(element("p", { class: "muted", text: texts.silent }));
    else renderMarkdown(view, text);
    follow(() => body.append(view));
    for (const asked of approvals) void showRequest(asked, body);
    status.textContent = texts.answered;
  }

  /** After a reload: what still waits, wherever it was asked. */
  async function showWaiting(): Promise<void> {
    const mine = generation;
    try {
      const waiting = await loadWaiting();
      if (mine !== generation) return;
      for (const one of waiting) {
        if (carded.has(one.id)) continue;
        const body = addMessage("assistant", texts.assistant);
        follow(() => body.append(approvalCard(one)));
      }
    } catch {
      // The conversation is of use without them, and each can be answered by its code.
    }
  }

  function showTranscript(entries: readonly Entry[]): void {
    log.replaceChildren();
    let assistant: HTMLElement | undefined;
    for (const entry of entries) {
      if (entry.type === "user") {
        addUser(entry.text ?? "");
        assistant = undefined;
      } else if (entry.type === "note") {
        addMessage("note", texts.note).append(element("p", { text: entry.text ?? "" }));
        assistant = undefined;
      } else {
        assistant ??= addMessage("assistant", texts.assistant);
        if (entry.type === "tool") {
          const view = toolView(entry.name ?? "", entry.input);
          if (entry.error) view.end(undefined, `${entry.error.code}: ${entry.error.message}`);
          else if ("output" in entry) view.end(entry.output);
          assistant.append(view.details);
        } else {
          const text = element("div", { class: entry.error ? "text failed" : "text" });
          renderMarkdown(text, entry.text ?? "");
          if (entry.text === "" && !entry.error) text.append(element("p", { class: "muted", text: texts.silent }));
          assistant.append(text);
          assistant = undefined;
        }
      }
    }
    log.scrollTop = log.scrollHeight;
  }

  /** The transcript; `null` when there is none yet. */
  async function loadTranscript(): Promise<readonly Entry[] | null> {
    const response = await request(`api/v1/sessions/${encodeURIComponent(`web:${kept.id}`)}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await problemText(response));
    return ((await response.json()) as { entries: Entry[] }).entries;
  }

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(base + path, { credentials: "same-origin", ...init });
    if (response.status === 401) {
      location.reload(); // Signed out: the server now shows the sign-in form.
      await new Promise(() => {});
    }
    return response;
  }

  async function problemText(response: Response): Promise<string> {
    try {
      const { title, detail } = (await response.json()) as { title?: string; detail?: string };
      return detail ?? title ?? String(response.status);
    } catch {
      return `${response.status} ${response.statusText}`;
    }
  }

  /** Sends the kept pending message (or asks again for its answer: the server runs one id once) and shows what streams back. */
  async function watchAnswer(message: { id: string; text: string }): Promise<void> {
    const mine = generation;
    setBusy(true);
    const body = addMessage("assistant", texts.assistant);
    const giveUp = (text: string) => {
      body.parentElement?.remove(); // Asked again, the answer comes whole.
      setBusy(false);
      showAlert(text, () => void watchAnswer(message));
    };
    let response: Response;
    try {
      response = await request("api/v1/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          id: kept.id,
          messages: [{ id: message.id, role: "user", parts: [{ type: "text", text: message.text }] }],
          trigger: "submit-message",
        }),
      });
    } catch {
      if (mine === generation) giveUp(texts.offline);
      return;
    }
    if (mine !== generation) return;
    if (!response.ok || !response.body) return giveUp(await problemText(response));
    // The connection may break; the turn goes on at the server.
    const shown = await showStream(response.body, body, () => mine === generation).catch(() => ({
      replied: false,
      failure: undefined,
    }));
    if (mine !== generation) return;
    if (!shown.replied) return giveUp(shown.failure ?? texts.offline);
    keep({ id: kept.id, begun: true });
    setBusy(false, texts.answered);
  }

  /** @returns Whether a reply came to its end, else what the server said was wrong, if it did. */
  async function showStream(
    stream: ReadableStream<Uint8Array>,
    body: HTMLElement,
    wanted: () => boolean,
  ): Promise<{ replied: boolean; failure?: string | undefined }> {
    const views = new Map<string, ReturnType<typeof toolView>>();
    const blocks = new Map<string, { view: HTMLElement; markdown: string }>();
    const stale = new Set<string>();
    let failure: string | undefined;
    let replied = false;
    let frame = 0;
    const paint = () => {
      frame = 0;
      follow(() => {
        for (const id of stale) {
          const block = blocks.get(id);
          if (block) renderMarkdown(block.view, block.markdown);
        }
      });
      stale.clear();
    };

    const show = (chunk: Chunk): void => {
      const id = chunk.id ?? "";
      switch (chunk.type) {
        case "text-start": {
          const view = element("div", { class: "text" });
          blocks.set(id, { view, markdown: "" });
          body.append(view);
          return;
        }
        case "text-delta": {
          const block = blocks.get(id);
          if (!block) return;
          block.markdown += chunk.delta ?? "";
          stale.add(id);
          frame ||= requestAnimationFrame(paint);
          return;
        }
        case "tool-input-available": {
          const view = toolView(chunk.toolName ?? "", chunk.input);
          views.set(chunk.toolCallId ?? "", view);
          follow(() => body.append(view.details));
          return;
        }
        case "tool-output-available":
        case "tool-output-error":
          follow(() => views.get(chunk.toolCallId ?? "")?.end(chunk.output, chunk.errorText));
          return;
        case "data-approval": {
          const { id: callId = "", code = "", name = "" } = chunk.data ?? {};
          void showRequest({ id: callId, code, name }, body, views.get(callId));
          return;
        }
        case "error":
          failure = chunk.errorText ?? "";
          return;
        case "finish": {
          const reply = chunk.messageMetadata;
          if (!reply) return; // No reply came of it: the caller says why.
          const text = failure ?? (reply.silent === true && blocks.size === 0 ? texts.silent : undefined);
          const said = [...blocks.values()].some((block) => block.markdown === text);
          const look = failure === undefined ? "muted" : "text failed";
          if (said) for (const block of blocks.values()) block.view.classList.add("failed");
          else if (text !== undefined) follow(() => body.append(element("p", { class: look, text })));
          replied = true;
        }
      }
    };

    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let waiting = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (!wanted()) {
        void reader.cancel();
        return { replied };
      }
      waiting += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const events = waiting.split("\n\n");
      waiting = events.pop() ?? "";
      for (const event of events) {
        if (!event.startsWith("data: ")) continue;
        const data = event.slice("data: ".length);
        if (data === "[DONE]") {
          cancelAnimationFrame(frame);
          paint();
          return { replied, failure };
        }
        show(JSON.parse(data) as Chunk);
      }
      if (done) return { replied };
    }
  }

  function send(): void {
    const text = input.value.trim();
    if (text === "" || busy) return;
    hideAlert();
    const message = { id: newId(), text };
    keep({ id: kept.id, begun: true, pending: message });
    input.value = "";
    fit();
    addUser(text);
    log.scrollTop = log.scrollHeight;
    void watchAnswer(message);
  }

  /** Lets the box grow with its text up to what the style allows. */
  function fit(): void {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  async function open(): Promise<void> {
    if (!kept.begun) return;
    const mine = generation;
    hideAlert();
    let entries: readonly Entry[] | null;
    try {
      entries = await loadTranscript();
    } catch (error) {
      if (mine === generation)
        showAlert(`${texts.notLoaded} ${error instanceof Error ? error.message : ""}`, () => void open());
      return;
    }
    if (mine !== generation) return;
    const { pending } = kept;
    const lastUser = entries?.findLast((entry) => entry.type === "user");
    const answered = entries?.at(-1)?.type === "assistant";
    if (entries && entries.length > 0) {
      // The answer that is still under way is streamed again from its beginning, so what there is of it is not shown twice.
      const until =
        pending && !answered && lastUser?.text === pending.text ? entries.lastIndexOf(lastUser) + 1 : entries.length;
      showTranscript(entries.slice(0, until));
    }
    if (!pending) return;
    if (lastUser?.text === pending.text) {
      if (answered) keep({ id: kept.id, begun: true });
      else void watchAnswer(pending);
    } else {
      // It never arrived: back into the box, so that the person decides.
      keep({ id: kept.id, begun: true });
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
  document.getElementById("new")?.addEventListener("click", () => {
    generation++;
    keep({ id: newId() });
    hideAlert();
    carded.clear();
    log.replaceChildren(...(welcome ? [welcome] : []));
    setBusy(false, texts.started);
    input.focus();
  });
  document.getElementById("sign-out")?.addEventListener("submit", () => {
    try {
      localStorage.removeItem(KEPT_AS);
    } catch {
      // Nothing was kept.
    }
  });
  keep(kept);
  input.focus();
  void open().then(showWaiting);
}

start();
