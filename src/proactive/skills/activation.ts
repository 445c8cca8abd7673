import { estimateTokenCount } from "tokenx";
import type { Clock } from "../../clock.ts";
import type { PatternEngine } from "../../patterns/index.ts";
import type { EventBus, Injection } from "../../events/index.ts";
import { taskTypeOf } from "../../memory/index.ts";
import { type MemorySpeaker, type Session, type Sessions, parseSessionKey } from "../../session/index.ts";
import {
  DEFAULT_MAX_ACTIVATED,
  DEFAULT_TOKEN_BUDGET,
  type MatchOptions,
  type MatchResult,
  type OfferedSkills,
  type Skill,
  type SkillActivation,
  type RecommendInput,
  matchSkills,
  recommendSkills,
} from "../../skills/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { OfferedTo } from "./offered.ts";
import type { HookContext, HookTask, Injections, ProactiveHook } from "../hook.ts";

/** The turn goes on without skills that take longer to load. */
export const SKILL_ACTIVATION_OPTIONS: HookOptions = { timeoutMs: 2000 };
/** Number of earlier turns whose tools count as recent. */
const RECENT_TURNS = 3;
/** Maximum number of skills without triggers that are recommended with one message. */
const MAX_RECOMMENDED = 3;

export interface SkillActivationDeps {
  readonly offered: OfferedTo;
  /** How often each skill was activated and helped. */
  readonly statistics: { current(): MatchOptions["feedback"] };
  /** A person's activations, newest first. */
  activationsOf(speaker: MemorySpeaker): Promise<readonly SkillActivation[]>;
  readonly sessions: Pick<Sessions, "load">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
  /** The linear-time pattern engine, or null if there is none. */
  linear(): PatternEngine | null;
  /** The memory user of a message. */
  memoryUserOf(speaker: MemorySpeaker): string;
}

export interface SkillActivationOptions {
  /** Default `DEFAULT_MAX_ACTIVATED`. */
  readonly maxActivated?: number | undefined;
  /** Default: the token budget of prompts. */
  readonly tokenBudget?: number | undefined;
  /** Whether to recommend skills without triggers that may fit. Default false. */
  readonly recommends?: boolean | undefined;
}

/**
 * Before a turn, activates the skills that fit the message, for this turn. The turn's journal records which were
 * activated and why. Cool-downs are read from it; for turns that are no longer loaded, from the person's activations.
 *
 * Source: docs/skills-matching.md.
 */
export function skillActivation(deps: SkillActivationDeps, options: SkillActivationOptions = {}): ProactiveHook {
  const { offered, statistics, activationsOf, sessions, events, clock, linear, memoryUserOf } = deps;
  const { maxActivated = DEFAULT_MAX_ACTIVATED, tokenBudget = DEFAULT_TOKEN_BUDGET, recommends = false } = options;

  async function fitting(task: HookTask, { sessionKey, dryRun }: HookContext): Promise<Injections> {
    const loading = offered.prepare();
    if (loading) await loading;
    const skills = offered.to(task, parseSessionKey(sessionKey)?.agentId ?? "");
    if (skills.skills.length === 0) return [];
    const session = await sessions.load(sessionKey);
    const input = {
      taskInput: task.text,
      sessionId: sessionKey,
      userId: memoryUserOf(task),
      ...told(session, task),
    };
    const feedback = statistics.current();
    const matching = {
      now: clock.now(),
      ...(feedback && { feedback }),
      lastActivated: lastActivated(session),
      maxActivated,
      tokenBudget,
      isOffered: ({ name }: Skill) => skills.find(name) !== undefined,
    };
    let found = matchSkills(skills.library, input, matching, linear);
    if (!session.complete && found.some(({ skill }) => skill.cooldown > 0)) {
      const last = { ...lastRecorded(await activationsOf(task), sessionKey), ...matching.lastActivated };
      found = matchSkills(skills.library, input, { ...matching, lastActivated: last }, linear);
    }
    if (!dryRun && found.length > 0) tell(task, sessionKey, skills, found);
    const named = recommends ? recommended(skills, { ...input, channel: task.channel }, matching) : [];
    return [...found.map((match, index) => activated(match, found.length - index, skills)), ...named];
  }

  function tell({ taskId, user }: HookTask, sessionId: string, skills: OfferedSkills, found: readonly MatchResult[]) {
    const timestamp = clock.now();
    if (events.has("proactive.skill.auto_activated")) {
      const payload = {
        taskId,
        user,
        skills: found.map(({ name, score, signals }) => ({ name, confidence: score, signals })),
        tokens: found.reduce((sum, { tokens }) => sum + tokens, 0),
        tokensOfAll: tokensOfAll(skills),
      };
      events.publishAsync({ type: "proactive.skill.auto_activated", sessionId, timestamp, payload });
    }
    if (!events.has("proactive.skill.chain_started")) return;
    for (const { name, skill } of found)
      if (skill.chain !== undefined) {
        const payload = { taskId, user, skill: name };
        events.publishAsync({ type: "proactive.skill.chain_started", sessionId, timestamp, payload });
      }
  }

  return { name: "skill-activation", onTaskStart: fitting };
}

function activated({ name, score, signals, text }: MatchResult, priority: number, offered: OfferedSkills): Injection {
  const { hash = "" } = offered.find(name) ?? {};
  return {
    type: "skill_activation",
    content: text,
    source: name,
    priority,
    skill: { name, hash, confidence: score, signals: signals.map(({ kind, weight }) => ({ kind, weight })) },
  };
}

/** Returns what skill matching needs from the session: tools of the last turns, task type, channel and language. */
function told({ history }: Pick<Session, "history">, { text, channel }: HookTask) {
  const recentTools = history.slice(-RECENT_TURNS).flatMap(({ out }) => (out?.toolCalls ?? []).map(({ name }) => name));
  return { recentTools, slots: skillSlots(text, channel) };
}

/** Returns the slots of a message that skills can match. */
export function skillSlots(text: string, channel: string | undefined) {
  const language = /\p{Script=Han}/u.test(text) ? "zh" : "en";
  let taskType: string | undefined;
  return {
    // Computed only on demand: few skills need it, and it is the slowest.
    get task_type() {
      return (taskType ??= taskTypeOf(text));
    },
    channel,
    language,
  };
}

/** When each skill was last activated in this session, as far as its turns are loaded. */
function lastActivated({ history }: Pick<Session, "history">): Readonly<Record<string, number>> {
  const times = new Map<string, number>();
  for (const { steps, out } of history)
    for (const { name } of steps[0]?.skills?.activated ?? [])
      times.set(name, Math.max(times.get(name) ?? 0, out?.at ?? 0));
  return Object.fromEntries(times);
}

/** The same for turns that are no longer loaded, from the person's activations. */
function lastRecorded(activations: readonly SkillActivation[], sessionKey: string): Readonly<Record<string, number>> {
  const own = activations.filter(({ session, activatedBy }) => session === sessionKey && activatedBy === "auto");
  return Object.fromEntries(own.toReversed().map(({ skill, at }) => [skill, at]));
}

const counted = new WeakMap<OfferedSkills, number>();

/** Estimated tokens of all skill bodies together, cached. */
function tokensOfAll(offered: OfferedSkills): number {
  let tokens = counted.get(offered);
  if (tokens === undefined) {
    tokens = offered.skills.reduce((sum, { skill }) => sum + estimateTokenCount(skill.body), 0);
    counted.set(offered, tokens);
  }
  return tokens;
}

/** Returns a line that names skills which are not activated automatically. */
function recommended(
  { skills }: OfferedSkills,
  input: RecommendInput,
  { feedback, ...options }: Pick<MatchOptions, "feedback" | "now" | "lastActivated">,
): readonly Injection[] {
  const history = feedback ? { history: feedback } : {};
  const { ranked } = recommendSkills(
    skills.map(({ skill }) => skill),
    input,
    { ...options, ...history, limit: MAX_RECOMMENDED },
  );
  if (ranked.length === 0) return [];
  const content = `Skills that may fit; the tool skills reads them: ${ranked.map(({ name }) => name).join(", ")}`;
  return [{ type: "suggestion", content, source: "skills", priority: 0 }];
}
