import { AssistantError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type UnstorageDriver, type UnstorageStorage, isUnstorage } from "./is-unstorage.ts";
import { memoryStore } from "./memory.ts";
import type { Store } from "./port.ts";
import { requireCaps } from "./requirements.ts";
import { unstorageStore } from "./unstorage.ts";

export interface OpenStoreDeps {
  readonly platform: Pick<Platform, "load" | "probe">;
  readonly logger: { warn(message: string): void };
}

/**
 * Opens the store of the sessions from the option `store`.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a bare unstorage driver if the library that opens it is not
 * available; `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 */
export async function openStore(
  given: Store | UnstorageStorage | UnstorageDriver | undefined,
  deps: OpenStoreDeps,
): Promise<Store> {
  const store = await opened(given, deps);
  requireCaps(store, { append: true, cas: true }, "Sessions");
  return store;
}

async function opened(
  given: Store | UnstorageStorage | UnstorageDriver | undefined,
  { platform, logger }: OpenStoreDeps,
): Promise<Store> {
  if (given === undefined) return memoryStore();
  if (!isUnstorage(given)) return given;
  if (!("mount" in given) && (await platform.probe("unstorage")) === null)
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option store: on Workers a driver of unstorage must be wrapped: unstorageStore(driver, { createStorage })",
    );
  logger.warn(
    "A plain unstorage driver serves one process and is as safe against crashes as the driver is; fsStore, sqliteStore and redisStore promise more",
  );
  return unstorageStore(given, {}, platform.load);
}
