import type { Access } from "../access/index.ts";
import { createApprovalErasure } from "../approvals/index.ts";
import { type Artifacts, createArtifactErasure } from "../artifacts/index.ts";
import { createBelongingErasure } from "../belonging/index.ts";
import type { Erasable, Exportable, Named } from "../erasable/index.ts";
import { createConversations, createEraser, createErasure, createPersonExport } from "../erasure/index.ts";
import { type MemoryApi, type MemoryStore, createMemoryErasure } from "../memory/index.ts";
import type { Engine } from "../engine/index.ts";
import type { Clock } from "../clock.ts";
import type { Store } from "../store/index.ts";
import { createOutboxErasure } from "../outbox/index.ts";
import type { PeopleNotes } from "../people/index.ts";
import { createCaptureErasure, createLearningErasure } from "../proactive/index.ts";
import { type MemoryUsers, type Sessions, createSessionErasure } from "../session/index.ts";
import { type Audit, type Logger, type Redactor, createAuditErasure } from "../telemetry/index.ts";
import { createToolErasure } from "../tools/index.ts";
import { type UsageRecorder, createUsageErasure } from "../usage/index.ts";

/** The rooms that store something about people and need more than the store. */
export interface ErasedRooms {
  readonly sessions: Sessions;
  readonly users: MemoryUsers;
  readonly memory: Pick<MemoryApi, "counts" | "list" | "remove" | "users"> &
    Pick<MemoryStore, "forget"> & { drop(userId: string): void };
  readonly artifacts: Artifacts;
  readonly access: Access;
  readonly usage: UsageRecorder;
  readonly notes: Erasable & Exportable & Pick<PeopleNotes, "forgetLines">;
  readonly persona: Erasable & Exportable;
  readonly notifications: Erasable & Exportable;
  readonly attention: Erasable & Exportable;
  readonly skills: Erasable & Exportable;
  readonly buttons: Erasable;
  readonly evidence: Erasable & Exportable;
  readonly findings: Erasable & Exportable;
  readonly goals: Erasable & Exportable;
  readonly jobs: Erasable & Exportable & Named;
  readonly workflows: Erasable & Exportable & Named;
  readonly subagents: Erasable & Exportable & Named;
}

/** Dependencies of all rooms. */
interface ErasureGround {
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly redact: Redactor;
}

/** Wires `erasure/` with each room that stores something about people: its erasure and its export. */
export function wireErasure(
  { store, clock, engine, logger, audit, redact }: ErasureGround,
  {
    sessions,
    users,
    memory,
    artifacts,
    access,
    usage,
    notes,
    persona,
    notifications,
    attention,
    goals,
    jobs,
    workflows,
    subagents,
    skills,
    buttons,
    evidence,
    findings,
  }: ErasedRooms,
  work: Pick<Parameters<typeof createErasure>[0], "lock" | "start"> &
    Pick<Parameters<typeof createConversations>[0], "stopTurn">,
) {
  const ofSessions = createSessionErasure({ store, sessions });
  const ofMemory = createMemoryErasure({ store, memory });
  const approvals = createApprovalErasure({ store });
  const ofArtifacts = createArtifactErasure({ store, artifacts });
  const ofTools = createToolErasure({ store });
  const conversations = createConversations({
    sessions,
    erasure: ofSessions,
    stopTurn: work.stopTurn,
    artifacts,
    memory: ofMemory,
    notes,
    tools: ofTools,
    users,
  });
  const keepers = [
    approvals,
    access,
    createUsageErasure(usage),
    ofSessions,
    ofMemory,
    createCaptureErasure({ store }),
    notes,
    persona,
    ofArtifacts,
    createOutboxErasure({ store }),
    ofTools,
    notifications,
    attention,
    goals,
    jobs,
    workflows,
    subagents,
    skills,
    createLearningErasure({ store }),
    buttons,
    evidence,
    findings,
    createBelongingErasure({ store }),
    createAuditErasure({ store, audit }),
  ];
  const named = [approvals, jobs, workflows, subagents];
  const eraser = createEraser({ store, clock, engine, audit, users, conversations, named, memory, keepers });
  const rooms = {
    goals,
    jobs,
    workflows,
    subagents,
    skills,
    notes,
    persona,
    notifications,
    attention,
    approvals,
    access,
    plans: ofTools,
    conversations: ofSessions,
    artifacts: ofArtifacts,
    evidence,
    findings,
  };
  return {
    ...createErasure({ eraser, users, store, engine, logger, lock: work.lock, start: work.start }),
    /** Exports all that is stored about a person, except memories, as JSON lines. */
    exportPerson: createPersonExport({ users, conversations, rooms, redact }),
  };
}
