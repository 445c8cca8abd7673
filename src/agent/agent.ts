import { APICallError } from "ai";
import { AssistantError, messageOf } from "../errors.ts";
import type { Usage } from "../reply.ts";
import { type AskOptions, type ModelAnswer, type ModelCall, askOnce } from "./ask-once.ts";
import { isContentFiltered } from "./content-filter.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { type CoolDowns, mayPass, retryAfterMs } from "./cool-down.ts";
import type { ModelObject } from "./fold-stream.ts";
import { keyProblem } from "./key-problem.ts";
import { type ModelInfo, modelFacts, modelName } from "./model-info.ts";
import { filesOf, isOutage, isServerFailure, withoutFiles } from "./show-files.ts";

export interface AgentOptions extends AskOptions {
  /** Tried in order. */
  readonly models: readonly ModelObject[];
  /** Shared by all agents of an assistant. Models in a cool-down are asked last. Default: no cool-downs. */
  readonly coolDowns?: CoolDowns | undefined;
  /** Called for every failed try. `coolDownMs`: milliseconds in which the model is asked last. */
  onFailure?(failure: ModelFailure): void;
  /** Called with the cost of each answer, also of one that is discarded later. */
  onUsage?(used: { readonly model: string; readonly usage: Usage }): void;
}

/** A failed try. */
export interface ModelFailure {
  /** `provider/model`. */
  readonly model: string;
  readonly error: unknown;
  /** Why it failed, in one sentence, and how to fix it if known. */
  readonly reason: string;
  /** Milliseconds until all models are tried again. */
  readonly retryInMs?: number;
  readonly coolDownMs?: number;
}

/** Waits before all models are tried again, if none answered but a later try may help. */
const RETRY_WAITS_MS = [1000, 4000] as const;
/** Longest wait that is granted to a provider. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Asks the models in order until one answers. Each step is one AI SDK call whose tools are only
 * described; the SDK never runs them. If none answered and a server failed on a prompt with files, all
 * are asked once more without the files.
 * @throws {AssistantError} `MODEL_UNAVAILABLE` if all models failed. `CONTENT_FILTERED` if the first model with a key
 * refused the words. `CONTEXT_OVERFLOW` if the prompt is too long for a model and no model with a larger known window
 * answered. The reason of `signal` if it aborted.
 */
export async function askModel(options: AgentOptions, call: ModelCall): Promise<ModelAnswer> {
  const { clock, coolDowns, modelInfo, onFailure, onUsage } = options;
  const models = restingLast(options.models, coolDowns);
  const failures: string[] = [];
  let told = false;
  const { onDelta } = call;
  const watching =
    onDelta &&
    ((delta: Parameters<typeof onDelta>[0]) => {
      told = true;
      onDelta(delta);
    });
  let { messages } = call;
  /** Set after a server failed on a prompt with files and no other model answered. */
  let unshown: readonly string[] | undefined;
  let brokenServers = false;
  /**
   * Only the first model decides what later prompts show. A fallback's server, or an outage,
   * must not remove a file from them.
   */
  const [first] = options.models;
  /** Whether every failure of the first model was a server failure other than an outage. */
  let isFirstsDoing = true;
  /** Models in these sets are not asked again in later rounds. */
  const withoutKey = new Set<ModelObject>();
  const refusing = new Set<ModelObject>();
  for (let round = 0; ; round += 1) {
    let waitMs: number | undefined;
    let overflow: { readonly model: ModelObject; readonly error: unknown } | undefined;
    for (const model of models) {
      if (withoutKey.has(model) || refusing.has(model)) continue;
      if (overflow !== undefined && !takesMore(model, overflow.model, modelInfo)) continue;
      const name = modelName(model);
      try {
        const { onDelta: _, ...asked } = { ...call, messages };
        const answer = await askOnce(model, options, watching && !told ? { ...asked, onDelta: watching } : asked);
        coolDowns?.answered(model);
        onUsage?.({ model: name, usage: answer.usage });
        const left = answer.unshown ?? unshown;
        if (left === undefined) return answer;
        const isUnshownForGood = model === first && (answer.unshown !== undefined || isFirstsDoing);
        return { ...answer, unshown: left, isUnshownForGood };
      } catch (error) {
        call.signal.throwIfAborted();
        brokenServers ||= isServerFailure(error);
        if (model === first && (!isServerFailure(error) || isOutage(error))) isFirstsDoing = false;
        const isOverflow = isContextOverflow(error);
        const wrongKey = keyProblem(error);
        const reason = wrongKey ?? messageOf(error);
        if (wrongKey !== undefined) withoutKey.add(model);
        if (isContentFiltered(error)) refusing.add(model);
        if (isOverflow) overflow = { model, error };
        const retryInMs =
          isOverflow || withoutKey.has(model) || refusing.has(model) ? undefined : retryDelay(error, round);
        const coolDownMs = isOverflow ? undefined : coolDowns?.failed(model, error);
        onFailure?.({
          model: name,
          error,
          reason,
          ...(retryInMs !== undefined && { retryInMs }),
          ...(coolDownMs !== undefined && { coolDownMs }),
        });
        failures.push(`${name}: ${reason}`);
        if (retryInMs !== undefined) waitMs = Math.min(waitMs ?? Infinity, retryInMs);
      }
    }
    if (overflow !== undefined) {
      throw new AssistantError(
        "CONTEXT_OVERFLOW",
        `The prompt is longer than ${modelName(overflow.model)} takes: ${messageOf(overflow.error)}`,
        { cause: overflow.error },
      );
    }
    if (waitMs === undefined) {
      const files = filesOf({ messages });
      if (brokenServers && unshown === undefined && files.size > 0) {
        messages = withoutFiles(messages, files);
        unshown = [...files];
        continue;
      }
      // If only a fallback refuses, the message can be answered once the first model is available again.
      const next = options.models.find((model) => !withoutKey.has(model));
      const code = next && refusing.has(next) ? "CONTENT_FILTERED" : "MODEL_UNAVAILABLE";
      throw new AssistantError(code, `No model answered: ${[...new Set(failures)].join("; ")}`);
    }
    await clock.sleep(waitMs, call.signal);
  }
}

/** Moves models in a cool-down to the end, so that they are asked only if no other model answers. */
function restingLast(models: readonly ModelObject[], coolDowns: CoolDowns | undefined): readonly ModelObject[] {
  const resting = coolDowns === undefined ? [] : models.filter((model) => coolDowns.of(model) !== undefined);
  return resting.length === 0 ? models : [...models.filter((model) => !resting.includes(model)), ...resting];
}

/** Whether a model has a larger window, as far as known. An unknown window may be as small. */
function takesMore(model: ModelObject, than: ModelObject, info: ModelInfo | undefined): boolean {
  return (modelFacts(model, info).contextWindow ?? 0) > (modelFacts(than, info).contextWindow ?? Infinity);
}

/** Milliseconds to wait before another round; `undefined` if another try cannot help or no rounds are left. */
function retryDelay(error: unknown, round: number): number | undefined {
  const planned = RETRY_WAITS_MS[round];
  if (planned === undefined) return undefined;
  if (!mayPass(error)) return undefined;
  const asked = APICallError.isInstance(error) ? retryAfterMs(error.responseHeaders) : undefined;
  if (asked === undefined) return planned;
  return asked <= MAX_RETRY_AFTER_MS ? Math.max(asked, planned) : undefined;
}
