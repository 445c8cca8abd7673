import { describeCall, visible } from "../../../call-text.ts";
import type { ScriptTexts } from "../texts.ts";
import { asText, button, codeBlock, element } from "./elements.ts";
import type { LogView, ToolView } from "./log-view.ts";
import { renderMarkdown } from "./markdown-view.ts";
import { type Server, json, problemText, whyFailed } from "./server.ts";
import type { Answered, Waiting } from "./wire.ts";

export interface ApprovalParts {
  readonly server: Server;
  readonly log: LogView;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner. Only owners see and answer requests. */
  readonly isOwner: boolean;
  /** Id of the shown conversation. */
  conversation(): string;
  /** Changes with the conversation, so that results for an older one are dropped. */
  generation(): number;
  say(status: string): void;
}

/** Calls that wait for the owner, as cards in the conversation. */
export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals(parts: ApprovalParts) {
  const { server, log, texts, isOwner } = parts;
  const { follow, addMessage } = log;
  /** Requests with a card in the conversation, by id. */
  const carded = new Map<string, ReturnType<typeof approvalCard>>();

  async function loadWaiting(): Promise<readonly Waiting[]> {
    return isOwner ? server.waiting() : [];
  }

  /**
   * Shows a call that waits because of the last message. The owner can answer it here, once everything that it is bound
   * to is shown; other people see its code.
   */
  async function showRequest(
    asked: { id: string; code: string; name: string },
    body: HTMLElement,
    view?: ToolView,
  ): Promise<void> {
    view?.wait();
    const line = element("p", { class: "muted", text: `${visible(asked.name)}: ${texts.approval} ${asked.code}` });
    follow(() => body.append(line));
    try {
      const waiting = (await loadWaiting()).find(({ id }) => id === asked.id);
      if (!waiting || !line.isConnected || carded.has(waiting.id)) return;
      follow(() => line.replaceWith(cardInLog(waiting, view)));
    } catch {
      // Keep the line: the request can be answered by its code, and a reload shows it again.
    }
  }

  function isHere({ session_key: key }: Waiting): boolean {
    return key.endsWith(`:web:direct:${parts.conversation()}`);
  }

  function cardInLog(waiting: Waiting, view?: ToolView): HTMLElement {
    const made = approvalCard(waiting, view);
    carded.set(waiting.id, made);
    return made.card;
  }

  function approvalCard(waiting: Waiting, view?: ToolView) {
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
    const buttons = answers.map(([answer, label]) =>
      button(label, () => void send(answer), answer === "once" ? "" : "quiet"),
    );
    const no = buttons[2];
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
    let isAnswered = false;
    if (waiting.state === "approved") showWaitsForTool();

    /** The request was answered elsewhere, or it expired. */
    function end(): void {
      if (isAnswered) return;
      setDisabled(true);
      card.classList.add("answered");
      outcome.textContent = texts.approvalGone;
    }

    /** The call is approved and can only be denied until it runs. */
    function showWaitsForTool(): void {
      outcome.textContent = texts.approvalWaits;
      setDisabled(true);
      for (const control of [no, reason]) if (control) control.disabled = false;
    }

    function setDisabled(now: boolean): void {
      for (const control of [...buttons, reason]) control.disabled = now;
    }

    async function send(answer: (typeof answers)[number][0]): Promise<void> {
      const mine = parts.generation();
      isAnswered = true;
      setDisabled(true);
      outcome.textContent = texts.approvalRuns;
      outcome.focus(); // The focused button is now disabled.
      let response: Response;
      try {
        response = await server.request(
          `api/v1/approvals/${encodeURIComponent(id)}`,
          json("POST", {
            answer,
            wait: isHere(waiting),
            ...(answer === "deny" && reason.value.trim() !== "" && { reason: reason.value.trim() }),
          }),
        );
      } catch {
        outcome.textContent = texts.notReached;
        isAnswered = false;
        setDisabled(false);
        return;
      }
      if (!response.ok) {
        // Answered before, expired or not permitted: a retry cannot help.
        setDisabled(response.status < 500);
        card.classList.add("failed");
        outcome.textContent = visible(await problemText(response, texts));
        return;
      }
      const answered = (await response.json()) as Answered;
      showAnswered(answered);
      if (mine === parts.generation() && answered.reply) showReply(answered.reply);
    }

    function showAnswered({ ok, state, output, error, outcome: ended }: Answered): void {
      if (state === "approved") return showWaitsForTool();
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
    return {
      card,
      end,
      isInUse: () => !reason.disabled && (reason.value !== "" || card.contains(document.activeElement)),
    };
  }

  /** Shows the assistant's reply to the outcome of a call. */
  function showReply({ text, silent, approvals }: NonNullable<Answered["reply"]>): void {
    const body = addMessage("assistant", texts.assistant);
    const view = element("div", { class: "text" });
    if (silent) view.append(element("p", { class: "muted", text: texts.silent }));
    else renderMarkdown(view, text);
    follow(() => body.append(view));
    for (const asked of approvals) void showRequest(asked, body);
    parts.say(texts.answered);
  }

  /**
   * Shows all waiting requests, wherever they were made, and marks cards whose request no longer waits.
   * @returns The error, if any.
   */
  async function showWaiting(): Promise<string | undefined> {
    const mine = parts.generation();
    try {
      const waiting = await loadWaiting();
      if (mine !== parts.generation()) return undefined;
      for (const [id, { end }] of carded) if (!waiting.some((one) => one.id === id)) end();
      for (const one of waiting) {
        if (carded.has(one.id)) continue;
        const body = addMessage("assistant", texts.assistant);
        follow(() => body.append(cardInLog(one)));
      }
      return undefined;
    } catch (error) {
      return mine === parts.generation() ? whyFailed(error, texts.unreachable) : undefined;
    }
  }

  /** Returns the card of a request, to show it outside the conversation. Contract: never throws. */
  async function cardOf(id: string): Promise<HTMLElement | undefined> {
    const waiting = (await loadWaiting().catch(() => [])).find((one) => one.id === id);
    return waiting && approvalCard(waiting).card;
  }

  /** Clears the conversation's cards. @returns A function that restores the cards in use, unchanged. */
  function clear(): () => void {
    const used = [...carded].filter(([, { isInUse }]) => isInUse());
    carded.clear();
    return () => {
      for (const [id, made] of used) {
        carded.set(id, made);
        addMessage("assistant", texts.assistant).append(made.card);
      }
    };
  }

  return { showRequest, showWaiting, cardOf, clear };
}
