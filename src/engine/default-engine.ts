import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import { embeddedEngine } from "./embedded.ts";
import type { Engine } from "./port.ts";

export interface DefaultEngineDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
  readonly logger: Pick<Logger, "error">;
}

/**
 * Creates the embedded engine of an assistant without the option `engine`. Failures of handlers are counted and
 * logged.
 */
export function createDefaultEngine({ store, clock, metrics, logger }: DefaultEngineDeps): Engine {
  return embeddedEngine({
    store,
    clock,
    onError(error, key) {
      metrics.increment("engine.failure_total", { kind: key?.split(":")[0] ?? "engine" });
      if (!AssistantError.is(error, "STOPPED"))
        logger.error("A handler failed and will run again", { key, error: messageOf(error) });
    },
  });
}
