import { DEFAULT_CONTEXT_WINDOW, type ModelObject, checkModelInfo, modelName, pricesOf } from "../agent/index.ts";
import type { Clock } from "../clock.ts";
import type { EventBus } from "../events/index.ts";
import type { AssistantOptions } from "../options.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import { createUsage } from "../usage/index.ts";

export interface ModelsParts {
  readonly options: Pick<AssistantOptions, "budget" | "modelInfo" | "context">;
  readonly store: Store;
  readonly clock: Clock;
  readonly timezone: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly events: EventBus;
  /** Of all agents. */
  readonly models: readonly ModelObject[];
}

/** What turns must know of the models: what they used, which of them rest, how large they are, and how far estimates are off. */
export function createModels({ options, store, clock, timezone, metrics, logger, events, models }: ModelsParts) {
  const { budget, modelInfo } = options;
  checkModelInfo(models, modelInfo);
  return {
    modelInfo,
    contextWindow: options.context?.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    usage: createUsage({
      store,
      clock,
      timezone,
      metrics,
      logger,
      events,
      budget,
      ...(modelInfo && { prices: pricesOf(models, modelInfo) }),
      models: models.map(modelName),
    }),
  };
}
