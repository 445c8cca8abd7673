import {
  type ModelAnswer,
  type ModelCall,
  type ModelInfo,
  type ModelObject,
  askModel,
  contextWindowOf,
  createCoolDowns,
  modelName,
  pickModels,
  takesFile,
} from "../agent/index.ts";
import type { Artifacts } from "../artifacts/index.ts";
import type { Clock } from "../clock.ts";
import { createCalibration, estimateCall } from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import type { StreamEvent } from "../reply.ts";
import type { Session } from "../session/index.ts";
import { type Logger, type Metrics, type Tracing, chatOutcome, chatSpan, leftOut } from "../telemetry/index.ts";
import type { UsageRecorder } from "../usage/index.ts";

/** Model calls that a turn may take. */
export const DEFAULT_MAX_STEPS = 20;
export const DEFAULT_MAX_TURN_SECONDS = 300;

/** An agent as turns use it. Keep the same object from turn to turn. */
export interface TurnAgent {
  readonly id: string;
  readonly name?: string | undefined;
  readonly instructions?: string | undefined;
  readonly models: readonly ModelObject[];
  readonly modelTimeoutMs?: number | undefined;
  /** Model calls in one turn. */
  readonly maxSteps: number;
  readonly maxTurnSeconds: number;
}

/** The turn or work for which a model is asked. */
export interface Writer {
  /** The turn's id. */
  readonly id: string;
  readonly session: Pick<Session, "key" | "settings">;
  readonly agent: TurnAgent;
  /** `channel:id`. */
  readonly user: string;
  /** Set for work that no person asked for at this moment. */
  readonly purpose?: "job" | "heartbeat" | "memory" | undefined;
  readonly signal: AbortSignal;
  /** Set if the turn has a watcher. */
  readonly tell?: ((event: StreamEvent) => void) | undefined;
}

export interface ModelCallsDeps {
  readonly usage: Pick<UsageRecorder, "check" | "record">;
  readonly modelInfo: ModelInfo | undefined;
  readonly isTracing: Platform["isTracing"];
  /** Context window of unknown models, in tokens. */
  readonly contextWindow: number;
  /** Reads the files that a prompt shows. */
  readonly artifacts: Pick<Artifacts, "read">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Pick<Tracing, "isOn" | "within">;
}

type AskedModel = Pick<Writer, "agent" | "session">;

/** Calls models: checks the budget, counts usage, tracks cool-downs, and knows context windows. */
export type ModelCalls = ReturnType<typeof createModelCalls>;

/** Share of the window above which a prompt corrects the token estimates. A smaller prompt shows nothing. */
const TEACHING_PART = 1 / 4;
const CHARS_A_TOKEN = 4;

export function createModelCalls(deps: ModelCallsDeps) {
  const { usage, modelInfo, isTracing, contextWindow, clock, logger, metrics, tracing } = deps;
  const coolDowns = createCoolDowns({ clock, metrics });
  const calibration = createCalibration();

  /**
   * The only way to a model: checks the budget, counts usage, and asks the session's own model first.
   *
   * @throws {AssistantError} `BUDGET_EXCEEDED`, `MODEL_UNAVAILABLE`, `CONTENT_FILTERED`,
   * `CONTEXT_OVERFLOW`; the reason of the signal.
   */
  function ask(
    { id, session, agent, user, purpose, signal, tell }: Writer,
    call: Pick<ModelCall, "instructions" | "messages" | "tools" | "toolChoice">,
  ): Promise<ModelAnswer> {
    const budget = usage.check();
    if (!budget.ok) throw new AssistantError("BUDGET_EXCEEDED", budget.reason);
    const options = {
      models: modelsOf(agent, session),
      clock,
      modelInfo,
      isTracing,
      coolDowns,
      ...(agent.modelTimeoutMs === undefined ? {} : { modelTimeoutMs: agent.modelTimeoutMs }),
      onFailure({ model, reason, retryInMs, coolDownMs }: Parameters<NonNullable<OnFailure>>[0]) {
        metrics.increment("model.failure_total", { model });
        logger.warn("A model did not answer", { turn: id, model, error: reason, retryInMs, coolDownMs });
      },
      onUsage: (used: { readonly model: string; readonly usage: ModelAnswer["usage"] }) =>
        usage.record({ ...used, user, sessionKey: session.key, purpose }),
    };
    const isAsked = !signal.aborted;
    let heardChars = 0;
    const asked: ModelCall = {
      ...call,
      signal,
      async readFile(id) {
        const content = (await deps.artifacts.read(session.key, id).catch(leftOut(logger)))?.content;
        return content instanceof Uint8Array ? content : undefined;
      },
      ...(tell && {
        onDelta({ type, text }: { readonly type: string; readonly text: string }) {
          heardChars += text.length;
          if (type === "text") tell({ type: "text-delta", text });
        },
      }),
    };
    const answering = () => askModel(options, asked);
    const about = { turnId: id, sessionKey: session.key, model: options.models[0] };
    const answer = tracing.isOn() ? tracing.within(chatSpan(about), answering, chatOutcome) : answering();
    return answer.catch((error: unknown) => {
      // The provider bills an aborted call too but reports no usage, so it is estimated.
      const model = firstModel({ agent, session });
      if (isAsked && signal.aborted && model) {
        const cutOff = { inputTokens: estimateCall(call), outputTokens: Math.ceil(heardChars / CHARS_A_TOKEN) };
        usage.record({ model: modelName(model), usage: cutOff, user, sessionKey: session.key, purpose });
      }
      throw error;
    });
  }

  /** Context window of the first model, in tokens. */
  function windowOf(asked: AskedModel): number {
    const model = firstModel(asked);
    return model ? contextWindowOf(model, { modelInfo, contextWindow }) : contextWindow;
  }

  return {
    ask,
    windowOf,
    /** Factor by which the first model's provider reported more tokens than were estimated. */
    estimateFactor(asked: AskedModel): number {
      const model = firstModel(asked);
      return model ? calibration.factor(modelName(model)) : 1;
    },
    /** Corrects the estimates by what a provider reported. `estimated` is called only for large prompts. */
    learn(
      asked: AskedModel,
      reported: { readonly model: string; readonly inputTokens: number },
      estimated: () => number,
    ) {
      if (reported.inputTokens < windowOf(asked) * TEACHING_PART) return;
      calibration.learn(reported.model, estimated(), reported.inputTokens);
    },
    /** Corrects the estimates after an overflow: a prompt that was estimated to fit was longer than the window. */
    learnOverflow(asked: AskedModel, estimated: number) {
      const model = firstModel(asked);
      const window = windowOf(asked);
      if (model && estimated < window) calibration.learn(modelName(model), estimated, window);
    },
    /** Whether the first model takes files of this type. */
    takesFile: async (asked: AskedModel, mediaType: string): Promise<boolean> => {
      const model = firstModel(asked);
      return model !== undefined && (await takesFile(model, modelInfo, mediaType));
    },
    /** The state of the budget. */
    budget: () => usage.check(),
  };
}

type OnFailure = Parameters<typeof askModel>[0]["onFailure"];

/** The agent's models, the session's choice first. A choice that is no longer configured is ignored. */
function modelsOf(agent: TurnAgent, { settings }: AskedModel["session"]): readonly ModelObject[] {
  if (!settings.model) return agent.models;
  try {
    return pickModels(agent.models, settings.model);
  } catch {
    return agent.models;
  }
}

/** The model that a session asks first. */
export function firstModel({ agent, session }: AskedModel): ModelObject | undefined {
  return modelsOf(agent, session)[0];
}

/** Whether this is the offline model, which needs no provider and follows no instructions. */
export function isOffline({ provider }: Pick<ModelObject, "provider">): boolean {
  return provider === "wakeful";
}

/** The agent without the offline model. */
export function withoutOffline(agent: TurnAgent): TurnAgent {
  return { ...agent, models: agent.models.filter((model) => !isOffline(model)) };
}
