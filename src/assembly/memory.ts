import type { ContextSource } from "../context/index.ts";
import {
  type ForgetResult,
  type MemoryPart,
  createDays,
  createMemory,
  createMemoryLifecycle,
  createMemoryOfUsers,
  checkId,
  createMemoryPart,
  createReadWriteLock,
  likenessOf,
  loadFlatMigration,
  loadWorkspaceImport,
  openEntries,
} from "../memory/index.ts";
import { type MemoryFlowParts, createMemoryMerges, createRemembering, memorySources } from "../proactive/index.ts";
import { type MemoryUsers, OWNER_MEMORY, type Sessions } from "../session/index.ts";
import { type AnyTool, memoryTools } from "../tools/index.ts";
import type { Ground } from "./ground.ts";

type MemoryGround = Pick<
  Ground,
  "options" | "platform" | "store" | "clock" | "engine" | "events" | "hooks" | "metrics" | "logger" | "redactForModel"
>;

/** What is remembered, by user. */
export type OpenedMemory = Awaited<ReturnType<typeof openMemory>>;

export async function openMemory(
  { options, platform, store, clock, metrics, logger, redactForModel: redact }: MemoryGround,
  users: MemoryUsers,
  timezone: string,
  model: Parameters<typeof createMemoryMerges>[0]["model"],
) {
  const { memory: settings = {} } = options;
  const { yaml } = platform;
  const { entries, hybrid, layered } = await openEntries(settings, { store, clock, yaml, logger, metrics, redact });
  const memory = createMemory({ store, clock, yaml, entries, logger, metrics });
  const timezoneOf = (userId: string) => {
    const known = [userId, ...users.usersOf(userId)].map((user) => options.users?.[user]?.timezone);
    return known.find((zone) => zone !== undefined) ?? timezone;
  };
  const days = createDays({ store, memory: entries, clock, timezoneOf, metrics });
  const summarise = createMemoryMerges({ model, store, clock, redact });
  const lifecycle = createMemoryLifecycle({ store, memory: entries, clock, summarise });
  const ofUsers = createMemoryOfUsers({ memory, days, lifecycle, store, canonicalUser: users.canonicalUser });
  return {
    ofUsers,
    /** How everything of a user is removed. */
    erased: {
      ...ofUsers,
      async forget(userId: string) {
        await entries.forget(userId);
        memory.drop(userId);
      },
      drop: memory.drop,
    },
    entries,
    days,
    lifecycle,
    timezoneOf,
    lock: createReadWriteLock(),
    likeness: hybrid && likenessOf(hybrid),
    async problems() {
      const found = [];
      for await (const userId of memory.users()) {
        const ofEntries = (await layered?.problems(userId)) ?? [];
        for (const { key, line, message } of [...(await memory.problems(userId)), ...ofEntries])
          found.push({ userId, file: key, line, problem: message });
      }
      return found;
    },
    async close(): Promise<void> {
      await memory.close();
      await hybrid?.close();
      await layered?.close();
    },
  };
}

/** What an assistant does with what it remembers: `assistant.memory`, the tools, the parts of prompts, and what flows in and out around turns. */
export interface WiredMemory extends Pick<ReturnType<typeof createRemembering>, "isKey" | "handle" | "recover"> {
  readonly api: MemoryPart;
  readonly tools: Readonly<Record<string, AnyTool>>;
  readonly sources: readonly ContextSource[];
  close(): Promise<void>;
}

/** @param historyTokens Most tokens of history that any prompt shows. */
export function wireMemory(
  ground: MemoryGround,
  opened: OpenedMemory,
  { users, sessions }: { readonly users: MemoryUsers; readonly sessions: Sessions },
  historyTokens: number,
  forget: (userId: string) => Promise<ForgetResult>,
): WiredMemory {
  const { options, platform, store, clock, engine, events, hooks, metrics, logger, redactForModel: redact } = ground;
  const { ofUsers, entries, days, lifecycle, lock, timezoneOf, likeness } = opened;
  const { memoryUserOf } = users;
  const { find: _, ...shown } = ofUsers;
  const settings = options.memory ?? {};
  const { enabled = true, autoRecall = true, autoCapture = true, refresh = {} } = settings;
  const canonicalUser = (userId: string) => users.canonicalUser(checkId("userId", userId));
  const flow: MemoryFlowParts = {
    store,
    engine,
    events,
    clock,
    metrics,
    logger,
    redact,
    sessions,
    memory: ofUsers,
    memoryUserOf,
    options: {
      recallLimit: settings.recall?.limit,
      recallTokens: settings.recall?.maxTokens,
      historyTokens,
      refreshInterval: refresh.interval,
      refreshTokens: refresh.maxTokens,
      autoCaptureDays: settings.autoCaptureDays,
      dedupeThreshold: settings.dedupeThreshold,
    },
    ...(likeness && { likeness }),
  };
  const remembering = createRemembering(
    { flow, hooks, events, days, lifecycle, entries, lock },
    {
      recall: enabled && autoRecall,
      capture: enabled && autoCapture,
      days: enabled,
      flush: enabled && options.compaction?.flush !== false,
    },
  );
  return {
    api: createMemoryPart({
      memory: { ...shown, forget: async (of) => forget(canonicalUser(of?.userId)) },
      store,
      canonicalUser,
      async importFiles(files, { userId }) {
        const { importWorkspace } = await loadWorkspaceImport();
        return importWorkspace(files, { userId, memory: entries, days });
      },
      problems: opened.problems,
    }),
    tools: enabled ? memoryTools({ memory: ofUsers, clock, redact, memoryUserOf }) : {},
    sources: enabled ? memorySources({ memory: ofUsers, users, clock, timezoneOf, redact }) : [],
    isKey: remembering.isKey,
    handle: remembering.handle,
    async recover() {
      await remembering.recover();
      if (settings.store) return;
      const { migrateFlatLayout } = await loadFlatMigration();
      const owner = canonicalUser(OWNER_MEMORY);
      const { yaml } = platform;
      await migrateFlatLayout({ store, memory: entries, days, clock, yaml, logger, canonicalUser, owner });
    },
    async close() {
      await remembering.stop();
      await opened.close();
    },
  };
}
