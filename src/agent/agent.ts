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
  /** One for all agents of an assistant: models that rest are asked last. Default: no model rests. */
  readonly coolDowns?: CoolDowns | undefined;
  /** Told of every failed try. `coolDownMs`: so long the model is asked last. */
  onFailure?(failure: ModelFailure): void;
  /** Told of what each answer cost, also of one that is thrown away later. */
  onUsage?(used: { readonly model: string; readonly usage: Usage }): void;
}

/** One try that failed. */
export interface ModelFailure {
  /** `provider/model`. */
  readonly model: string;
  readonly error: unknown;
  /** Why, in one sentence, and how to mend it where that is known. */
  readonly reason: string;
  /** All models are tried again after so long. */
  readonly retryInMs?: number;
  readonly coolDownMs?: number;
}

/** Waits before all models are tried again, when none answered but a later try may help. */
const RETRY_WAITS_MS = [1000, 4000] as const;
/** A provider that asks for a longer wait than this is not waited for. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Asks the models in order until one answers; one AI SDK call a step, with tools that are only described and never run by the SDK. When none did and a server
 * broke over a prompt with files, they are asked once more without the files.
 * @throws {AssistantError} `MODEL_UNAVAILABLE` when all of them failed; `CONTENT_FILTERED` when the first of those with a key refused the words; `CONTEXT_OVERFLOW` when the prompt is too long for one that should have answered and no
 * model with a larger known window did; the reason of `signal` when that aborted.
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
  /** Set once a server broke over a prompt with files, and nobody else answered. */
  let unshown: readonly string[] | undefined;
  let brokenServers = false;
  /** What later prompts show is for the first model to say: a fallback's server, or an outage, takes no file away from it. */
  const [first] = options.models;
  /** Whenever the first model failed, its server broke. */
  let isFirstsDoing = true;
  /** Neither is asked again in a later round. */
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
      // What a fallback alone refuses is answered once the first model is there again.
      const next = options.models.find((model) => !withoutKey.has(model));
      const code = next && refusing.has(next) ? "CONTENT_FILTERED" : "MODEL_UNAVAILABLE";
      throw new AssistantError(code, `No model answered: ${[...new Set(failures)].join("; ")}`);
    }
    await clock.sleep(waitMs, call.signal);
  }
}

/** The models in their order, those that rest behind the others: they are asked when nobody else answers. */
function restingLast(models: readonly ModelObject[], coolDowns: CoolDowns | undefined): readonly ModelObject[] {
  const resting = coolDowns === undefined ? [] : models.filter((model) => coolDowns.of(model) !== undefined);
  return resting.length === 0 ? models : [...models.filter((model) => !resting.includes(model)), ...resting];
}

/** As far as it is known: a window that nobody told of may be as small. */
function takesMore(model: ModelObject, than: ModelObject, info: ModelInfo | undefined): boolean {
  return (modelFacts(model, info).contextWindow ?? 0) > (modelFacts(than, info).contextWindow ?? Infinity);
}

/** How long to wait before a further round, or `undefined` when another try cannot help or the rounds are used up. */
function retryDelay(error: unknown, round: number): number | undefined {
  const planned = RETRY_WAITS_MS[round];
  if (planned === undefined) return undefined;
  if (!mayPass(error)) return undefined;
  const asked = APICallError.isInstance(error) ? retryAfterMs(error.responseHeaders) : undefined;
  if (asked === undefined) return planned;
  return asked <= MAX_RETRY_AFTER_MS ? Math.max(asked, planned) : undefined;
}
