import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import type { JsonValue, Store, Version } from "../store/index.ts";
import { keySegments, storeKey } from "../store/index.ts";
import type { Audit, Logger, Metrics } from "../telemetry/index.ts";
import { bindingHash } from "./binding.ts";
import { newCode, readCode } from "./code.ts";
import {
  APPROVALS_FORMAT,
  type ApprovalAnswer,
  type ApprovalOutcome,
  type ApprovalRecord,
  type SavedCaller,
  parseApproval,
} from "./records.ts";
import { type AllowRules, createAllowRules } from "./rules.ts";

export const DEFAULT_APPROVAL_TIMEOUT_MINUTES = 60;
/** Ended requests are kept so long, so that a second answer hears that it is one. */
const KEEP_ENDED_MS = 30 * 24 * 60 * 60 * 1000;
const PREFIX = "approvals/requests/";
const CODES = "approvals/codes/";
const WAKE_PREFIX = "approval:";

/** A call that the dispatch point wants to run only with the owner's consent. */
export interface ApprovalRequest {
  /** The call's id. */
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly boundTo: JsonValue;
  readonly definition: string;
  readonly caller: SavedCaller;
  /** For a rule with a pattern: does it fit this input? Absent: the tool knows no patterns. */
  fits?(pattern: string): Promise<boolean> | boolean;
}

/** What a person sends. */
export interface AnswerInput {
  readonly answer: "once" | "always" | "deny";
  readonly reason?: string;
  /** Of `always`, only as a person typed it: what else is allowed from now on, as `git log *` for bash. */
  readonly pattern?: string;
  /** `channel:id` of who answers. Default `sdk`. */
  readonly user?: string;
}

/** A request as people and programs see it. */
export interface ApprovalView {
  readonly id: string;
  readonly code: string;
  readonly state: ApprovalRecord["state"];
  readonly tool: string;
  readonly input: JsonValue;
  readonly boundTo: JsonValue;
  readonly user: string;
  readonly sessionKey: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly answeredBy?: string;
  readonly outcome?: ApprovalOutcome;
}

/** What came of an answer: the call's result when it ran, else why it did not. */
export type ApprovalResult = ApprovalView &
  (
    | { readonly ok: true; readonly output: JsonValue }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  );

export interface ApprovalsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Pick<Engine, "wake">;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly timeoutMinutes?: number;
  /** `channel:id` of everybody who may answer now. */
  approvers(): readonly string[];
  /** Is a pattern one that this tool can judge? @returns What is wrong with it. */
  checkPattern(tool: string, pattern: string): Promise<string | undefined> | string | undefined;
  /** Runs the recorded call at the dispatch point. Contract: never throws. */
  run(record: ApprovalRecord): Promise<Pick<ApprovalOutcome, "output" | "error">>;
  /** Shows the request where its session lives. Contract: harmless when it is done twice. */
  show(record: ApprovalRecord): Promise<void>;
  /** Hands the outcome to the session as an inbound of its own. Contract: a second one with the same id has no effect. */
  tell(record: ApprovalRecord): Promise<void>;
}

export type Approvals = ReturnType<typeof createApprovals>;

interface Kept {
  readonly record: ApprovalRecord;
  readonly version: Version;
}

/**
 * Requests for the owner's consent and what became of them. A document each, which only goes forward by compare-and-set: an answer counts once, and the
 * call runs at most once. What a crash cut off is reported, never repeated. Source: docs/approvals.md.
 */
export function createApprovals(parts: ApprovalsParts) {
  const { store, clock, engine, events, audit, metrics, logger } = parts;
  const timeoutMs = (parts.timeoutMinutes ?? DEFAULT_APPROVAL_TIMEOUT_MINUTES) * 60_000;
  const rules: AllowRules = createAllowRules({ store });
  const running = new Map<string, Promise<ApprovalRecord | null>>();

  async function load(id: string): Promise<Kept | null> {
    const key = documentKey(id);
    const found = await store.get(key);
    return found && { record: parseApproval(found.value, key), version: found.version };
  }

  /** @throws {ConflictError} When somebody else wrote first. */
  async function replace(kept: Kept, change: Partial<ApprovalRecord>): Promise<Kept> {
    const record: ApprovalRecord = { ...kept.record, ...change };
    const version = await store.put(documentKey(record.id), toDocument(record), { expect: kept.version });
    return { record, version };
  }

  async function* all(): AsyncIterable<Kept> {
    for await (const { key } of store.list(PREFIX)) {
      const id = keySegments(key).at(-1) ?? "";
      const kept = await load(id);
      if (kept) yield kept;
    }
  }

  /**
   * May this call run now? A rule that fits lets it pass; else the owner is asked, once for each call id.
   * @returns The rule's id, or the request that waits for an answer.
   */
  async function request(
    asked: ApprovalRequest,
  ): Promise<{ readonly rule: string } | { readonly open: ApprovalRecord }> {
    const rule = await rules.find(asked);
    if (rule) return { rule: rule.id };
    const known = await load(asked.id);
    if (known) return { open: known.record };

    const now = clock.now();
    const bound = {
      id: asked.id,
      tool: asked.tool,
      input: asked.input,
      boundTo: asked.boundTo,
      definition: asked.definition,
      caller: asked.caller,
      approvers: [...parts.approvers()].toSorted(),
      expiresAt: now + timeoutMs,
    };
    const record: ApprovalRecord = {
      v: APPROVALS_FORMAT,
      ...bound,
      code: await takeCode(asked.id),
      state: "open",
      requestedAt: now,
      hash: await bindingHash(bound),
    };
    await Promise.all([
      store.put(documentKey(asked.id), toDocument(record), { expect: null }),
      engine.wake(WAKE_PREFIX + asked.id, new Date(record.expiresAt)),
    ]);
    metrics.increment("approval.request_total", { tool: asked.tool });
    audit.write({ ...auditLine(record), what: "approval.requested", verdict: "ok" });
    await publish("approval.requested", record);
    await parts.show(record).catch((error: unknown) => {
      logger.error("A request for approval could not be shown in its chat", {
        code: record.code,
        error: messageOf(error),
      });
    });
    return { open: record };
  }

  async function takeCode(id: string): Promise<string> {
    for (;;) {
      const code = newCode();
      try {
        await store.put(CODES + code, { v: APPROVALS_FORMAT, id }, { expect: null });
        return code;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** @throws {AssistantError} `NOT_FOUND`. */
  async function find(idOrCode: string): Promise<Kept> {
    const kept = idOrCode === "" ? null : await load(idOrCode);
    if (kept) return kept;
    const code = readCode(idOrCode);
    const entry = code === null ? null : await store.get(CODES + code);
    const id = (entry?.value as { readonly id?: unknown } | undefined)?.id;
    const byCode = typeof id === "string" ? await load(id) : null;
    if (byCode) return byCode;
    throw new AssistantError(
      "NOT_FOUND",
      `There is no request for approval ${JSON.stringify(idOrCode.slice(0, 64))}: \`wakeful approvals\` lists those that wait`,
    );
  }

  /**
   * Takes an answer: durable when this resolves, and the call has not begun yet.
   * @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` for somebody who may not answer; `CONFLICT` when it was answered before; `GONE` when it is too old or was
   * changed after it was asked.
   */
  async function decide(idOrCode: string, input: AnswerInput, asOwner: boolean): Promise<ApprovalRecord> {
    const kept = await find(idOrCode);
    const { record } = kept;
    const by = input.user ?? (asOwner ? "cli" : "sdk");
    if (!asOwner && !(record.approvers.includes(by) && parts.approvers().includes(by))) {
      metrics.increment("approval.refused_total");
      audit.write({
        ...auditLine(record),
        who: by,
        what: "approval.refused",
        verdict: "refused",
        reason: "may not answer",
      });
      throw new AssistantError("FORBIDDEN", `${by} may not answer the request ${record.code}: only the owner may`);
    }
    if (record.state !== "open") throw alreadyAnswered(record);
    if (clock.now() >= record.expiresAt) {
      await end(kept, { verdict: "expired", at: clock.now() });
      throw new AssistantError(
        "GONE",
        `The request ${record.code} is too old: it was open until ${time(record.expiresAt)}`,
      );
    }
    if ((await bindingHash(record)) !== record.hash) {
      await end(kept, { verdict: "denied", reason: "the request was changed after it was asked", at: clock.now() });
      throw new AssistantError("GONE", `The request ${record.code} was changed after it was asked: it cannot be used`);
    }
    if (input.pattern !== undefined && input.answer === "always") await checkPattern(record, input.pattern);

    const answer: ApprovalAnswer = {
      answer: input.answer,
      by,
      ...(input.reason !== undefined && { reason: input.reason }),
      ...(input.pattern !== undefined && { pattern: input.pattern }),
      at: clock.now(),
    };
    const reason = input.reason ?? "denied by the owner";
    const change: Partial<ApprovalRecord> =
      input.answer === "deny"
        ? { state: "ended", answer, outcome: { verdict: "denied", reason, at: answer.at } }
        : { state: "approved", answer };
    const claimed = await claim(kept, change);
    metrics.increment("approval.answer_total", { answer: input.answer });
    audit.write({
      ...auditLine(record),
      who: by,
      what: "approval.answered",
      verdict: input.answer === "deny" ? "denied" : "ok",
      reason: input.answer === "deny" ? reason : input.answer,
      ...(input.pattern !== undefined && { pattern: input.pattern }),
    });
    if (claimed.state === "ended") await publish("approval.resolved", claimed);
    return claimed;
  }

  /** Open → something else, once. The wake stands beside it, so that a crash right after leaves nothing undone. */
  async function claim(kept: Kept, change: Partial<ApprovalRecord>): Promise<ApprovalRecord> {
    try {
      const [{ record }] = await Promise.all([replace(kept, change), engine.wake(WAKE_PREFIX + kept.record.id)]);
      return record;
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      throw alreadyAnswered((await load(kept.record.id))?.record ?? kept.record);
    }
  }

  async function checkPattern({ tool }: ApprovalRecord, pattern: string): Promise<void> {
    const problem = await parts.checkPattern(tool, pattern);
    if (problem !== undefined) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot allow ${JSON.stringify(pattern)} for ${tool}: ${problem}. Answer without a pattern to allow exactly these arguments`,
      );
    }
  }

  /**
   * Answers and, when the answer lets it, runs the call and waits for its result.
   * @throws {AssistantError} As `decide`.
   */
  async function answer(
    idOrCode: string,
    input: AnswerInput & { readonly asOwner?: boolean },
  ): Promise<ApprovalResult> {
    const { id } = await decide(idOrCode, input, input.asOwner === true);
    const record = await settle(id);
    if (!record) throw new AssistantError("NOT_FOUND", `The request ${id} was removed while it ran`);
    const { verdict, output = null, error, reason } = record.outcome ?? {};
    if (verdict === "done") return { ...viewOf(record), ok: true, output };
    const why = {
      code: (verdict ?? "interrupted").toUpperCase(),
      message: reason ?? `The call did not run: ${verdict}`,
    };
    return { ...viewOf(record), ok: false, error: error ?? why };
  }

  /** Does what the record still owes: runs an approved call, ends one that is too old, tells the session. In this process one at a time for each request. */
  function settle(id: string): Promise<ApprovalRecord | null> {
    const known = running.get(id);
    if (known) return known;
    const work = doSettle(id).finally(() => running.delete(id));
    running.set(id, work);
    return work;
  }

  async function doSettle(id: string): Promise<ApprovalRecord | null> {
    let kept = await load(id);
    if (!kept) return null;
    if (kept.record.state === "open") {
      if (clock.now() < kept.record.expiresAt) {
        await engine.wake(WAKE_PREFIX + id, new Date(kept.record.expiresAt));
        return kept.record;
      }
      kept = await end(kept, { verdict: "expired", at: clock.now() });
    }
    // Nobody in this process runs it, or this would not have been reached: a crash cut it off.
    else if (kept.record.state === "running") kept = await end(kept, { verdict: "interrupted", at: clock.now() });
    else if (kept.record.state === "approved") kept = await runOnce(kept);
    if (kept.record.state === "ended" && !kept.record.told) {
      await parts.tell(kept.record);
      kept = await replace(kept, { told: true });
    }
    return kept.record;
  }

  async function runOnce(approved: Kept): Promise<Kept> {
    if ((await bindingHash(approved.record)) !== approved.record.hash)
      return end(approved, {
        verdict: "denied",
        reason: "the request was changed after it was asked",
        at: clock.now(),
      });
    // Before the call begins, and once for each request: a crash between the two changes nothing.
    if (approved.record.answer?.answer === "always") await rules.add(approved.record, approved.record.answer);
    const begun = await replace(approved, { state: "running" });
    const result = await parts.run(begun.record);
    return end(begun, { verdict: result.error ? "failed" : "done", ...result, at: clock.now() });
  }

  async function end(kept: Kept, outcome: ApprovalOutcome): Promise<Kept> {
    const ended = await replace(kept, { state: "ended", outcome });
    metrics.increment("approval.end_total", { verdict: outcome.verdict });
    if (outcome.verdict === "expired" || outcome.verdict === "interrupted" || outcome.verdict === "denied") {
      audit.write({
        ...auditLine(ended.record),
        what: `approval.${outcome.verdict}`,
        verdict: outcome.verdict === "interrupted" ? "failed" : "denied",
        ...(outcome.reason !== undefined && { reason: outcome.reason }),
      });
    }
    await publish("approval.resolved", ended.record);
    return ended;
  }

  /** After a restart: what was open goes on waiting, what was cut off is reported, what nobody needs any more goes. */
  async function recover(): Promise<void> {
    for await (const { record } of all()) {
      if (record.state !== "ended" || !record.told) await engine.wake(WAKE_PREFIX + record.id);
      else if (clock.now() - (record.outcome?.at ?? 0) > KEEP_ENDED_MS) {
        await store.remove(CODES + record.code);
        await store.remove(documentKey(record.id));
      }
    }
  }

  async function list({ all: withEnded = false }: { readonly all?: boolean } = {}): Promise<readonly ApprovalView[]> {
    const views: ApprovalView[] = [];
    for await (const { record } of all()) {
      const isOpen = record.state !== "open" || clock.now() < record.expiresAt;
      if (withEnded || (record.state !== "ended" && isOpen)) views.push(viewOf(record));
    }
    return views.toSorted((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
  }

  async function publish(type: "approval.requested" | "approval.resolved", record: ApprovalRecord): Promise<void> {
    if (!events.has(type)) return;
    const { id, code, tool, caller, outcome, answer: given } = record;
    const payload = {
      id,
      code,
      tool,
      sessionKey: caller.sessionKey,
      user: caller.user,
      ...(outcome && { state: outcome.verdict }),
      ...(outcome?.reason !== undefined && { reason: outcome.reason }),
      ...(given && { by: given.by }),
    };
    await events.publish({ type, sessionId: caller.sessionKey, timestamp: clock.now(), payload });
  }

  return {
    request,
    /** The request of this call, when there is one. */
    async of(callId: string): Promise<ApprovalRecord | null> {
      return (await load(callId))?.record ?? null;
    },
    decide,
    answer,
    settle,
    /** The handler of `approval:` keys. */
    async handle(key: string): Promise<void> {
      await settle(key.slice(WAKE_PREFIX.length));
    },
    recover,
    list,
    rules,
  };
}

/** Is this one of the engine's keys of this room? */
export function isApprovalKey(key: string): boolean {
  return key.startsWith(WAKE_PREFIX);
}

function documentKey(id: string): string {
  return PREFIX + storeKey(id);
}

function toDocument(record: ApprovalRecord): JsonValue {
  return record as unknown as JsonValue; // plain data all the way down
}

function alreadyAnswered({ code, answer, outcome }: ApprovalRecord): AssistantError {
  if (outcome?.verdict === "expired") return new AssistantError("GONE", `The request ${code} is too old`);
  const how = outcome?.verdict === "interrupted" ? ", and what it allowed was interrupted" : "";
  return new AssistantError(
    "CONFLICT",
    `The request ${code} was answered before${answer ? ` by ${answer.by}` : ""}${how}`,
  );
}

function auditLine({ id, code, tool, input, caller }: ApprovalRecord) {
  return {
    who: caller.user,
    target: tool,
    callId: id,
    code,
    input,
    sessionKey: caller.sessionKey,
    taskId: caller.taskId,
  };
}

function viewOf(record: ApprovalRecord): ApprovalView {
  const { id, code, state, tool, input, boundTo, caller, requestedAt, expiresAt, answer, outcome } = record;
  return {
    id,
    code,
    state,
    tool,
    input,
    boundTo,
    user: caller.user,
    sessionKey: caller.sessionKey,
    requestedAt: new Date(requestedAt),
    expiresAt: new Date(expiresAt),
    ...(answer && { answeredBy: answer.by }),
    ...(outcome && { outcome }),
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
