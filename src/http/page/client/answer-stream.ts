import type { ScriptTexts } from "../texts.ts";
import type { Approvals } from "./approvals.ts";
import { element } from "./elements.ts";
import type { LogView, ToolView } from "./log-view.ts";
import { renderMarkdown } from "./markdown-view.ts";
import type { Chunk } from "./wire.ts";

export interface StreamParts {
  readonly log: LogView;
  readonly texts: ScriptTexts;
  readonly approvals: Approvals;
}

/**
 * Shows an answer as it streams.
 *
 * @param wanted Returns false once another conversation is shown.
 * @returns Whether the reply completed, its turn, and the server's error if there was one.
 */
export async function showStream(
  { log, texts, approvals }: StreamParts,
  stream: ReadableStream<Uint8Array>,
  body: HTMLElement,
  wanted: () => boolean,
): Promise<{ replied: boolean; turn?: string | undefined; failure?: string | undefined }> {
  const views = new Map<string, ToolView>();
  const blocks = new Map<string, { view: HTMLElement; markdown: string }>();
  const stale = new Set<string>();
  let failure: string | undefined;
  let replied = false;
  let turn: string | undefined;
  let frame = 0;
  const paint = () => {
    frame = 0;
    log.follow(() => {
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
        const view = log.toolView(chunk.toolCallId ?? "", chunk.toolName ?? "", chunk.input);
        views.set(chunk.toolCallId ?? "", view);
        log.follow(() => body.append(view.details));
        return;
      }
      case "tool-output-available":
      case "tool-output-error":
        log.follow(() => views.get(chunk.toolCallId ?? "")?.end(chunk.output, chunk.errorText));
        return;
      case "data-approval": {
        const { id: callId = "", code = "", name = "" } = chunk.data ?? {};
        void approvals.showRequest({ id: callId, code, name }, body, views.get(callId));
        return;
      }
      case "error":
        failure = chunk.errorText ?? "";
        return;
      case "finish": {
        const reply = chunk.messageMetadata;
        if (!reply) return; // There is no reply; the caller shows the reason.
        const text = failure ?? (reply.silent === true && blocks.size === 0 ? texts.silent : undefined);
        const said = [...blocks.values()].some((block) => block.markdown === text);
        const look = failure === undefined ? "muted" : "text failed";
        if (said) for (const block of blocks.values()) block.view.classList.add("failed");
        else if (text !== undefined) log.follow(() => body.append(element("p", { class: look, text })));
        replied = true;
        turn = reply.turn_id;
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
        return { replied, turn, failure };
      }
      show(JSON.parse(data) as Chunk);
    }
    if (done) return { replied };
  }
}
