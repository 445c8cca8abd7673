// The page's script, for browsers. `node .ci/page.ts` builds it into client-script.ts, which the server sends.
import { systemClock } from "../../clock.ts";
import type { ScriptTexts } from "./texts.ts";
import { showStream } from "./client/answer-stream.ts";
import { createApprovals } from "./client/approvals.ts";
import { createAttentionView } from "./client/attention-view.ts";
import { createConversationList } from "./client/conversation-list.ts";
import { button, element, find } from "./client/elements.ts";
import {
  type Kept,
  type PendingMessage,
  forgetAtSignOut,
  newId,
  readDraft,
  readKept,
  writeDraft,
  writeKept,
} from "./client/kept.ts";
import { createJobsView } from "./client/jobs-view.ts";
import { createMetricsView } from "./client/metrics-view.ts";
import { createMemoryView } from "./client/memory-view.ts";
import { createSkillsView } from "./client/skills-view.ts";
import { createWorkflowsView } from "./client/workflows-view.ts";
import { createLogView } from "./client/log-view.ts";
import { createToldView } from "./client/told-view.ts";
import { createServer, json, problemText, sessionPath, whyFailed } from "./client/server.ts";
import type { SavedSummary } from "./client/summary-view.ts";
import type { Entry } from "./client/wire.ts";

/** Number of entries shown at first and added per step. */
const PAGE = 200;
/** Maximum number of entries that the server returns. */
const MAX_ENTRIES = 1000;

function start(): void {
  const composer = find("composer", HTMLFormElement);
  const input = find("text", HTMLTextAreaElement);
  const stopButton = find("stop", HTMLButtonElement);
  const status = find("status", HTMLElement);
  const alert = find("alert", HTMLElement);
  const texts = JSON.parse(document.body.dataset["texts"] ?? "{}") as ScriptTexts;
  const isOwner = document.body.dataset["role"] === "owner";
  const base = location.pathname.endsWith("/") ? location.pathname : `${location.pathname}/`;

  let kept = readKept();
  /** Ids of messages whose answers are in progress. */
  const working = new Set<string>();
  /** Ids of turns already shown. A turn that answers several messages is shown once. */
  const shownTurns = new Set<string>();
  /** Messages and turns since the transcript was last read, also from other tabs. */
  const news = new Set<string>();
  let isReading = false;
  /** Incremented when the conversation changes, so that results for an older one are dropped. */
  let generation = 0;
  /** Sequence number of the newest record read, and the person's messages here since then. */
  let readTo = 0;
  let saidHere: readonly string[] = [];
  /** Number of entries requested, now and the last time. */
  let limit = PAGE;
  let shown = PAGE;
  /** Conversations that the person left before their answer was complete. */
  const left = new Map<string, Kept>();

  const say = (text: string) => (status.textContent = text);
  const server = createServer(base, texts);
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

  /** Shows whether an answer is in progress, and shows or hides the stop button. */
  function showWork(said = ""): void {
    const isBusy = working.size > 0;
    if (!isBusy && document.activeElement === stopButton) input.focus();
    stopButton.hidden = !isBusy;
    log.element.setAttribute("aria-busy", String(isBusy));
    say(isBusy ? texts.working : said);
    status.classList.toggle("working", isBusy);
  }

  /** Ends the wait for an answer: it arrived, or the person must ask for it again. */
  function settle({ id }: PendingMessage, said = ""): void {
    working.delete(id);
    showWork(said);
    void catchUp();
  }

  /**
   * Reads the conversation again if it has entries that are not shown. Skipped while an answer streams; one read at a
   * time.
   */
  async function catchUp(id?: string, sessionKey = ""): Promise<void> {
    if (id !== undefined && sessionKey.endsWith(`:web:direct:${kept.id}`)) news.add(id);
    if (working.size > 0 || isReading) return;
    const isBehind = [...news].some((one) => !shownTurns.has(one));
    news.clear();
    if (!isBehind) return;
    isReading = true;
    keep({ ...kept, begun: true });
    await open();
    isReading = false;
    return catchUp();
  }

  async function stop(): Promise<void> {
    say(texts.stopping);
    input.focus();
    try {
      const response = await server.request(`api/v1/chat/${encodeURIComponent(kept.id)}/stream`, { method: "DELETE" });
      if (!response.ok) showAlert(await problemText(response, texts));
    } catch {
      showAlert(texts.offline, () => void stop());
    }
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
    log.follow(() => (alert.hidden = false));
  }

  function hideAlert(): void {
    alert.hidden = true;
    alert.replaceChildren();
  }

  /** Switches to another conversation. An answer in progress continues on the server. */
  function turnTo(next: Kept, said: string): void {
    if (kept.pending?.length) left.set(kept.id, kept);
    left.delete(next.id);
    generation++;
    keep(next);
    hideAlert();
    approvals.clear();
    log.clear();
    list.mark();
    working.clear();
    shownTurns.clear();
    news.clear();
    readTo = 0;
    saidHere = [];
    limit = shown = PAGE;
    showWork(said);
    void open();
  }

  /** Sends a pending message and shows the streamed answer. Sending it again is safe: the server runs an id once. */
  async function watchAnswer(message: PendingMessage): Promise<void> {
    const mine = generation;
    working.add(message.id);
    showWork();
    const body = log.addMessage("assistant", texts.assistant);
    const giveUp = (text: string) => {
      body.parentElement?.remove(); // A retry shows the whole answer again.
      settle(message);
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
    if (!response.ok || !response.body) return giveUp(await problemText(response, texts));
    // The connection may break; the turn goes on at the server.
    const shown = await showStream({ log, texts, approvals }, response.body, body, () => mine === generation).catch(
      () => ({ replied: false, turn: undefined, failure: undefined }),
    );
    if (mine !== generation) return;
    if (!shown.replied) return giveUp(shown.failure ?? texts.offline);
    if (shown.turn !== undefined && shownTurns.has(shown.turn)) body.parentElement?.remove();
    else if (shown.turn !== undefined) shownTurns.add(shown.turn);
    keepPending((kept.pending ?? []).filter(({ id }) => id !== message.id));
    settle(message, texts.answered);
    void list.refresh();
  }

  function keepPending(pending: readonly PendingMessage[]): void {
    keep({ id: kept.id, begun: true, ...(pending.length > 0 && { pending }) });
  }

  function send(): void {
    const text = input.value.trim();
    if (text === "") return;
    hideAlert();
    const before = saidHere.filter((earlier) => earlier === text).length;
    const message = { id: newId(), text, after: readTo, before };
    saidHere = [...saidHere, text];
    keepPending([...(kept.pending ?? []), message]);
    input.value = "";
    fit();
    log.addUser(text);
    log.element.scrollTop = log.element.scrollHeight;
    void watchAnswer(message);
  }

  /** Stores the draft and fits the box to its text, up to the maximum of the style. */
  function fit(): void {
    writeDraft(input.value);
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  /** Replaces the newest summary, unless it differs from the one that the person has read. */
  async function saveSummary(id: string, text: string, seq: number): Promise<SavedSummary> {
    const path = `${sessionPath(id)}/summary`;
    const newestIn = async (response: Response) =>
      ((await response.json()) as { summaries?: readonly { seq: number }[] }).summaries?.at(-1)?.seq ?? seq;
    try {
      if ((await newestIn(await server.request(path))) !== seq) return { wrong: texts.summaryNewer };
      const response = await server.request(path, json("PUT", { text }));
      return response.ok ? { seq: await newestIn(response) } : { wrong: await problemText(response, texts) };
    } catch {
      return { wrong: texts.notSaved };
    }
  }

  /** Shows the conversation from the server. */
  async function read(): Promise<void> {
    if (!kept.begun) return;
    const mine = generation;
    hideAlert();
    let entries: readonly Entry[] | null;
    try {
      entries = await server.transcript(kept.id, limit);
    } catch (error) {
      if (mine === generation)
        showAlert(`${texts.notLoaded} ${whyFailed(error, texts.unreachable)}`, () => void open());
      return;
    }
    if (mine !== generation) return;
    const { id, pending = [] } = kept;
    const known = entries ?? [];
    /** Index of a message in the transcript; -1: it never arrived. Equal texts from before are other messages. */
    const placeOf = ({ text, after = 0, before = 0 }: PendingMessage) =>
      known.flatMap((entry, index) =>
        entry.type === "user" && entry.text === text && entry.seq > after ? [index] : [],
      )[before] ?? -1;
    // Pending messages that arrived are shown from their streams, so the transcript ends before the first of them. A
    // single one whose answer is already the last entry is shown from the transcript.
    const arrived = pending.filter((message) => placeOf(message) !== -1);
    const first = Math.min(...arrived.map(placeOf));
    const isAnswered = arrived.length > 0 && arrived.length === 1 && known.at(-1)?.type === "assistant";
    const until = arrived.length === 0 || isAnswered ? known.length : first;
    if (known.length > 0) {
      const save = isOwner ? (text: string, seq: number) => saveSummary(id, text, seq) : undefined;
      const focused = document.activeElement;
      const wasHere = log.element.contains(focused);
      const putBack = approvals.clear();
      log.showTranscript(known.slice(0, until), { texts, save }, shown < limit);
      putBack();
      shown = limit;
      if (wasHere && focused instanceof HTMLElement && !log.element.contains(document.activeElement))
        (focused.isConnected ? focused : log.element).focus({ preventScroll: true });
      if (document.activeElement === log.earlier) log.element.focus();
      log.earlier.hidden = known.length < limit || limit >= MAX_ENTRIES;
    } else log.clear();
    // A message that never arrived returns to the box, so that the person decides.
    const lost = pending.filter((message) => !arrived.includes(message));
    if (lost.length > 0) {
      input.value = [...lost.map(({ text }) => text), ...(input.value === "" ? [] : [input.value])].join("\n");
      fit();
    }
    readTo = Math.max(readTo, ...known.map(({ seq }) => seq));
    saidHere = [];
    keepPending(isAnswered ? [] : arrived);
    if (isAnswered) return;
    for (const message of arrived) {
      log.addUser(message.text);
      void watchAnswer(message);
    }
  }

  async function showWaiting(): Promise<void> {
    const problem = await approvals.showWaiting();
    if (problem !== undefined && alert.hidden) showAlert(problem, () => void showWaiting());
  }

  /** Shows the conversation, waiting requests and the list. */
  async function open(): Promise<void> {
    void list.refresh();
    await read();
    await showWaiting();
  }

  /** Reads the conversation again, after any answer in progress. */
  function readAgain(): void {
    if (kept.begun) news.add(newId());
    void catchUp();
  }

  log.earlier.addEventListener("click", () => {
    limit += PAGE;
    readAgain();
  });
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
  stopButton.addEventListener("click", () => void stop());
  find("new", HTMLButtonElement).addEventListener("click", () => {
    list.close();
    turnTo({ id: newId() }, texts.started);
    input.focus();
  });
  const signOut = find("sign-out", HTMLFormElement);
  signOut.action = `${base}logout`;
  forgetAtSignOut(signOut);
  keep(kept);
  input.value = readDraft();
  fit();
  input.focus();
  void open();
  void createMemoryView({ server, texts, isOwner }).start();
  void createSkillsView({ server, texts, isOwner }).start();
  createMetricsView({ server, texts, isOwner }).start();
  const clock = systemClock();
  const jobs = createJobsView({ server, texts, isOwner, clock });
  void jobs.start();
  const attention = createAttentionView({ server, texts, isOwner, clock });
  attention.start();
  const workflows = createWorkflowsView({ server, texts, isOwner, requestCard: approvals.cardOf });
  void workflows.start();
  createToldView({
    server,
    texts,
    base,
    listener: {
      onNews(event, sessionKey) {
        attention.refresh();
        if (event === "approval") void showWaiting();
        // A job's message may belong to this conversation.
        else void catchUp(event, sessionKey);
      },
      onTurn: (turn, sessionKey) => void catchUp(turn, sessionKey),
      onJobEnded: jobs.tellEnded,
      onWorkflow: workflows.tell,
      onReturn() {
        readAgain();
        void showWaiting();
        jobs.refresh();
        workflows.refresh();
        attention.refresh();
      },
    },
    say,
    clock,
  }).start();
}

start();
