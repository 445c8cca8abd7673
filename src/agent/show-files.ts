import { APICallError, UnsupportedFunctionalityError } from "ai";
import type { ModelObject } from "./fold-stream.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { type ModelInfo, modelFacts } from "./model-info.ts";
import type { ModelCall, PromptMessage } from "./ask-once.ts";

/** Types that a prompt shows as they are; what is text is read with a tool. */
const SHOWABLE = /^(image\/(png|jpeg|gif|webp)|application\/pdf)$/;
/** Of one prompt, the newest. */
const MOST_FILES = 10;
const MOST_BYTES = 15 * 1024 * 1024;
/** Statuses with which servers say that they do not want what they were sent. */
const REFUSALS: readonly unknown[] = [400, 404, 413, 415, 422];

/** Is a model shown files of this type? What `modelInfo` says, else what the model's object says that it takes. */
export async function takesFile(model: ModelObject, info: ModelInfo | undefined, mediaType: string): Promise<boolean> {
  if (!SHOWABLE.test(mediaType)) return false;
  const patterns = modelFacts(model, info).files ?? (await takenBy(model));
  return patterns.some(
    (pattern) =>
      pattern === "*" || pattern === "*/*" || pattern === mediaType || `${mediaType.split("/")[0]}/*` === pattern,
  );
}

/** A provider that cannot tell takes none: nobody's message fails for that. */
async function takenBy(model: ModelObject): Promise<readonly string[]> {
  try {
    return Object.keys((await model.supportedUrls) ?? {});
  } catch {
    return [];
  }
}

/**
 * Makes a call with the files of its messages, as far as this model takes them; once more without them when the server refuses the call: a file that stands
 * in the history must not end the conversation.
 */
export async function withFiles<T>(
  model: ModelObject,
  info: ModelInfo | undefined,
  call: ModelCall,
  ask: (messages: readonly PromptMessage[]) => Promise<T>,
): Promise<T> {
  if (!call.messages.some(({ files }) => files)) return ask(call.messages);
  const plain = call.messages.map(({ role, content }) => ({ role, content }));
  const whole = await shown(model, info, call);
  if (!whole) return ask(plain);
  try {
    return await ask(whole);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return ask(plain);
  }
}

function isRefusal(error: unknown): boolean {
  if (UnsupportedFunctionalityError.isInstance(error)) return true;
  // Also a prompt that is too long: no shorter history helps against a file of a thousand pages.
  return isContextOverflow(error) || (APICallError.isInstance(error) && REFUSALS.includes(error.statusCode));
}

/** @returns `undefined` when there is nothing to show. */
async function shown(
  model: ModelObject,
  info: ModelInfo | undefined,
  { messages, readFile }: ModelCall,
): Promise<readonly PromptMessage[] | undefined> {
  const built: PromptMessage[] = [];
  let left = MOST_FILES;
  let bytes = 0;
  for (const { role, content, files = [] } of messages.toReversed()) {
    const parts: unknown[] = [];
    for (const { artifact, mediaType } of files.toReversed()) {
      if (left === 0 || !(await takesFile(model, info, mediaType))) continue;
      const data = await readFile?.(artifact);
      if (!data || bytes + data.byteLength > MOST_BYTES) continue;
      bytes += data.byteLength;
      left -= 1;
      parts.unshift({ type: "file", data, mediaType });
    }
    // What people say is one text.
    const spoken = parts.length === 0 ? content : [{ type: "text", text: content }, ...parts];
    built.unshift({ role, content: spoken as PromptMessage["content"] });
  }
  return left === MOST_FILES ? undefined : built;
}
