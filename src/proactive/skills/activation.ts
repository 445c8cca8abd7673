import type { Clock } from "../../clock.ts";
import type { EventBus, Injection } from "../../events/index.ts";
import { taskTypeOf } from "../../memory/index.ts";
import { type Session, type Sessions, parseSessionKey } from "../../session/index.ts";
import {
  DEFAULT_MAX_ACTIVATED,
  type MatchResult,
  type OfferedSkills,
  type SkillStatistics,
  matchSkills,
  recommendSkills,
} from "../../skills/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { OfferedTo } from "./offered.ts";
import type { HookContext, HookTask, Injections, ProactiveHook } from "../hook.ts";

/** Skills that take longer than this to load are not waited for. */
export const SKILL_ACTIVATION_OPTIONS: HookOptions = { timeoutMs: 2000 };
/** Earlier turns whose tools count as recent. */
const RECENT_TURNS = 3;

export interface SkillActivationDeps {
  readonly offered: OfferedTo;
  /** How often each skill came and helped. */
  readonly statistics: { current(): SkillStatistics };
  readonly sessions: Pick<Sessions, "load">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
}

export interface SkillActivationOptions {
  /** Default `DEFAULT_MAX_ACTIVATED`. */
  readonly maxActivated?: number | undefined;
  /** Default that of prompts. */
  readonly tokenBudget?: number | undefined;
  /** Names skills without triggers that may fit. Default false. */
  readonly recommends?: boolean | undefined;
}

/**
 * Before a turn: the skills that fit the message, to be followed in this turn. What came and why stands in the turn's journal, and cool-downs are read from there.
 *
 * Source: docs/skills-matching.md.
 */
export function skillActivation(deps: SkillActivationDeps, options: SkillActivationOptions = {}): ProactiveHook {
  const { offered, statistics, sessions, events, clock } = deps;
  const { maxActivated = DEFAULT_MAX_ACTIVATED, tokenBudget, recommends = false } = options;

  async function fitting(task: HookTask, { sessionKey, dryRun }: HookContext): Promise<Injections> {
    const loading = offered.prepare();
    if (loading) await loading;
    const skills = offered.to(task, parseSessionKey(sessionKey)?.agentId ?? "");
    if (skills.skills.length === 0) return [];
    const session = await sessions.load(sessionKey);
    const input = { taskInput: task.text, sessionId: sessionKey, ...told(session, task) };
    const found = matchSkills(skills.library, input, {
      now: clock.now(),
      feedback: statistics.current(),
      lastActivated: lastActivated(session),
      maxActivated,
      ...(tokenBudget !== undefined && { tokenBudget }),
    });
    if (!dryRun && found.length > 0) tell(task, sessionKey, skills, found);
    const named = recommends && found.length < maxActivated ? recommended(skills, input, session) : [];
    return [...found.map((match, index) => activated(match, found.length - index, skills)), ...named];
  }

  function tell(task: HookTask, sessionKey: string, { library }: OfferedSkills, found: readonly MatchResult[]): void {
    if (!events.has("proactive.skill.auto_activated")) return;
    const payload = {
      taskId: task.taskId,
      user: task.user,
      skills: found.map(({ name, score, signals }) => ({ name, confidence: score, signals })),
      tokens: found.reduce((sum, { tokens }) => sum + tokens, 0),
      tokensOfAll: library.tokens,
    };
    events.publishAsync({
      type: "proactive.skill.auto_activated",
      sessionId: sessionKey,
      timestamp: clock.now(),
      payload,
    });
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

/** What the session says of the task: the tools of its last turns, what kind of task it is, where and in which language it is asked. */
function told({ history }: Pick<Session, "history">, { text, channel }: HookTask) {
  const recentTools = history.slice(-RECENT_TURNS).flatMap(({ out }) => (out?.toolCalls ?? []).map(({ name }) => name));
  const language = /\p{Script=Han}/u.test(text) ? "zh" : "en";
  return { recentTools, slots: { task_type: taskTypeOf(text), channel, language } };
}

/** When each skill last came in this session, as far as its turns are loaded. */
function lastActivated({ history }: Pick<Session, "history">): Readonly<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const { steps, out } of history)
    for (const { name } of steps[0]?.skills?.activated ?? []) times[name] = Math.max(times[name] ?? 0, out?.at ?? 0);
  return times;
}

/** A line that names skills which do not come by themselves. */
function recommended(
  offered: OfferedSkills,
  input: Parameters<typeof recommendSkills>[1],
  { history }: Pick<Session, "history">,
): readonly Injection[] {
  const lastUsed = new Map<string, number>();
  for (const { out } of history)
    for (const { name, input: given } of out?.toolCalls ?? [])
      if (name === "skills" && typeof given === "object" && given !== null && "name" in given)
        lastUsed.set(String(given["name"]), out?.at ?? 0);
  const { ranked } = recommendSkills(offered.library, input, { lastUsed: Object.fromEntries(lastUsed) });
  if (ranked.length === 0) return [];
  const content = `May fit; read one with the tool skills: ${ranked.map(({ name }) => name).join(", ")}`;
  return [{ type: "suggestion", content, source: "skills", priority: 0 }];
}
