import { AssistantError } from "../../errors.ts";
import { HOST_CHANNELS } from "../../host-channels.ts";
import { idOf } from "../../ids.ts";
import { ENTRY_TYPES, type MemoryApi } from "../../memory/index.ts";
import { OWNER_ROLE } from "../../policy/index.ts";
import { type JobPlace, type JobService, showTime } from "../../schedule/index.ts";
import { createTexts } from "../../session/index.ts";
import type { Evidence, EvidenceHome } from "./evidence.ts";
import type { Finding } from "./findings.ts";
import type { PatternAction } from "./pattern.ts";

export interface PatternPromisesDeps {
  /** Whether the feature that an action needs is switched on. It was on when the action was suggested. */
  readonly isOn: Readonly<Record<PatternAction["kind"], boolean>>;
  readonly evidence: Pick<Evidence, "home">;
  readonly jobs: Pick<JobService, "create">;
  readonly memory: Pick<MemoryApi, "save">;
  /** Creates a skill from a suggestion. @returns The skill's name. */
  acceptSkill(user: string, suggestion: string): Promise<string>;
  /** The user's current roles. */
  rolesOf(user: string): readonly string[];
}

const text = createTexts({
  en: {
    JOB: "Done. Next time: {time}.",
    REMEMBERED: "Done: I keep it in mind.",
    SKILL: "Done: the skill is called {name}.",
    NOTED: "Noted.",
  },
  zh: {
    JOB: "好了。下次时间：{time}。",
    REMEMBERED: "好的，我记住了。",
    SKILL: "好了，这个技能叫 {name}。",
    NOTED: "好的。",
  },
});

/**
 * Creates the function that carries out the action of a finding. If a crash repeats it, it creates no second job, skill
 * or entry.
 * @returns The function. It returns a line for the person, in their language.
 */
export function createPatternPromises({ isOn, evidence, jobs, memory, acceptSkill, rolesOf }: PatternPromisesDeps) {
  async function keepPromise(
    user: string,
    { id, raisedAt, language }: Finding,
    action: PatternAction,
  ): Promise<string> {
    if (!isOn[action.kind]) throw new AssistantError("NOT_FOUND", "What it needs is switched off");
    if (action.kind === "job") {
      const place = placeAt(await evidence.home(user));
      const { task, schedule, tz: timezone } = action;
      const viewer = { user: place.user, isOwner: place.roles.includes(OWNER_ROLE), roles: place.roles };
      const { next } = await jobs.create({ task, schedule, timezone, dedupeKey: `pattern:${id}` }, place, viewer);
      return text("JOB", { language }, { time: next[0] ? showTime(next[0], timezone) : "–" });
    }
    if (action.kind === "skill")
      return text("SKILL", { language }, { name: await acceptSkill(user, action.suggestion) });
    if (action.kind === "hint") return text("NOTED", { language });
    const { question, answer: known } = action;
    await memory.save({
      id: await idOf(raisedAt, `pattern ${id}`),
      userId: user,
      content: known === undefined ? question : `${question}\n${known}`,
      slots: { type: ENTRY_TYPES.note, source: "pattern" },
    });
    return text("REMEMBERED", { language });
  }

  /** The job gets only those of the person's roles at their last message that they still have. */
  function placeAt(home: EvidenceHome | undefined): JobPlace {
    if (!home) throw new AssistantError("NOT_FOUND", "Nobody wrote here yet");
    const { user, channel, account, chat, thread, session, roles: then } = home;
    const now = HOST_CHANNELS.includes(channel) ? then : rolesOf(user);
    const roles = then.filter((role) => now.includes(role));
    return { user, channel, account, chat, ...(thread !== undefined && { thread }), session, startedBy: user, roles };
  }

  return keepPromise;
}
