import { APICallError, UnsupportedFunctionalityError } from "ai";
import type { ModelObject } from "./fold-stream.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { type ModelInfo, modelFacts } from "./model-info.ts";
import type { ModelCall, PromptMessage } from "./ask-once.ts";

/** Types that a prompt shows directly. Text files are read with a tool. */
const SHOWABLE = /^(image\/(png|jpeg|gif|webp)|application\/pdf)$/;
/** Limits of one prompt; the newest files win. */
const MAX_FILES = 10;
const MAX_BYTES = 15 * 1024 * 1024;
/** Statuses with which servers refuse what they were sent. */
const REFUSALS: readonly unknown[] = [400, 404, 413, 415, 422];
/** Statuses with which servers and their proxies say that they are busy or down, independent of the request. */
const OUTAGES: readonly unknown[] = [502, 503, 504, 529];

/** Why a file is not shown although the model takes such files. */
export const NOT_TAKEN = "the model's server did not take it";

/** Whether a model takes files of this type: as `modelInfo` says, or else the model's object. */
export async function takesFile(model: ModelObject, info: ModelInfo | undefined, mediaType: string): Promise<boolean> {
  if (!SHOWABLE.test(mediaType)) return false;
  const patterns = modelFacts(model, info).files ?? (await takenBy(model));
  return patterns.some(
    (pattern) =>
      pattern === "*" || pattern === "*/*" || pattern === mediaType || `${mediaType.split("/")[0]}/*` === pattern,
  );
}

/** The patterns that the model's object reports. If that fails, none, so that no message fails. */
async function takenBy(model: ModelObject): Promise<readonly string[]> {
  try {
    return Object.keys((await model.supportedUrls) ?? {});
  } catch {
    return [];
  }
}

/**
 * Makes a call with the files of its messages that this model takes. If the server refuses the call,
 * repeats it once without them, because a file in the history must not end the conversation. The answer
 * then lists the files that were left out.
 */
export async function withFiles<T extends object>(
  model: ModelObject,
  info: ModelInfo | undefined,
  call: ModelCall,
  ask: (messages: readonly PromptMessage[]) => Promise<T>,
): Promise<T & { readonly unshown?: readonly string[] }> {
  if (!call.messages.some(({ files }) => files)) return ask(call.messages);
  const whole = await shown(model, info, call);
  if (!whole) return ask(plain(call.messages));
  try {
    return await ask(whole.messages);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const answer = await ask(plain(withoutFiles(call.messages, whole.artifacts)));
    return { ...answer, unshown: [...whole.artifacts] };
  }
}

const plain = (messages: readonly PromptMessage[]) => messages.map(({ role, content }) => ({ role, content }));

/** The files that a call would show if a model took all of them. */
export function filesOf({ messages }: Pick<ModelCall, "messages">): ReadonlySet<string> {
  return new Set(messages.flatMap(({ files = [] }) => files.map(({ artifact }) => artifact)));
}

/**
 * The messages without these files. Each missing file is mentioned, because the model
 * would make up what it does not see.
 */
export function withoutFiles(
  messages: readonly PromptMessage[],
  artifacts: ReadonlySet<string>,
): readonly PromptMessage[] {
  return messages.map((message) => {
    const { files = [], content } = message;
    const gone = files.filter(({ artifact }) => artifacts.has(artifact));
    if (gone.length === 0 || typeof content !== "string") return message;
    const told = gone.map(({ artifact }) => `artifact ${artifact}`).join("; ");
    return {
      ...message,
      content: `${content}\n[not shown: ${told}: ${NOT_TAKEN}]`,
      files: files.filter(({ artifact }) => !artifacts.has(artifact)),
    };
  });
}

/**
 * Whether the server failed, possibly because of a file. It is asked without files after
 * the other models were asked too.
 */
export function isServerFailure(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode ?? 0) >= 500;
}

/** Whether a server failure is an outage, which says nothing about a file. */
export function isOutage(error: unknown): boolean {
  return APICallError.isInstance(error) && OUTAGES.includes(error.statusCode);
}

function isRefusal(error: unknown): boolean {
  if (UnsupportedFunctionalityError.isInstance(error)) return true;
  // Includes a prompt that is too long: shortening the history does not help against a file of a thousand pages.
  return isContextOverflow(error) || (APICallError.isInstance(error) && REFUSALS.includes(error.statusCode));
}

/** @returns `undefined` if there is nothing to show. */
async function shown(
  model: ModelObject,
  info: ModelInfo | undefined,
  { messages, readFile }: ModelCall,
): Promise<{ readonly messages: readonly PromptMessage[]; readonly artifacts: ReadonlySet<string> } | undefined> {
  const artifacts = new Set<string>();
  const built: PromptMessage[] = [];
  let left = MAX_FILES;
  let bytes = 0;
  for (const { role, content, files = [] } of messages.toReversed()) {
    const parts: unknown[] = [];
    for (const { artifact, mediaType } of files.toReversed()) {
      if (left === 0 || !(await takesFile(model, info, mediaType))) continue;
      const data = await readFile?.(artifact);
      if (!data || bytes + data.byteLength > MAX_BYTES) continue;
      bytes += data.byteLength;
      artifacts.add(artifact);
      left -= 1;
      parts.unshift({ type: "file", data, mediaType });
    }
    // Content of people's messages is a single text.
    const spoken = parts.length === 0 ? content : [{ type: "text", text: content }, ...parts];
    built.unshift({ role, content: spoken as PromptMessage["content"] });
  }
  return left === MAX_FILES ? undefined : { messages: built, artifacts };
}
