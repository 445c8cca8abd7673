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

/** How deep sub-agents may start one another. */
export const DEFAULT_MAX_DEPTH = 2;
/** Seconds that a call waits for a result. */
export const DEFAULT_WAIT_SECONDS = 120;
/** Tokens and seconds of one sub-agent. */
export const DEFAULT_MAX_TOKENS = 100_000;
export const DEFAULT_MAX_SECONDS = 900;
/** With less left nothing is begun. */
const MIN_TOKENS = 1000;
/** How often the document is looked at of one that another process works on. */
const LOOK_MS = 2000;
/** Milliseconds after which a sub-agent is looked at whose wake the store did not take. */
const SAFETY_WAKE_MS = 60_000;
const KEYS = "sub:";
/** The sessions of the runtime's own sub-agents. */
const OWN = /:sub:(sa-[0-9a-f]+)$/;

export interface SubagentServiceDeps {
  readonly subagents: Subagents;
  readonly live: LiveSubagents;
  readonly news: SubagentNews;
  readonly slots: Pick<Slots, "lend">;
  readonly spending: Pick<Spending, "leftOf" | "usedBySubagent">;
  /** Ends what runs in a session, and the workflows that were begun there. Durable when it resolves. */
  stopWork(sessionKey: string, by: string): Promise<void>;
  /** The full name of an agent's model that somebody means, of these names. */
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

/** What is handed on. */
export interface HandedOn {
  readonly task: string;
  readonly tools?: readonly string[] | undefined;
  readonly model?: string | undefined;
  /** Tokens. */
  readonly budget?: number | undefined;
}

/** A call of a turn. */
interface CutOffCall {
  readonly sessionKey: string;
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

/** What tools and people do with sub-agents. */
export type SubagentService = ReturnType<typeof createSubagentService>;

/** Starts sub-agents, waits for them and ends them. Source: docs/subagents.md. */
export function createSubagentService(deps: SubagentServiceDeps, options: SubagentServiceOptions = {}) {
  const { subagents, live, news, slots, spending, stopWork, models, engine, clock } = deps;
  const { maxDepth = DEFAULT_MAX_DEPTH, waitSeconds = DEFAULT_WAIT_SECONDS } = options;
  const { maxTokens = DEFAULT_MAX_TOKENS, maxSeconds = DEFAULT_MAX_SECONDS } = options;
  const arrivals = createArrivals();
  const inTurn = createTurns();

  /** The sub-agent whose turn calls; undefined: it is no sub-agent's. */
  async function callerOf({ sessionKey }: ToolContext): Promise<Subagent | undefined> {
    const id = isSubSession(sessionKey) ? OWN.exec(sessionKey)?.[1] : undefined;
    if (id === undefined) return undefined;
    const found = await subagents.find(id);
    // Nobody knows any more how deep it is and what it may use.
    if (found?.sessionKey !== sessionKey)
      throw new ToolError("GONE", "This sub-agent was removed and starts no others");
    return found;
  }

  /**
   * Starts one for a call; the same call has the same one.
   * @throws {ToolError} `TOO_DEEP`, `TOO_MANY`, `BUDGET_EXCEEDED`, `BAD_INPUT`, `GONE`.
   */
  function start(context: ToolContext, handedOn: HandedOn, awaited: boolean): Promise<Subagent> {
    // One after another: each counts what those before it were given of their starter's budget.
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
        "Not started: as many sub-agents of this conversation run as may (subagents.maxRunning). Wait for one with bg_collect, or do the work here",
      );
    // The first wake covers a store that takes the document and fails for the wake beside it.
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
        `Not started: a sub-agent of depth ${maxDepth} starts no others (subagents.maxDepth). Do the work here`,
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
        "Not started: what this task may use is used up. Do the rest here, in few words",
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

  /** What a sub-agent may still give to others: all of its own together get no more than it has, nor than is left of its run. */
  async function tokensLeft(parent: Subagent, context: ToolContext): Promise<number> {
    const others = (await subagents.ofRoot(parent.root)).filter((one) => one.parent === parent.sessionKey);
    const given = others.reduce((sum, one) => sum + (one.state === "running" ? one.limits.maxTokens : one.tokens), 0);
    return Math.min(parent.limits.maxTokens - given, (await spending.leftOf(context)) ?? maxTokens);
  }

  /** What a turn that is no sub-agent's may give to one: in a step of a run what is left of that. */
  async function leftOfRun(context: ToolContext, work: string | undefined): Promise<number> {
    let left = await spending.leftOf(context);
    if (left === undefined) return maxTokens;
    for (const one of await subagents.ofRoot(context.sessionKey))
      if (one.work === work && one.state === "running")
        left -= one.limits.maxTokens - (await spending.usedBySubagent(one)).tokens;
    return left;
  }

  /** Waits until it has ended, at most so long as a call waits, with the place of the turn given back. @returns It as it is then. */
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

  /** Nobody waits for it any more: its result is told when it comes. @returns It as it is now. */
  async function toBackground(id: string): Promise<Subagent | undefined> {
    const changed = await subagents.change(id, (one) => (one.awaited ? { ...one, awaited: false } : null));
    // It may have ended while it was waited for.
    if (changed && changed.subagent.state !== "running") await engine.wake(KEYS + id);
    return changed?.subagent;
  }

  /** The result is given by a call, and told nowhere besides. */
  async function take(id: string): Promise<void> {
    await subagents.change(id, (one) => (one.delivery === "open" ? { ...one, delivery: "taken" } : null));
  }

  /** Waits for one, and gives it when it has ended; one that takes longer goes on in the background. */
  async function awaitResult(context: ToolContext, id: string, onStopped: () => Promise<unknown>): Promise<Subagent> {
    let one: Subagent | undefined;
    try {
      one = await wait(context, id);
    } catch (error) {
      if (context.signal.aborted) await leave(context.signal.reason, id, onStopped);
      throw error;
    }
    if (one?.state === "running") {
      // Unless it has ended since.
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
    // The process stops: the call is run again, and waits on.
    if (AssistantError.is(reason, "STOPPED")) return;
    await (reason instanceof BrokenIntoError ? toBackground(id) : onStopped());
  }

  /** Ends one that runs, and those that it started. */
  async function cancel(id: string, reason: string): Promise<boolean> {
    const running = await subagents.find(id);
    // Whoever ends its turn writes what that came to; a crash may come before.
    const used = running && (await spending.usedBySubagent(running));
    const changed = await subagents.change(id, (one) =>
      one.state === "running"
        ? {
            ...one,
            ...(used && { tokens: used.tokens, toolCalls: used.toolCalls }),
            state: "cancelled",
            endedAt: clock.now(),
            error: { code: "CANCELLED", message: reason },
            // Whoever ended it knows.
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

  /** Ends what one was at that was cancelled. */
  function endWork({ id, sessionKey }: Subagent): Promise<void> {
    return stopWork(sessionKey, id);
  }

  /** Those that a conversation's turns may see: of the conversation, and what was done for it. */
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
    /** Runs a task and gives it when it has ended; one that takes too long is given as it runs. */
    async run(context: ToolContext, handedOn: HandedOn): Promise<Subagent> {
      const { id } = await start(context, handedOn, true);
      return awaitResult(context, id, () => cancel(id, "The turn that waited for it was ended"));
    },
    async dispatch(context: ToolContext, handedOn: HandedOn): Promise<Subagent> {
      const one = await start(context, handedOn, false);
      // Whoever stopped the call meanwhile ended those that there were.
      if (context.signal.aborted)
        await leave(context.signal.reason, one.id, () => cancel(one.id, "A person stopped it"));
      return one;
    },
    /** Waits for one and takes its result. @throws {ToolError} `NOT_FOUND`, `GONE`. */
    async collect(context: ToolContext, id: string): Promise<Subagent> {
      await seenBy(context, id);
      await subagents.change(id, (one) => (one.state === "running" && !one.awaited ? { ...one, awaited: true } : null));
      return awaitResult(context, id, () => toBackground(id));
    },
    /** A call was cut off by a message, and a crash may have kept the one that it waited for from being told of. */
    async letGo({ sessionKey, callId, name, input }: CutOffCall): Promise<void> {
      const collected = name === "bg_collect" ? (input as { readonly id?: unknown } | null)?.id : undefined;
      await toBackground(typeof collected === "string" ? collected : await subagents.idOf(sessionKey, callId));
    },
    /** @throws {ToolError} `NOT_FOUND`. */
    async status(context: ToolContext, id?: string) {
      if (id !== undefined) return [await viewed(await seenBy(context, id))];
      const root = (await callerOf(context))?.root ?? context.sessionKey;
      return Promise.all((await subagents.ofRoot(root)).map(viewed));
    },
    /** Ends all that a conversation's turns started. @returns How many ran. */
    async stopAll(root: string): Promise<number> {
      let ended = 0;
      for (const { id, state } of await subagents.ofRoot(root))
        if (state === "running" && (await cancel(id, "A person stopped it"))) ended += 1;
      return ended;
    },
    isKey: (key: string): boolean => key.startsWith(KEYS),
    idOfKey: (key: string): string => key.slice(KEYS.length),
    /** What was written beside a wake of it can be read. */
    landed: arrivals.landed,
  };
}

/** How many sub-agents started one another up to here, whatever they did it by: a workflow hides none. */
function depthIn({ sessionKey, startedBy }: Pick<ToolContext, "sessionKey" | "startedBy">): number {
  const own = OWN.test(sessionKey) ? 1 : 0;
  return startedBy === undefined ? own : own + depthIn(startedBy);
}

/** Where its person is told what comes of it, and asked for approval: where the work is for, else where the call is made. */
function homeOf({ home, sessionKey, target }: ToolContext): Home {
  if (home) return home;
  if (target === undefined) return { sessionKey };
  const { replyTo: _once, ...chat } = target;
  return { sessionKey, target: chat };
}
