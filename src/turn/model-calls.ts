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

/** An agent as turns use it; keep the same object from turn to turn. */
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

/** For whom a model is asked. */
export interface Writer {
  /** Of the turn. */
  readonly id: string;
  readonly session: Pick<Session, "key" | "settings">;
  readonly agent: TurnAgent;
  /** As `channel:id`. */
  readonly user: string;
  /** Set for work that nobody asked for just then. */
  readonly purpose?: "job" | "heartbeat" | "memory" | undefined;
  readonly signal: AbortSignal;
  /** Set when somebody watches. */
  readonly tell?: ((event: StreamEvent) => void) | undefined;
}

export interface ModelCallsDeps {
  readonly usage: Pick<UsageRecorder, "check" | "record">;
  readonly modelInfo: ModelInfo | undefined;
  readonly isTracing: Platform["isTracing"];
  /** Tokens that models take of which nothing is known. */
  readonly contextWindow: number;
  /** Where the files are that a prompt shows. */
  readonly artifacts: Pick<Artifacts, "read">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Pick<Tracing, "isOn" | "within">;
}

type AskedModel = Pick<Writer, "agent" | "session">;

/** Model calls: asking within the budget, what they cost, which models rest, and what is known of their windows. */
export type ModelCalls = ReturnType<typeof createModelCalls>;

/** A prompt this small teaches nothing about estimates: a quarter of the window. */
const TEACHING_PART = 1 / 4;
const CHARS_A_TOKEN = 4;

export function createModelCalls(deps: ModelCallsDeps) {
  const { usage, modelInfo, isTracing, contextWindow, clock, logger, metrics, tracing } = deps;
  const coolDowns = createCoolDowns({ clock, metrics });
  const calibration = createCalibration();

  /**
   * The one way to a model: within the budget, counted, and with the session's own model first.
   *
   * @throws {AssistantError} `BUDGET_EXCEEDED`, `MODEL_UNAVAILABLE`, `CONTENT_FILTERED`, `CONTEXT_OVERFLOW`; the reason of the signal.
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
      // The provider counts a call that was cut off, too, and does not say how much.
      const model = firstModel({ agent, session });
      if (isAsked && signal.aborted && model) {
        const cutOff = { inputTokens: estimateCall(call), outputTokens: Math.ceil(heardChars / CHARS_A_TOKEN) };
        usage.record({ model: modelName(model), usage: cutOff, user, sessionKey: session.key, purpose });
      }
      throw error;
    });
  }

  /** Tokens that the first model takes. */
  function windowOf(asked: AskedModel): number {
    const model = firstModel(asked);
    return model ? contextWindowOf(model, { modelInfo, contextWindow }) : contextWindow;
  }

  return {
    ask,
    windowOf,
    /** By how much reports of the first model's provider were over what was estimated. */
    estimateFactor(asked: AskedModel): number {
      const model = firstModel(asked);
      return model ? calibration.factor(modelName(model)) : 1;
    },
    /** What a provider reported teaches how far estimates are off; counted only where it matters. */
    learn(
      asked: AskedModel,
      reported: { readonly model: string; readonly inputTokens: number },
      estimated: () => number,
    ) {
      if (reported.inputTokens < windowOf(asked) * TEACHING_PART) return;
      calibration.learn(reported.model, estimated(), reported.inputTokens);
    },
    /** A prompt that the provider found too long, although it was estimated to fit, was longer than its window. */
    learnOverflow(asked: AskedModel, estimated: number) {
      const model = firstModel(asked);
      const window = windowOf(asked);
      if (model && estimated < window) calibration.learn(modelName(model), estimated, window);
    },
    /** Does the first model take files of such a type? */
    takesFile: async (asked: AskedModel, mediaType: string): Promise<boolean> => {
      const model = firstModel(asked);
      return model !== undefined && (await takesFile(model, modelInfo, mediaType));
    },
    /** Whether the budget is open. */
    budget: () => usage.check(),
  };
}

type OnFailure = Parameters<typeof askModel>[0]["onFailure"];

/** The agent's models, the session's own choice first. One that is not configured any more does not count. */
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

/** The model that answers without a provider, which follows no instructions. */
export function isOffline({ provider }: Pick<ModelObject, "provider">): boolean {
  return provider === "wakeful";
}

/** The agent with those of its models that follow instructions. */
export function withoutOffline(agent: TurnAgent): TurnAgent {
  return { ...agent, models: agent.models.filter((model) => !isOffline(model)) };
}
