import type { Clock } from "../clock.ts";
import type { ContextSource } from "../context/index.ts";
import type { Engine } from "../engine/index.ts";
import { AssistantError } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import type { MemoryPart } from "../http/index.ts";
import {
  type Embedder,
  type ForgetResult,
  type HybridMemoryStore,
  type LayeredStore,
  type LifecycleParts,
  type Memory,
  type MemoryApi,
  type MemoryStore,
  type ReadWriteLock,
  atMost,
  checkId,
  createDays,
  createLayeredStore,
  createMemory,
  createMemoryLifecycle,
  createReadWriteLock,
  forgetLines,
  loadFlatMigration,
  loadSemanticMemory,
  loadWorkspaceImport,
} from "../memory/index.ts";
import { createMemoryPart } from "./memory-part.ts";
import { memorySources } from "./memory-sources.ts";
import type { AssistantOptions, MemoryOptions } from "../options.ts";
import {
  type HookRegistry,
  type MemoryFlowParts,
  RECALL_OPTIONS,
  REFRESH_OPTIONS,
  createDailySummary,
  createMemoryCapture,
  endCapture,
  iterationRefresh,
  memoryRecall,
  subscribeMemoryFlush,
} from "../proactive/index.ts";
import { type MemoryUsers, OWNER_MEMORY, type Sessions } from "../session/index.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics, ModelRedactor } from "../telemetry/index.ts";
import { type AnyTool, memoryTools } from "../tools/index.ts";

export interface MemoryRoomParts {
  readonly options: AssistantOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Pick<Engine, "wake">;
  readonly events: EventBus;
  readonly hooks: HookRegistry;
  readonly sessions: Sessions;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly redact: ModelRedactor;
  readonly users: MemoryUsers;
  readonly timezone: string;
  /** Most tokens of history that any prompt shows. */
  readonly historyTokens: number;
  /** What a model makes of memories that say nearly the same. Default: their union. */
  readonly summarise?: LifecycleParts["summarise"];
  /** Removes everything of a person, here and in the other rooms. */
  forget(userId: string): Promise<ForgetResult>;
}

/** So long a stop waits for what the last turns left to keep. */
const MOST_AT_END_MS = 2000;

/** What an assistant remembers, wired: the API, the tools, the parts of prompts, and what flows in and out around turns. */
export interface MemoryRoom {
  readonly api: MemoryPart;
  /** Besides `api`, how everything of a user is removed. */
  readonly whole: Omit<MemoryApi, "forget"> & Pick<MemoryStore, "forget"> & Pick<Memory, "drop">;
  readonly tools: Readonly<Record<string, AnyTool>>;
  readonly sources: readonly ContextSource[];
  /** Captures and digests share it; what must be alone with the memory holds it exclusively. */
  readonly lock: ReadWriteLock;
  isKey(key: string): boolean;
  handle(key: string, signal: AbortSignal): Promise<void>;
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** @throws {AssistantError} `OPTION_INVALID` for an embedding model where nothing loads what it needs. */
export async function createMemoryRoom(parts: MemoryRoomParts): Promise<MemoryRoom> {
  const { options, store, clock, events, hooks, metrics, logger, users, timezone } = parts;
  const settings = options.memory ?? {};
  const { enabled = true, autoRecall = true, autoCapture = true, refresh = {} } = settings;
  const { entries, hybrid, layered } = await openEntries(settings, {
    store,
    clock,
    logger,
    metrics,
    redact: parts.redact,
  });
  const memory = createMemory({ store, clock, entries, logger, metrics });
  const timezoneOf = (userId: string) => {
    const known = [userId, ...users.usersOf(userId)].map((user) => options.users?.[user]?.timezone);
    return known.find((zone) => zone !== undefined) ?? timezone;
  };
  const days = createDays({ store, memory: entries, clock, timezoneOf, metrics });
  const lifecycle = createMemoryLifecycle({ store, memory: entries, clock, summarise: parts.summarise });

  const canonicalUser = (userId: string) => users.canonicalUser(checkId("userId", userId));
  const lock = createReadWriteLock();
  const api: MemoryApi = {
    recall: async (query) => memory.recall({ ...query, userId: canonicalUser(query?.userId) }),
    save: async (entry, given) => memory.save({ ...entry, userId: canonicalUser(entry?.userId) }, given),
    get: async (userId, id) => memory.get(canonicalUser(userId), id),
    list: (userId, given) => memory.list(canonicalUser(userId), given),
    update: async (userId, id, change) => memory.update(canonicalUser(userId), id, change),
    remove,
    archive: async (userId, ids) => memory.archive(canonicalUser(userId), ids),
    restore: async (userId, ids) => memory.restore(canonicalUser(userId), ids),
    users: () => memory.users(),
    counts: async (userId) => memory.counts(canonicalUser(userId)),
    read: async (userId, file) => memory.read(canonicalUser(userId), file),
    digest: async (of) => days.digest({ ...of, userId: canonicalUser(of?.userId) }),
    extract: async (of) => days.extract({ userId: canonicalUser(of?.userId) }),
    async tidy({ userId, onProgress } = {}) {
      const given = onProgress ? { onProgress } : {};
      if (userId === undefined) return lifecycle.tidyAll(given);
      return [await lifecycle.tidy({ ...given, userId: canonicalUser(userId) })];
    },
    forget: async (of) => parts.forget(canonicalUser(of?.userId)),
  };

  /** Also what stands for these entries in MEMORY.md and in digests; lines by their ids too. */
  async function remove(given: string, ids: readonly string[]): Promise<number> {
    const userId = canonicalUser(given);
    const known = await Promise.all(ids.map((id) => memory.get(userId, id)));
    const removed = await memory.remove(userId, ids);
    const texts = known.flatMap((entry) => (entry ? [entry.content] : []));
    const lines = await forgetLines({ store }, userId, { ids, texts });
    memory.drop(userId);
    return removed + lines.size;
  }

  const flow: MemoryFlowParts = {
    ...parts,
    memory: { ...api, find: (query) => memory.find({ ...query, userId: canonicalUser(query.userId) }) },
    memoryUserOf: users.memoryUserOf,
    options: {
      recallLimit: settings.recall?.limit,
      recallTokens: settings.recall?.maxTokens,
      historyTokens: parts.historyTokens,
      refreshInterval: refresh.interval,
      refreshTokens: refresh.maxTokens,
      autoCaptureDays: settings.autoCaptureDays,
      dedupeThreshold: settings.dedupeThreshold,
    },
    ...(hybrid && { likeness: likenessOf(hybrid) }),
  };
  const capture = enabled && autoCapture ? createMemoryCapture(flow) : undefined;
  if (enabled && autoRecall) {
    hooks.add(memoryRecall(flow), RECALL_OPTIONS);
    hooks.add(iterationRefresh(flow), REFRESH_OPTIONS);
  }
  if (capture) hooks.add(capture.hook);
  const summary = enabled
    ? createDailySummary({ ...parts, days, lifecycle, memory: entries, memoryUserOf: users.memoryUserOf })
    : undefined;
  if (summary) hooks.add(summary.hook);
  if (enabled && options.compaction?.flush !== false) subscribeMemoryFlush(events, flow);

  return {
    api: createMemoryPart({
      memory: api,
      store,
      canonicalUser,
      async importFiles(files, { userId }) {
        const { importWorkspace } = await loadWorkspaceImport();
        if (importWorkspace) return importWorkspace(files, { userId, memory: entries, days });
        throw new AssistantError(
          "NOT_FOUND",
          "This bundle leaves out the import of workspaces: import where Node, Bun or Deno runs",
        );
      },
      problems: async () => {
        const found = [];
        for await (const userId of memory.users()) {
          const ofEntries = (await layered?.problems(userId)) ?? [];
          for (const { key, line, message } of [...(await memory.problems(userId)), ...ofEntries])
            found.push({ userId, file: key, line, problem: message });
        }
        return found;
      },
    }),
    whole: {
      ...api,
      async forget(userId) {
        await entries.forget(userId);
        memory.drop(userId);
      },
      drop: (userId) => memory.drop(userId),
    },
    tools: enabled
      ? memoryTools({
          memory: api,
          clock,
          redact: parts.redact,
          memoryUserOf: users.memoryUserOf,
        })
      : {},
    sources: enabled ? memorySources({ memory, users, clock, timezoneOf, redact: parts.redact }) : [],
    lock,
    // A wake of what is off now is taken and comes to nothing.
    isKey: (key) => key.startsWith("memory:"),
    handle: (key, signal) =>
      lock.shared(async () => {
        if (capture?.isKey(key)) await capture.handle(key, signal);
        if (summary?.isKey(key)) await summary.handle(key, signal);
      }),
    async recover() {
      await (capture ? capture.recover() : endCapture(store));
      if (settings.store) return;
      const { migrateFlatLayout } = await loadFlatMigration();
      const owner = canonicalUser(OWNER_MEMORY);
      await migrateFlatLayout?.({ store, memory: entries, days, clock, logger, canonicalUser, owner });
    },
    async close() {
      summary?.stop();
      // What fails or takes longer is done after the next start: its wake stands.
      if (capture) {
        const over = new AbortController();
        const finished = lock.shared(() => capture.finish(over.signal));
        await atMost(
          MOST_AT_END_MS,
          finished.catch(() => {}),
          clock,
        );
        over.abort();
      }
      await memory.close();
      await hybrid?.close();
      await layered?.close();
    },
  };
}

/** Where entries are kept and found: as files unless the host brings a store of its own, and by meaning too where there is an embedding model. */
async function openEntries(
  settings: MemoryOptions,
  { redact, ...parts }: Pick<MemoryRoomParts, "store" | "clock" | "logger" | "metrics" | "redact">,
): Promise<{
  readonly entries: MemoryStore;
  readonly hybrid?: HybridMemoryStore;
  readonly layered?: LayeredStore;
}> {
  const layered = settings.store ? undefined : createLayeredStore(parts);
  const base = settings.store ?? layered!;
  const own = layered ? { layered } : {};
  const { embedder, fusion, alpha, k, minSimilarity, recall } = settings;
  if (!embedder) return { entries: base, ...own };
  const make = settings.semantic ?? (await loadSemanticMemory()).hybridMemoryStore;
  if (!make) {
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option memory.embedder: on Workers the option memory.semantic must be semanticMemory from wakeful/memory/semantic",
    );
  }
  const timeoutMs = recall?.timeoutMs;
  // What people wrote by hand may hold secrets.
  const shown: Embedder = {
    provider: embedder.provider,
    modelId: embedder.modelId,
    get maxEmbeddingsPerCall() {
      return embedder.maxEmbeddingsPerCall;
    },
    doEmbed: ({ values, ...how }) => embedder.doEmbed({ ...how, values: redact(values) }),
  };
  const hybrid = make({ ...parts, entries: base, embedder: shown, fusion, alpha, k, minSimilarity, timeoutMs });
  return { entries: hybrid, hybrid, ...own };
}

function likenessOf(hybrid: HybridMemoryStore): NonNullable<MemoryFlowParts["likeness"]> {
  return async (text, entries) => {
    const [first] = entries;
    const least = first && (await hybrid.duplicateSimilarity(first.userId));
    if (least === undefined) return undefined;
    const ids = entries.map(({ id }) => id);
    const found = await hybrid.similarities(first!.userId, text, ids);
    return { least, of: ({ id }) => found.get(id) };
  };
}
