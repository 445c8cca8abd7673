import { systemClock, type Clock } from "../clock.ts";
import { type Engine, embeddedEngine } from "../engine/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type EventBus, createEventBus } from "../events/index.ts";
import type { AssistantOptions } from "../options.ts";
import type { Platform } from "../platform.ts";
import { type HookRegistry, createHookRegistry } from "../proactive/index.ts";
import { type Store, isUnstorage, memoryStore, requireCaps, unstorageStore } from "../store/index.ts";
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
  readonly platform: Omit<Platform, "shellParser">;
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

/**
 * @param secrets The values of secret options.
 * @throws {AssistantError} `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 */
export async function createGround(
  options: AssistantOptions,
  secrets: readonly string[],
  platform: Ground["platform"],
): Promise<Ground> {
  const clock = options.clock ?? systemClock(platform);
  const tokens = readTokens(options);
  const { redact, redactForModel, add: addSecrets } = createRedaction([...secrets, ...secretsOfObjects(options)]);
  const logger = redactingLogger(options.logger ?? errorLogger, redact);
  const store = await openStore(options.store, platform, logger);
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
  const engine =
    options.engine ??
    embeddedEngine({
      store,
      clock,
      onError(error, key) {
        metrics.increment("engine.failure_total", { kind: key?.split(":")[0] ?? "engine" });
        if (!AssistantError.is(error, "STOPPED"))
          logger.error("A handler failed and will run again", { key, error: messageOf(error) });
      },
    });

  return {
    options,
    platform,
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

/** @throws {AssistantError} `OPTION_INVALID` for a bare unstorage driver where the library that opens it is not at hand. */
async function openStore(
  given: AssistantOptions["store"],
  platform: Pick<Platform, "load" | "probe">,
  logger: Logger,
): Promise<Store> {
  if (given === undefined) return memoryStore();
  if (!isUnstorage(given)) return given;
  if (!("mount" in given) && (await platform.probe("unstorage")) === null)
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option store: on Workers a driver of unstorage must be wrapped: unstorageStore(driver, { createStorage })",
    );
  logger.warn(
    "A plain unstorage driver holds for one process and is as safe against crashes as the driver is; fsStore, sqliteStore and redisStore promise more",
  );
  return unstorageStore(given, {}, platform.load);
}
