import type { Clock } from "../../clock.ts";
import { type Engine, createArrivals } from "../../engine/index.ts";
import { AssistantError } from "../../errors.ts";
import type { Home } from "../../notice.ts";
import { BrokenIntoError, type Slots, isSubSession, subSessionKey } from "../../session/index.ts";
import { SUBAGENTS_FORMAT, type Subagent, type Subagents } from "../../subagents/index.ts";
import { createTurns } from "../../store/index.ts";
import { sharedTools } from "../../tool-lists.ts";
import { type ToolContext, ToolError } from "../../tools/index.ts";
import { withTimeout } from "../../time-limit.ts";
import { runOfCalls } from "../workflow/keys.ts";
import type { Spending } from "../workflow/spending.ts";
import type { LiveSubagents } from "./live-subagents.ts";
import type { SubagentNews } from "./subagent-news.ts";

/** Default of how deep sub-agents may start one another. */
export const DEFAULT_MAX_DEPTH = 2;
/** Default of the seconds that a call waits for a result. */
export const DEFAULT_WAIT_SECONDS = 120;
/** Default limits of one sub-agent, in tokens and seconds. */
export const DEFAULT_MAX_TOKENS = 100_000;
export const DEFAULT_MAX_SECONDS = 900;
/** A sub-agent is not started with fewer tokens left. */
const MIN_TOKENS = 1000;
/** Milliseconds between two reads of a document that another process may change. */
const LOOK_MS = 2000;
/** Milliseconds until the safety wake of a new sub-agent, in case the store fails for its first wake. */
const SAFETY_WAKE_MS = 60_000;
const KEYS = "sub:";
/** Matches the sessions of the runtime's own sub-agents. */
const OWN = /:sub:(sa-[0-9a-f]+)$/;

export interface SubagentServiceDeps {
  readonly subagents: Subagents;
  readonly live: LiveSubagents;
  readonly news: SubagentNews;
  readonly slots: Pick<Slots, "lend">;
  readonly spending: Pick<Spending, "leftOf" | "usedBySubagent">;
  /** Stops all work in a session, and the workflows started there. Durable when it resolves. */
  stopWork(sessionKey: string, by: string): Promise<void>;
  /** Resolves the name of an agent's model to its full name, and lists the full names. */
  readonly models: {
    modelNamed(agentId: string, wanted: string): string | undefined;
    modelNames(agentId: string): readonly string[];
  };
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
}

export interface SubagentServiceOptions {
  readonly maxDepth?: number | undefined;
  readonly waitSeconds?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

/** A task that is handed to a sub-agent. */
export interface HandedOn {
  readonly task: string;
  readonly tools?: readonly string[] | undefined;
  readonly model?: string | undefined;
  /** Token limit. */
  readonly budget?: number | undefined;
}

/** A call that a message cut off. */
interface CutOffCall {
  readonly sessionKey: string;
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

/** Operations on sub-agents for tools and people. */
export type SubagentService = ReturnType<typeof createSubagentService>;

/** Starts sub-agents, waits for them and ends them. Source: docs/subagents.md. */
export function createSubagentService(deps: SubagentServiceDeps, options: SubagentServiceOptions = {}) {
  const { subagents, live, news, slots, spending, stopWork, models, engine, clock } = deps;
  const { maxDepth = DEFAULT_MAX_DEPTH, waitSeconds = DEFAULT_WAIT_SECONDS } = options;
  const { maxTokens = DEFAULT_MAX_TOKENS, maxSeconds = DEFAULT_MAX_SECONDS } = options;
  const arrivals = createArrivals();
  const inTurn = createTurns();

  /** The sub-agent whose turn makes the call; undefined: the caller is no sub-agent. */
  async function callerOf({ sessionKey }: ToolContext): Promise<Subagent | undefined> {
    const id = isSubSession(sessionKey) ? OWN.exec(sessionKey)?.[1] : undefined;
    if (id === undefined) return undefined;
    const found = await subagents.find(id);
    // Its depth and its limits are no longer known.
    if (found?.sessionKey !== sessionKey)
      throw new ToolError("GONE", "This sub-agent was removed and cannot start others");
    return found;
  }

  /**
   * Starts a sub-agent for a call. The same call always gets the same sub-agent.
   * @throws {ToolError} `TOO_DEEP`, `TOO_MANY`, `BUDGET_EXCEEDED`, `BAD_INPUT`, `GONE`.
   */
  function start(context: ToolContext, handedOn: HandedOn, awaited: boolean): Promise<Subagent> {
    // One at a time per session: each start counts the budget given to those before it.
    return inTurn(context.sessionKey, () => startNext(context, handedOn, awaited));
  }

  async function startNext(context: ToolContext, handedOn: HandedOn, awaited: boolean): Promise<Subagent> {
    const id = await subagents.idOf(context.sessionKey, context.callId);
    const known = await subagents.find(id);
    if (known) {
      if (known.state === "running") await engine.wake(KEYS + id);
      return known;
    }
    const wanted = await describe(id, context, handedOn, awaited);
    if (!(await subagents.claim(wanted.root, id, wanted.work)))
      throw new ToolError(
        "TOO_MANY",
        "Not started: the maximum number of sub-agents of this conversation is running (subagents.maxRunning). Wait for one with bg_collect, or do the work here",
      );
    // The safety wake covers a store that takes the document but fails for the wake issued with it.
    await engine.wake(KEYS + id, new Date(clock.now() + SAFETY_WAKE_MS));
    const creating = subagents.create(wanted);
    arrivals.add(id, creating);
    const [created] = await Promise.all([creating, engine.wake(KEYS + id)]);
    news.started(created);
    return created;
  }

  async function describe(
    id: string,
    context: ToolContext,
    { task, tools: wanted, model, budget }: HandedOn,
    awaited: boolean,
  ): Promise<Subagent> {
    const { speaker, agentId, sessionKey, startedBy, unattended, onlyTools, withoutTools, speakers } = context;
    const parent = await callerOf(context);
    const work = parent ? parent.work : runOfCalls(sessionKey) === undefined ? context.taskId : context.callId;
    const depth = depthIn(context) + 1;
    if (depth > maxDepth)
      throw new ToolError(
        "TOO_DEEP",
        `Not started: a sub-agent of depth ${maxDepth} cannot start others (subagents.maxDepth). Do the work here`,
      );
    const named = model === undefined ? undefined : models.modelNamed(agentId, model);
    if (model !== undefined && named === undefined)
      throw new ToolError(
        "BAD_INPUT",
        `There is no such model: choose one of ${models.modelNames(agentId).join(", ")}`,
      );
    const tools = sharedTools(onlyTools, wanted);
    const left = parent ? await tokensLeft(parent, context) : await leftOfRun(context, work);
    if (left < MIN_TOKENS)
      throw new ToolError(
        "BUDGET_EXCEEDED",
        "Not started: the budget of this task is used up. Do the rest here, in few words",
      );
    const { user, roles, channel, account, peer } = speaker;
    return {
      v: SUBAGENTS_FORMAT,
      id,
      task,
      person: { user, roles, channel, account, peer, ...(speakers && { speakers }) },
      sessionKey: subSessionKey(agentId, id),
      parent: sessionKey,
      root: parent?.root ?? sessionKey,
      ...(work !== undefined && { work }),
      home: homeOf(context),
      startedBy: { channel, roles, sessionKey, ...(startedBy && { startedBy }) },
      depth,
      limits: {
        ...(tools && { tools }),
        ...(withoutTools && { withoutTools }),
        ...(named !== undefined && { model: named }),
        maxTokens: Math.min(budget ?? maxTokens, maxTokens, left),
        maxSeconds,
      },
      ...(unattended && { unattended }),
      state: "running",
      awaited,
      delivery: "open",
      startedAt: clock.now(),
      tokens: 0,
    };
  }

  /**
   * Tokens that a sub-agent may still give to others: all that it starts share what it has left and what its workflow
   * run has left.
   */
  async function tokensLeft(parent: Subagent, context: ToolContext): Promise<number> {
    const others = (await subagents.ofRoot(parent.root)).filter((one) => one.parent === parent.sessionKey);
    const given = others.reduce((sum, one) => sum + (one.state === "running" ? one.limits.maxTokens : one.tokens), 0);
    return Math.min(parent.limits.maxTokens - given, (await spending.leftOf(context)) ?? maxTokens);
  }

  /** Tokens that a turn that is no sub-agent may give to one. In a step of a workflow: what the run has left. */
  async function leftOfRun(context: ToolContext, work: string | undefined): Promise<number> {
    let left = await spending.leftOf(context);
    if (left === undefined) return maxTokens;
    for (const one of await subagents.ofRoot(context.sessionKey))
      if (one.work === work && one.state === "running")
        left -= one.limits.maxTokens - (await spending.usedBySubagent(one)).tokens;
    return left;
  }

  /**
   * Waits until a sub-agent has ended, at most `waitSeconds`, and lends the turn's slot meanwhile.
   * @returns Its state after the wait.
   */
  function wait(context: ToolContext, id: string): Promise<Subagent | undefined> {
    return slots.lend(context.sessionKey, whenEnded(id, context.signal), context.signal);
  }

  async function whenEnded(id: string, signal: AbortSignal): Promise<Subagent | undefined> {
    const untilMs = clock.now() + waitSeconds * 1000;
    for (;;) {
      signal.throwIfAborted();
      const listening = live.listen(id);
      try {
        const one = await subagents.find(id);
        const leftMs = untilMs - clock.now();
        if (one?.state !== "running" || leftMs <= 0) return one;
        await withTimeout(clock, Math.min(leftMs, LOOK_MS), listening.changed, () => {}, signal);
      } finally {
        listening.leave();
      }
    }
  }

  /** Moves a sub-agent to the background: its result is reported when it comes. @returns Its state now. */
  async function toBackground(id: string): Promise<Subagent | undefined> {
    const changed = await subagents.change(id, (one) => (one.awaited ? { ...one, awaited: false } : null));
    // It may have ended while a call waited for it.
    if (changed && changed.subagent.state !== "running") await engine.wake(KEYS + id);
    return changed?.subagent;
  }

  /** Marks the result as taken by a call, so that it is not reported elsewhere. */
  async function take(id: string): Promise<void> {
    await subagents.change(id, (one) => (one.delivery === "open" ? { ...one, delivery: "taken" } : null));
  }

  /** Waits for a sub-agent and returns it when it has ended; one that takes longer continues in the background. */
  async function awaitResult(context: ToolContext, id: string, onStopped: () => Promise<unknown>): Promise<Subagent> {
    let one: Subagent | undefined;
    try {
      one = await wait(context, id);
    } catch (error) {
      if (context.signal.aborted) await leave(context.signal.reason, id, onStopped);
      throw error;
    }
    if (one?.state === "running") {
      // It may have ended in the meantime.
      const changed = await subagents.change(id, (now) =>
        now.state === "running" ? { ...now, awaited: false } : null,
      );
      one = changed?.subagent;
    }
    if (!one) throw new ToolError("GONE", "This sub-agent was removed");
    if (one.state !== "running") await take(id);
    return one;
  }

  async function leave(reason: unknown, id: string, onStopped: () => Promise<unknown>): Promise<void> {
    // The process stops: the call is run again and waits again.
    if (AssistantError.is(reason, "STOPPED")) return;
    await (reason instanceof BrokenIntoError ? toBackground(id) : onStopped());
  }

  /** Cancels a running sub-agent and those that it started. */
  async function cancel(id: string, reason: string): Promise<boolean> {
    const running = await subagents.find(id);
    // The handler that ends its turn writes the final use. A crash may come first, so the use so far is stored here.
    const used = running && (await spending.usedBySubagent(running));
    const changed = await subagents.change(id, (one) =>
      one.state === "running"
        ? {
            ...one,
            ...(used && { tokens: used.tokens, toolCalls: used.toolCalls }),
            state: "cancelled",
            endedAt: clock.now(),
            error: { code: "CANCELLED", message: reason },
            // The canceller already knows, so nothing is reported.
            delivery: "taken",
          }
        : null,
    );
    if (!changed) return false;
    const { subagent, isChanged } = changed;
    if (isChanged) {
      news.ended(subagent);
      live.changed(id);
      await endWork(subagent);
    }
    for (const one of await subagents.ofRoot(subagent.root))
      if (one.parent === subagent.sessionKey && one.state === "running") await cancel(one.id, reason);
    return isChanged;
  }

  /** Stops the work of a cancelled sub-agent. */
  function endWork({ id, sessionKey }: Subagent): Promise<void> {
    return stopWork(sessionKey, id);
  }

  /** A sub-agent that this conversation's turns may see: one of the conversation, or one that works for it. */
  async function seenBy(context: ToolContext, id: string): Promise<Subagent> {
    const one = await subagents.find(id);
    const root = (await callerOf(context))?.root ?? context.sessionKey;
    if (one && (one.root === root || one.home.sessionKey === context.sessionKey)) return one;
    throw new ToolError("NOT_FOUND", `There is no sub-agent ${JSON.stringify(id.slice(0, 64))} of this conversation`);
  }

  async function viewed(one: Subagent) {
    const elapsedMs = (one.endedAt ?? clock.now()) - one.startedAt;
    return {
      ...one,
      elapsedSeconds: Math.round(elapsedMs / 1000),
      tokens: (await spending.usedBySubagent(one)).tokens,
    };
  }

  return {
    endWork,
    /** Runs a task and returns the sub-agent when it has ended, or while it still runs if it takes too long. */
    async run(context: ToolContext, handedOn: HandedOn): Promise<Subagent> {
      const { id } = await start(context, handedOn, true);
      return awaitResult(context, id, () => cancel(id, "The turn that waited for it was ended"));
    },
    async dispatch(context: ToolContext, handedOn: HandedOn): Promise<Subagent> {
      const one = await start(context, handedOn, false);
      // The call was stopped before this sub-agent existed, so the stop could not end it.
      if (context.signal.aborted)
        await leave(context.signal.reason, one.id, () => cancel(one.id, "A person stopped it"));
      return one;
    },
    /** Waits for a sub-agent and takes its result. @throws {ToolError} `NOT_FOUND`, `GONE`. */
    async collect(context: ToolContext, id: string): Promise<Subagent> {
      await seenBy(context, id);
      await subagents.change(id, (one) => (one.state === "running" && !one.awaited ? { ...one, awaited: true } : null));
      return awaitResult(context, id, () => toBackground(id));
    },
    /**
     * Moves the sub-agent of a call that a message cut off to the background. After a crash this may not have happened
     * yet, and its result would not be reported.
     */
    async letGo({ sessionKey, callId, name, input }: CutOffCall): Promise<void> {
      const collected = name === "bg_collect" ? (input as { readonly id?: unknown } | null)?.id : undefined;
      await toBackground(typeof collected === "string" ? collected : await subagents.idOf(sessionKey, callId));
    },
    /** Lists one sub-agent, or all of the conversation. @throws {ToolError} `NOT_FOUND`. */
    async status(context: ToolContext, id?: string) {
      if (id !== undefined) return [await viewed(await seenBy(context, id))];
      const root = (await callerOf(context))?.root ?? context.sessionKey;
      return Promise.all((await subagents.ofRoot(root)).map(viewed));
    },
    /** Cancels all sub-agents of a conversation. @returns How many were running. */
    async stopAll(root: string): Promise<number> {
      let ended = 0;
      for (const { id, state } of await subagents.ofRoot(root))
        if (state === "running" && (await cancel(id, "A person stopped it"))) ended += 1;
      return ended;
    },
    isKey: (key: string): boolean => key.startsWith(KEYS),
    idOfKey: (key: string): string => key.slice(KEYS.length),
    /** Resolves when the writes issued with a wake can be read. */
    landed: arrivals.landed,
  };
}

/** Depth of nested sub-agents up to this caller. Workflows in between do not reset the count. */
function depthIn({ sessionKey, startedBy }: Pick<ToolContext, "sessionKey" | "startedBy">): number {
  const own = OWN.test(sessionKey) ? 1 : 0;
  return startedBy === undefined ? own : own + depthIn(startedBy);
}

/** Where the person gets the result and approval requests: the home of the work, else the chat of the call. */
function homeOf({ home, sessionKey, target }: ToolContext): Home {
  if (home) return home;
  if (target === undefined) return { sessionKey };
  const { replyTo: _once, ...chat } = target;
  return { sessionKey, target: chat };
}
