import type { Clock } from "../clock.ts";
import { type Engine, createArrivals } from "../engine/index.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import { type JsonValue, type Store, canonicalJson } from "../store/index.ts";
import type { Audit, Logger, Metrics } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";
import { bindingHash, sameJson } from "./binding.ts";
import { type Kept, createLedger } from "./ledger.ts";
import {
  APPROVALS_FORMAT,
  type ApprovalAnswer,
  type ApprovalOutcome,
  type ApprovalRecord,
  type SavedCaller,
} from "./records.ts";
import { createAllowRules } from "./rules.ts";
import {
  type ApprovalResult,
  type ApprovalView,
  MAX_APPROVED_HOURS,
  alreadyAnswered,
  auditLine,
  resultOf,
  runByOf,
  viewOf,
} from "./views.ts";
import { sha256 } from "../hash.ts";

export const DEFAULT_APPROVAL_TIMEOUT_MINUTES = 60;
/** Time for which ended requests are kept, so that a second answer is told that it is one. */
const KEEP_ENDED_MS = 30 * 24 * 60 * 60 * 1000;
/** Time limit of an approved call. */
const MAX_CALL_MS = 15 * 60_000;
/** After this time, a call that another process began has ended or was interrupted. */
const MAX_ELSEWHERE_MS = MAX_CALL_MS + 60_000;
/**
 * When an open request is checked again, because another process on the store may have taken the answer, or a crash
 * kept the request from being shown. The delay is a quarter of the time that it has been open, within these bounds.
 */
const LOOK_AGAIN = { soonestMs: 60_000, latestMs: 5 * 60_000, share: 1 / 4 } as const;
/**
 * Characters of a call's input. The owner must read all of it, so it is limited to about
 * four messages of a chat platform.
 */
const MAX_INPUT_CHARS = 16_000;
/**
 * Requests that may wait at the same time. The owner must not be worn down into approving, and strangers must not
 * fill the store or the owner's chat.
 */
export const MAX_OPEN = { session: 5, user: 10, all: 100 } as const;
const WAKE_PREFIX = "approval:";
const ANSWERS: readonly unknown[] = ["once", "always", "deny"];

/** A call that the dispatch point may run only with the owner's approval. */
export interface ApprovalRequest {
  /** The call's id. */
  readonly id: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly boundTo: JsonValue;
  readonly definition: string;
  readonly caller: SavedCaller;
  /** Milliseconds in which it can be answered. Default `approvals.timeoutMinutes`. */
  readonly openForMs?: number;
  /**
   * Whether it is always a separate request. Default false: if an identical call waits, a repeated
   * one waits for the same answer.
   */
  readonly isOwn?: boolean;
  /** Whether a rule's pattern matches this input. Absent: the tool has no patterns. */
  fits?(pattern: string): Promise<boolean> | boolean;
}

/** `rule`: the call may run. `open`: the owner was asked. `refused`: the owner is not asked. */
export type ApprovalDecision =
  | { readonly rule: string }
  | { readonly open: { readonly id: string; readonly code: string } }
  | { readonly refused: { readonly code: string; readonly message: string } };

/** A person's answer. */
export interface AnswerInput {
  /**
   * `once`: this call runs. `always`: every later call with these arguments, or matching `pattern`,
   * runs too. `deny`: it does not run.
   */
  readonly answer: "once" | "always" | "deny";
  /** Reason for `deny`, which the model reads. */
  readonly reason?: string;
  /**
   * Pattern for `always`, exactly as a person typed it: what else is allowed from now
   * on, such as `git log *` for bash.
   */
  readonly pattern?: string;
  /** The person who answers, as `channel:id`. Default `sdk`. */
  readonly user?: string;
}

/** Tells people about requests, and knows who may answer. */
export interface ApprovalChats {
  /** Users who may answer now, as `channel:id`. */
  approvers(): readonly string[];
  /** Shows the request in its session's chat and to the owner. Contract: idempotent. */
  show(record: ApprovalRecord): Promise<void>;
  /** Updates the shown request after it was answered or can no longer be. Contract: best effort; never throws. */
  answered(record: ApprovalRecord): Promise<void>;
  /**
   * Delivers the outcome to the session as an inbound message. Contract: idempotent per id. `beginsTurn` is false if
   * work of its own takes the outcome.
   */
  tell(record: ApprovalRecord): Promise<{ readonly beginsTurn: boolean }>;
}

/** What is known about this process's tools. */
export interface ApprovableTools {
  /** Whether the process has a tool of this name now. Contract: synchronous. */
  has(name: string): boolean;
  /**
   * Checks a pattern for a tool.
   * @returns What is wrong with it.
   */
  checkPattern(tool: string, pattern: string): Promise<string | undefined> | string | undefined;
}

export interface ApprovalsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Pick<Engine, "wake">;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly tools: ApprovableTools;
  readonly chats: ApprovalChats;
}

/** Runs a recorded call at the dispatch point. Contract: stops soon after the signal aborts. */
export type RunApproved = (
  record: ApprovalRecord,
  signal: AbortSignal,
) => Promise<Pick<ApprovalOutcome, "output" | "error">>;

export type Approvals = ReturnType<typeof createApprovals>;

/**
 * Requests for the owner's approval, and their outcomes. Each is a document that only goes forward by
 * compare-and-set, so an answer counts once and a call runs at most once. A call that a crash interrupted is
 * reported, never repeated. Source: docs/approvals.md.
 */
export function createApprovals(
  { store, clock, engine, events, audit, metrics, logger, tools, chats }: ApprovalsDeps,
  { timeoutMinutes = DEFAULT_APPROVAL_TIMEOUT_MINUTES }: { readonly timeoutMinutes?: number | undefined } = {},
) {
  const timeoutMs = timeoutMinutes * 60_000;
  const ledger = createLedger({ store, logger });
  const rules = createAllowRules({ store, logger });
  const settling = new Map<string, Promise<ApprovalRecord | null>>();
  /** Approved calls whose tool this process does not have, by id. */
  const withoutTool = new Map<string, string>();
  /** Calls that this process began. */
  const begunHere = new Set<string>();
  const madeAt = clock.now();
  const arrivals = createArrivals();
  const stopping = new AbortController();
  let runApproved: RunApproved | undefined;

  /** Decides whether a call may run now. A matching rule allows it; otherwise the owner is asked, once per call. */
  async function request(asked: ApprovalRequest): Promise<ApprovalDecision> {
    const rule = await rules.find(asked);
    if (rule) return { rule: rule.id };
    const id = await idFor(asked);
    const known = await ledger.load(id);
    if (known) return { open: known.record };
    const refused = await refusalFor(asked);
    if (refused) {
      audit.write({ ...asLine(asked), what: "approval.not_asked", verdict: "refused", reason: refused.message });
      return "open" in refused ? { open: refused.open } : { refused };
    }
    const now = clock.now();
    const bound = {
      id,
      tool: asked.tool,
      input: asked.input,
      boundTo: asked.boundTo,
      definition: asked.definition,
      caller: asked.caller,
      approvers: [...chats.approvers()].toSorted(),
      expiresAt: now + (asked.openForMs ?? timeoutMs),
    };
    const record: ApprovalRecord = {
      v: APPROVALS_FORMAT,
      ...bound,
      code: await ledger.takeCode(id),
      state: "open",
      requestedAt: now,
      hash: await bindingHash(bound),
    };
    // The wake first: a request without a wake would neither be shown nor expire.
    await lookAgain(record);
    const kept = await ledger.create(record);
    metrics.increment("approval.request_total", { tool: asked.tool });
    audit.write({ ...auditLine(record), what: "approval.requested", verdict: "ok" });
    await publish("approval.requested", record);
    await showOnce(kept);
    return { open: record };
  }

  /**
   * Schedules the next check. A shown request in a store that no other process shares needs none until its end, so
   * that a sleeping Worker is not woken.
   */
  function lookAgain({ id, requestedAt, expiresAt, shown }: ApprovalRecord): Promise<void> {
    const now = clock.now();
    const { soonestMs, latestMs, share } = LOOK_AGAIN;
    const inMs = Math.min(latestMs, Math.max(soonestMs, (now - requestedAt) * share));
    const next = shown && store.caps.exclusive ? expiresAt : Math.min(expiresAt, now + inMs);
    return engine.wake(WAKE_PREFIX + id, new Date(next));
  }

  /**
   * The id of the request. A call that runs again after a crash keeps its id; if it then asks for something
   * else, it gets a different one.
   */
  async function idFor(asked: ApprovalRequest): Promise<string> {
    const known = await ledger.load(asked.id);
    if (!known || isSameCall(known.record, asked)) return asked.id;
    return `${asked.id}~${(await sha256(canonicalJson([asked.tool, asked.input, asked.boundTo]))).slice(0, 16)}`;
  }

  async function refusalFor(asked: ApprovalRequest) {
    if (JSON.stringify(asked.input).length > MAX_INPUT_CHARS)
      return {
        code: "TOO_LONG",
        message: `${asked.tool} did not run and the owner was not asked: an approval shows at most ${MAX_INPUT_CHARS} characters of input. Shorten the input, or write it to a file first`,
      };
    const { sessionKey, user } = asked.caller;
    const open = { session: 0, user: 0, all: 0 };
    for await (const { record } of ledger.unsettled()) {
      if (record.state !== "open" || clock.now() >= record.expiresAt) continue;
      const isHere = record.caller.sessionKey === sessionKey;
      if (isHere && !asked.isOwn && isSameCall(record, asked) && record.caller.user === user)
        return { open: record, code: "ASKED", message: "the same call waits already" };
      open.all += 1;
      if (isHere) open.session += 1;
      if (record.caller.user === user) open.user += 1;
    }
    if (open.session < MAX_OPEN.session && open.user < MAX_OPEN.user && open.all < MAX_OPEN.all) return undefined;
    return {
      code: "TOO_MANY_APPROVALS",
      message: `${asked.tool} did not run and the owner was not asked: too many calls are already waiting for an answer. Wait until some are answered`,
    };
  }

  /** Shows a request. After a crash it may be shown again, which is why showing must be idempotent. */
  async function showOnce(kept: Kept): Promise<Kept> {
    if (kept.record.shown) return kept;
    try {
      await chats.show(kept.record);
      return await ledger.replace(kept, { shown: true });
    } catch (error) {
      if (ConflictError.is(error)) return (await ledger.load(kept.record.id)) ?? kept; // answered in the meantime
      const { code } = kept.record;
      logger.error("A request for approval could not be shown in its chat", { code, error: messageOf(error) });
      return kept;
    }
  }

  /**
   * Takes an answer. It is durable when this resolves, and the call has not begun. An approved call that
   * has not begun can still be denied. With `isTold` the caller itself tells the session about a denial,
   * so that no turn begins with it.
   * @throws {AssistantError} `OPTION_INVALID` for an invalid answer; `NOT_FOUND`; `FORBIDDEN` if the user may not
   * answer; `CONFLICT` if it was answered before; `GONE` if it is too old or was changed after it was asked.
   */
  async function decide(
    idOrCode: string,
    input: AnswerInput,
    asOwner: boolean,
    { isTold = false }: { readonly isTold?: boolean } = {},
  ): Promise<ApprovalRecord> {
    if (!ANSWERS.includes(input.answer)) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid answer ${JSON.stringify(input.answer)}: expected "once", "always" or "deny"`,
      );
    }
    const kept = await ledger.find(idOrCode);
    if (!kept) {
      throw new AssistantError(
        "NOT_FOUND",
        `There is no request for approval ${JSON.stringify(idOrCode.slice(0, 64))}: \`wakeful approvals\` lists open requests`,
      );
    }
    const { record } = kept;
    const by = input.user ?? (asOwner ? "owner" : "sdk");
    if (!asOwner && !isApprover(by, record)) {
      metrics.increment("approval.refused_total");
      const line = { ...auditLine(record), who: by, what: "approval.refused", reason: "may not answer" };
      audit.write({ ...line, verdict: "refused" });
      throw new AssistantError(
        "FORBIDDEN",
        `${by} may not answer the request ${record.code}: only the owner who was asked may`,
      );
    }
    const isDenied = input.answer === "deny";
    if (!isAnswerable(record, isDenied)) throw alreadyAnswered(record);
    const gone = record.state === "open" ? await whyGone(record) : undefined;
    if (gone) {
      await giveUp(kept, gone);
      throw new AssistantError("GONE", `The request ${record.code} cannot be used: ${gone.reason}`);
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
    const claimed = await claim(
      kept,
      isDenied
        ? {
            state: "ended",
            // A withdrawn request was not answered by a person.
            ...(!isTold && { answer }),
            outcome: { verdict: "denied", reason, at: answer.at },
            ...(isTold && { told: true, turnless: true }),
          }
        : { state: "approved", answer },
      isDenied,
    );
    void chats.answered(claimed.record);
    metrics.increment("approval.answer_total", { answer: input.answer });
    audit.write({
      ...auditLine(record),
      who: by,
      what: "approval.answered",
      verdict: isDenied ? "denied" : "ok",
      reason: isDenied ? reason : input.answer,
      ...(input.pattern !== undefined && { pattern: input.pattern }),
    });
    if (!isDenied) return (await withRule(claimed)).record;
    await takeBackRule(claimed.record);
    await publish("approval.resolved", claimed.record);
    return claimed.record;
  }

  /** Stores the rule of an answer `always`, once: a rule that was removed since stays removed. */
  async function withRule(kept: Kept): Promise<Kept> {
    const { answer, hasRule } = kept.record;
    if (answer?.answer !== "always" || hasRule) return kept;
    await rules.add(kept.record, answer);
    try {
      return await ledger.replace(kept, { hasRule: true });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      const newest = (await ledger.load(kept.record.id)) ?? kept;
      await takeBackRule(newest.record);
      return newest;
    }
  }

  /** A denied request has no rule, even if it was answered `always` before. */
  async function takeBackRule({ code, outcome }: ApprovalRecord): Promise<void> {
    if (outcome?.verdict !== "denied") return;
    const known = await rules.list();
    if (known.some(({ id }) => id === code)) await rules.remove(code);
  }

  function isApprover(user: string, { approvers }: ApprovalRecord): boolean {
    return approvers.includes(user) && chats.approvers().includes(user);
  }

  async function whyGone(record: ApprovalRecord): Promise<(ApprovalOutcome & { readonly reason: string }) | undefined> {
    const at = clock.now();
    if (at >= record.expiresAt)
      return { verdict: "expired", reason: `it was open until ${new Date(record.expiresAt).toISOString()}`, at };
    if ((await bindingHash(record)) !== record.hash)
      return { verdict: "denied", reason: "it was changed after it was asked", at };
    return undefined;
  }

  /** Ends a request that cannot be used, and tells its session. */
  async function giveUp(kept: Kept, outcome: ApprovalOutcome): Promise<void> {
    try {
      await announceEnd(await replaceAndWake(kept, { state: "ended", outcome }), outcome);
    } catch (error) {
      if (!ConflictError.is(error)) throw error; // its own timeout ended it first
    }
  }

  /** The wake is issued together with the change, so that a crash right after loses nothing. */
  async function replaceAndWake(kept: Kept, change: Partial<ApprovalRecord>): Promise<Kept> {
    const { id } = kept.record;
    await engine.wake(WAKE_PREFIX + id, new Date(clock.now() + LOOK_AGAIN.soonestMs));
    const replacing = ledger.replace(kept, change);
    arrivals.add(id, replacing);
    const [replaced] = await Promise.all([replacing, engine.wake(WAKE_PREFIX + id)]);
    return replaced;
  }

  /** Moves an open request on, once; or an approved one to denied. */
  async function claim(kept: Kept, change: Partial<ApprovalRecord>, isDenied: boolean): Promise<Kept> {
    let newest = kept;
    for (;;) {
      try {
        return await replaceAndWake(newest, change);
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        const found = await ledger.load(kept.record.id);
        // The conflict was only that the request was shown, which does not matter.
        if (!found || !isAnswerable(found.record, isDenied)) throw alreadyAnswered(found?.record ?? kept.record);
        newest = found;
      }
    }
  }

  async function checkPattern({ tool }: ApprovalRecord, pattern: string): Promise<void> {
    const problem = tools.has(tool)
      ? await tools.checkPattern(tool, pattern)
      : `${tool} is not in this program, and only a program that has it can check its patterns`;
    if (problem === undefined) return;
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot allow ${JSON.stringify(pattern)} for ${tool}: ${problem}. Answer without a pattern to allow exactly these arguments`,
    );
  }

  /**
   * Answers a request. If the answer allows it, runs the call and waits for its result.
   * @throws {AssistantError} As `decide`.
   */
  async function answer(
    idOrCode: string,
    input: AnswerInput & { readonly asOwner?: boolean },
  ): Promise<ApprovalResult> {
    const { id } = await decide(idOrCode, input, input.asOwner === true);
    const record = await settle(id);
    if (!record) throw new AssistantError("NOT_FOUND", `The request ${id} was removed while it ran`);
    return resultOf(record);
  }

  /**
   * Does what is still due for a request: shows it, runs an approved call, ends an expired one, tells the
   * session. Runs one at a time per request in this process. An earlier run may have started before the answer,
   * so what it left undone is done after it.
   */
  function settle(id: string): Promise<ApprovalRecord | null> {
    const again = () => doSettle(id);
    const before = settling.get(id);
    const work = before
      ? before.then((record) => (record?.state === "ended" && record.told ? record : again()), again)
      : again();
    settling.set(id, work);
    const forget = () => {
      if (settling.get(id) === work) settling.delete(id);
    };
    work.then(forget, forget);
    return work;
  }

  async function doSettle(id: string): Promise<ApprovalRecord | null> {
    await arrivals.landed(id);
    let kept = await ledger.load(id);
    if (!kept) {
      await ledger.settled(id); // a crash kept the request from being written
      return null;
    }
    switch (kept.record.state) {
      case "open":
        if (clock.now() < kept.record.expiresAt) {
          kept = await showOnce(kept);
          await lookAgain(kept.record);
          return kept.record;
        }
        kept = await end(kept, { verdict: "expired", reason: "no one answered in time", at: clock.now() });
        break;
      case "approved":
        kept = await runOnce(kept);
        if (kept.record.state === "running") kept = await endIfCutOff(kept);
        break;
      case "running":
        kept = await endIfCutOff(kept);
        break;
      default:
    }
    if (kept.record.state !== "ended") return kept.record;
    await takeBackRule(kept.record);
    if (!kept.record.told) {
      kept = await markTold(kept, await chats.tell(kept.record));
    }
    await ledger.settled(id);
    const forgetAt = (kept.record.outcome?.at ?? 0) + KEEP_ENDED_MS;
    if (clock.now() >= forgetAt) await ledger.remove(kept.record);
    // Scheduled each time, because an earlier wake of this key replaces a later one.
    else await engine.wake(WAKE_PREFIX + id, new Date(forgetAt));
    return kept.record;
  }

  /**
   * Ends a running call that nothing runs any more. It was begun here (this process handles a request
   * one step at a time) or before this process started. A call that another process began since is left
   * alone until it must have ended.
   */
  async function endIfCutOff(running: Kept): Promise<Kept> {
    const { id, begunAt = 0 } = running.record;
    const endsAt = begunAt + MAX_ELSEWHERE_MS;
    const isElsewhere = !begunHere.has(id) && begunAt > madeAt && clock.now() < endsAt;
    if (!isElsewhere) return end(running, { verdict: "interrupted", at: clock.now() });
    await engine.wake(WAKE_PREFIX + id, new Date(endsAt));
    return running;
  }

  /** Two processes can deliver the same outcome; the session takes it once. */
  async function markTold(ended: Kept, { beginsTurn }: { readonly beginsTurn: boolean }): Promise<Kept> {
    try {
      return await ledger.replace(ended, { told: true, ...(!beginsTurn && { turnless: true }) });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      return (await ledger.load(ended.record.id)) ?? ended;
    }
  }

  /** Runs an approved call, once. Leaves it if the tool is missing here, or if another process was first. */
  async function runOnce(claimed: Kept): Promise<Kept> {
    if ((await bindingHash(claimed.record)) !== claimed.record.hash)
      return end(claimed, { verdict: "denied", reason: "it was changed after it was asked", at: clock.now() });
    const { id, tool } = claimed.record;
    const runBy = runByOf(claimed.record);
    if (clock.now() >= runBy) {
      const reason = `it was approved, but no program that has ${tool} ran within ${MAX_APPROVED_HOURS} hours`;
      return end(claimed, { verdict: "expired", reason, at: clock.now() });
    }
    const approved = await withRule(claimed);
    if (approved.record.state !== "approved") return approved;
    if (!tools.has(tool)) {
      withoutTool.set(id, tool);
      await engine.wake(WAKE_PREFIX + id, new Date(runBy));
      return approved;
    }
    withoutTool.delete(id);
    let begun: Kept;
    try {
      begunHere.add(id);
      begun = await ledger.replace(approved, { state: "running", begunAt: clock.now() });
    } catch (error) {
      begunHere.delete(id);
      if (!ConflictError.is(error)) throw error;
      // Another process runs it, or it was denied.
      return (await ledger.load(id)) ?? approved;
    }
    const ended = await run(begun);
    begunHere.delete(id);
    return ended;
  }

  async function run(begun: Kept): Promise<Kept> {
    const late = () => new AssistantError("TURN_TIMEOUT", `it took longer than ${MAX_CALL_MS / 60_000} minutes`);
    const deadline = startDeadline(clock, MAX_CALL_MS, late, stopping.signal);
    let result: Pick<ApprovalOutcome, "output" | "error">;
    try {
      if (!runApproved) throw new TypeError("No call runs before start()");
      result = await runApproved(begun.record, deadline.signal);
    } catch (error) {
      result = { error: { code: "FAILED", message: messageOf(error) } };
    } finally {
      deadline.end();
    }
    const at = clock.now();
    if (stopping.signal.aborted && result.error) return end(begun, { verdict: "interrupted", at });
    try {
      return await end(begun, { verdict: result.error ? "failed" : "done", ...result, at });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      // Another process assumed that this one was dead. No document has the result, so it is at least logged.
      const { code, tool } = begun.record;
      logger.error("An approved call was ended by another process while it ran here", { code, tool });
      audit.write({ ...auditLine(begun.record), what: "approval.overtaken", verdict: result.error ? "failed" : "ok" });
      return {
        ...begun,
        record: { ...begun.record, outcome: { verdict: result.error ? "failed" : "done", ...result, at }, told: true },
      };
    }
  }

  async function end(kept: Kept, outcome: ApprovalOutcome): Promise<Kept> {
    return announceEnd(await ledger.replace(kept, { state: "ended", outcome }), outcome);
  }

  async function announceEnd(ended: Kept, outcome: ApprovalOutcome): Promise<Kept> {
    if (!ended.record.answer) void chats.answered(ended.record);
    metrics.increment("approval.end_total", { verdict: outcome.verdict });
    if (outcome.verdict !== "done" && outcome.verdict !== "failed") {
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

  /** After a restart, open requests keep waiting and interrupted calls are reported. */
  async function recover(): Promise<void> {
    for await (const id of ledger.marks()) await engine.wake(WAKE_PREFIX + id);
  }

  async function list({ all = false }: { readonly all?: boolean } = {}): Promise<readonly ApprovalView[]> {
    const views: ApprovalView[] = [];
    for await (const { record } of all ? ledger.all() : ledger.unsettled()) {
      const isWaiting = record.state !== "ended" && (record.state !== "open" || clock.now() < record.expiresAt);
      if (all || isWaiting) views.push(viewOf(record));
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

  /** Runs approved calls that waited for a tool, now that it is available. */
  async function toolArrived(): Promise<void> {
    for (const [id, tool] of withoutTool) if (tools.has(tool)) await engine.wake(WAKE_PREFIX + id);
  }

  /** Codes of the requests that a user may answer now, oldest first. */
  async function openFor(user: string, asOwner: boolean): Promise<readonly string[]> {
    const open: ApprovalRecord[] = [];
    for await (const { record } of ledger.unsettled())
      if (record.state === "open" && clock.now() < record.expiresAt && (asOwner || isApprover(user, record)))
        open.push(record);
    return open.toSorted((a, b) => a.requestedAt - b.requestedAt).map(({ code }) => code);
  }

  return {
    request,
    openFor,
    toolArrived,
    /** Finds a request by its id or code. */
    find: async (idOrCode: string): Promise<ApprovalRecord | null> => (await ledger.find(idOrCode))?.record ?? null,
    /** Whether a request of this session has not ended. */
    async waitsIn(sessionKey: string): Promise<boolean> {
      for await (const { record } of ledger.unsettled())
        if (record.caller.sessionKey === sessionKey && record.state !== "ended") return true;
      return false;
    },
    /** The request of a call, if there is one. */
    of: async (callId: string): Promise<ApprovalRecord | null> => (await ledger.load(callId))?.record ?? null,
    decide,
    answer,
    settle,
    /** The handler of `approval:` keys. */
    async handle(key: string): Promise<void> {
      await settle(key.slice(WAKE_PREFIX.length));
    },
    recover,
    /**
     * Sets what runs approved calls. Set late, because the dispatch point itself needs
     * this room before it runs a call.
     */
    start(run: RunApproved): void {
      runApproved = run;
    },
    /** Aborts running calls, which are then reported as interrupted. */
    stop: (reason: unknown) => stopping.abort(reason),
    list,
    rules,
  };
}

/** Whether a wake key belongs to this room. */
export function isApprovalKey(key: string): boolean {
  return key.startsWith(WAKE_PREFIX);
}

/**
 * An approved call that has not begun can be denied. Beginning and denying write the same
 * document, so only one of them succeeds.
 */
function isAnswerable({ state }: ApprovalRecord, isDenied: boolean): boolean {
  return state === "open" || (isDenied && state === "approved");
}

function isSameCall(record: ApprovalRecord, asked: ApprovalRequest): boolean {
  return record.tool === asked.tool && sameJson(record.input, asked.input) && sameJson(record.boundTo, asked.boundTo);
}

function asLine({ id, tool, caller }: ApprovalRequest) {
  return { who: caller.user, target: tool, callId: id, sessionKey: caller.sessionKey, taskId: caller.taskId };
}
