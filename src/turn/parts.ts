import type { CoolDowns, ModelInfo, ModelObject, OfferedTool, TextProtocol } from "../agent/index.ts";
import type { AttachmentParts } from "../artifacts/index.ts";
import type { Channel, ContextOptions, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { BuiltContext, Calibration, ContextSources, Person } from "../context/index.ts";
import type { EventBus } from "../events/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { StreamEvent } from "../reply.ts";
import type {
  InRecord,
  QueueRules,
  Session,
  SessionSettings,
  Sessions,
  Summaries,
  TurnInputRecord,
} from "../session/index.ts";
import type { Logger, Metrics, Redactor } from "../telemetry/index.ts";
import type { ToolCaller, ToolDispatch } from "../tools/index.ts";
import type { UsageRecorder } from "../usage/index.ts";
import type { CompactionSettings } from "./compaction.ts";
import type { Hub } from "./hub.ts";
import type { RunningTurns } from "./running.ts";
import type { SessionLife } from "./session-life.ts";
import type { TurnStop } from "./turn-stop.ts";

/** An agent as the turn uses it; keep the same object from turn to turn. */
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

/** What a turn works with, handed over ready made. */
export interface TurnParts {
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly attachments: AttachmentParts;
  readonly dispatch: ToolDispatch;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Takes secrets out of what is logged of failures and told to people. */
  readonly redact: Redactor;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly running: RunningTurns;
  readonly life: SessionLife;
  readonly summaries: Pick<Summaries, "add">;
  readonly compaction: CompactionSettings;
  readonly calibration: Calibration;
  readonly usage: Pick<UsageRecorder, "check" | "record">;
  readonly coolDowns: CoolDowns;
  readonly modelInfo: ModelInfo | undefined;
  readonly textProtocol?: TextProtocol | undefined;
  /** Tokens that models take of which nothing is known. */
  readonly contextWindow: number;
  /** What the host adds to prompts. */
  readonly sources: ContextSources | undefined;
  readonly timezone: string;
  agent(agentId: string): TurnAgent;
  channel(target: Pick<Target, "channel" | "account">): Channel | undefined;
  contextOptions(message: InRecord): ContextOptions;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  /** The request of a call that asked the owner. */
  approvalOf(callId: string): Promise<{ readonly id: string; readonly code: string } | null>;
  /** Whose memory a conversation writes. */
  memoryUserOf(speaker: Pick<InRecord, "user" | "channel" | "peer" | "roles" | "account">): string;
  /** Where a person is told something whom only the host program reaches. */
  hostTarget(user: string, sessionKey: string): Target;
  /** What the configuration knows of a user. */
  person(user: string): Person | undefined;
}

/** One turn at work: what it answers, for whom, and with what. Messages may join it. */
export interface Work {
  readonly id: string;
  readonly session: Session;
  readonly agent: TurnAgent;
  readonly inputs: readonly TurnInputRecord[];
  messages: readonly InRecord[];
  newest: InRecord;
  readonly summarized: readonly string[];
  /** The last record that the first prompt was built from. */
  readonly seen: number;
  caller: ToolCaller;
  context: BuiltContext;
  /** The prompt as it is with what the session's log says now; the turn's own block stays. */
  rebuild(): BuiltContext;
  /** Most tokens of injections at one place of a prompt. */
  readonly injectionTokens: number;
  /** What is remembered may be injected. */
  readonly withMemory: boolean;
  tools: readonly OfferedTool[];
  /** Artifacts that a model's server did not take in this turn: its later calls go without them. */
  readonly unshown: Set<string>;
  /** Tools that this turn may not call although the policy would let it. */
  readonly excludedTools: readonly string[];
  /** Set when somebody watches. */
  tell: ((event: StreamEvent) => void) | undefined;
  readonly stop: TurnStop;
  readonly signal: AbortSignal;
}
