import { type ModelAnswer, type ModelCall, type ModelObject, askModel, modelName, pickModels } from "../agent/index.ts";
import { estimateCall } from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import type { Peer } from "../message.ts";
import type { StreamEvent } from "../reply.ts";
import type { Session } from "../session/index.ts";
import type { TurnAgent, TurnParts } from "./parts.ts";

/** For whom a model is asked. */
export interface Asking {
  /** Of the turn. */
  readonly id: string;
  readonly session: Session;
  readonly agent: TurnAgent;
  /** As `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
  /** Tools that may not be called there although the policy would let it. */
  readonly excludedTools: readonly string[];
  readonly signal: AbortSignal;
  /** Set when somebody watches. */
  readonly tell?: ((event: StreamEvent) => void) | undefined;
}

/** For whom a model is asked, when only the answer matters. */
export interface Writer extends Pick<Asking, "id" | "agent" | "user" | "signal" | "tell"> {
  readonly session: Pick<Session, "key" | "settings">;
}

/** What asking a model takes. */
export type AskParts = Pick<
  TurnParts,
  "attachments" | "usage" | "modelInfo" | "textProtocol" | "coolDowns" | "clock" | "metrics" | "logger"
>;

/**
 * The one way to a model: within the budget, counted, and with the session's own model first.
 *
 * @throws {AssistantError} `BUDGET_EXCEEDED`, `MODEL_UNAVAILABLE`, `CONTEXT_OVERFLOW`; the reason of the signal.
 */
export function ask(
  parts: AskParts,
  { id, session, agent, user, signal, tell }: Writer,
  call: Pick<ModelCall, "instructions" | "messages" | "tools" | "toolChoice">,
): Promise<ModelAnswer> {
  const { usage, modelInfo, textProtocol, coolDowns, clock, metrics, logger } = parts;
  const budget = usage.check();
  if (!budget.ok) throw new AssistantError("BUDGET_EXCEEDED", budget.reason);
  const options = {
    models: modelsOf(agent, session),
    clock,
    modelInfo,
    textProtocol,
    coolDowns,
    ...(agent.modelTimeoutMs === undefined ? {} : { modelTimeoutMs: agent.modelTimeoutMs }),
    onFailure({ model, reason, retryInMs, coolDownMs }: Parameters<NonNullable<Failure>>[0]) {
      metrics.increment("model.failure_total", { model });
      logger.warn("A model did not answer", { turn: id, model, error: reason, retryInMs, coolDownMs });
    },
    onUsage: (used: { readonly model: string; readonly usage: ModelAnswer["usage"] }) =>
      usage.record({ ...used, user, sessionKey: session.key }),
  };
  const isAsked = !signal.aborted;
  let heardChars = 0;
  const answer = askModel(options, {
    ...call,
    signal,
    readFile: async (id) => {
      const content = (await parts.attachments.artifacts.read(session.key, id))?.content;
      return content instanceof Uint8Array ? content : undefined;
    },
    ...(tell && {
      onDelta({ type, text }: { readonly type: string; readonly text: string }) {
        heardChars += text.length;
        if (type === "text") tell({ type: "text-delta", text });
      },
    }),
  });
  return answer.catch((error: unknown) => {
    // The provider counts a call that was cut off, too, and does not say how much.
    const model = firstModel(agent, session);
    if (isAsked && signal.aborted && model) {
      const cutOff = { inputTokens: estimateCall(call), outputTokens: Math.ceil(heardChars / CHARS_A_TOKEN) };
      usage.record({ model: modelName(model), usage: cutOff, user, sessionKey: session.key });
    }
    throw error;
  });
}

const CHARS_A_TOKEN = 4;

type Failure = Parameters<typeof askModel>[0]["onFailure"];

/** The agent's models, the session's own choice first. One that is not configured any more does not count. */
export function modelsOf(agent: TurnAgent, { settings }: Pick<Session, "settings">): readonly ModelObject[] {
  if (!settings.model) return agent.models;
  try {
    return pickModels(agent.models, settings.model);
  } catch {
    return agent.models;
  }
}

/** As `provider/model`: the one that a session asks first. */
export function firstModel(agent: TurnAgent, session: Pick<Session, "settings">): ModelObject | undefined {
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
