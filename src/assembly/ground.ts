import { systemClock, type Clock } from "../clock.ts";
import type { Engine, embeddedEngine } from "../engine/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type EventBus, createEventBus } from "../events/index.ts";
import type { AssistantOptions } from "../options.ts";
import { type HookRegistry, createHookRegistry } from "../proactive/index.ts";
import { type Store, isUnstorage, loadUnstorageStore, memoryStore, requireCaps } from "../store/index.ts";
import {
  type Audit,
  type Logger,
  type Metrics,
  createAudit,
  createMetrics,
  errorLogger,
  redactingLogger,
} from "../telemetry/index.ts";
import { readTokens } from "./people.ts";
import { type Redaction, createRedaction, secretsOfObjects } from "./redaction.ts";

/** What all rooms of an assistant share. */
export interface Ground {
  readonly options: AssistantOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly events: EventBus;
  readonly hooks: HookRegistry;
  readonly metrics: Metrics;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly redact: Redaction["redact"];
  readonly redactForModel: Redaction["redactForModel"];
  readonly addSecrets: Redaction["add"];
  readonly tokens: ReturnType<typeof readTokens>;
}

/** What stands in for a store or an engine that was not given. */
export interface StandIns {
  openStore(given: AssistantOptions["store"], logger: Logger): Promise<Store>;
  readonly embeddedEngine: typeof embeddedEngine;
}

/**
 * @param secrets The values of secret options.
 * @throws {AssistantError} `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 */
export async function createGround(
  options: AssistantOptions,
  secrets: readonly string[],
  standIns?: StandIns,
): Promise<Ground> {
  const clock = options.clock ?? systemClock();
  const tokens = readTokens(options);
  const { redact, redactForModel, add: addSecrets } = createRedaction([...secrets, ...secretsOfObjects(options)]);
  const logger = redactingLogger(options.logger ?? errorLogger, redact);
  // Without stand-ins the types ask for both.
  const store = standIns ? await standIns.openStore(options.store, logger) : (options.store as Store);
  requireCaps(store, { append: true, cas: true }, "Sessions");
  const metrics = createMetrics();
  const audit = createAudit({ store, clock, redact, logger, metrics });
  const events = createEventBus({
    clock,
    metrics,
    onFailure: ({ handler, error }) => logger.error("An event handler failed", { handler, error: messageOf(error) }),
  });
  const hooks = createHookRegistry({ events });
  for (const hook of options.hooks ?? []) hooks.add(hook);
  const engine = (options.engine ??
    standIns?.embeddedEngine({
      store,
      clock,
      onError(error, key) {
        metrics.increment("engine.failure_total", { kind: key?.split(":")[0] ?? "engine" });
        if (!AssistantError.is(error, "STOPPED"))
          logger.error("A handler failed and will run again", { key, error: messageOf(error) });
      },
    })) as Engine;

  return {
    options,
    store,
    clock,
    engine,
    events,
    hooks,
    metrics,
    audit,
    logger,
    redact,
    redactForModel,
    addSecrets,
    tokens,
  };
}

/** @throws {AssistantError} `OPTION_INVALID` for a bare unstorage driver where its library is not at hand. */
export async function openStore(given: AssistantOptions["store"], logger: Logger): Promise<Store> {
  if (given === undefined) return memoryStore();
  if (!isUnstorage(given)) return given;
  const { unstorageStore } = await loadUnstorageStore();
  if (!unstorageStore)
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option store: on Workers a driver of unstorage must be wrapped: unstorageStore(driver, { createStorage })",
    );
  logger.warn(
    "A plain unstorage driver holds for one process and is as safe against crashes as the driver is; fsStore, sqliteStore and redisStore promise more",
  );
  return unstorageStore(given);
}
