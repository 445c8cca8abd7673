import { AssistantError } from "../../errors.ts";
import { HOST_CHANNELS } from "../../host-channels.ts";
import { idOf } from "../../ids.ts";
import { ENTRY_TYPES, type MemoryApi, type ReadWriteLock } from "../../memory/index.ts";
import { OWNER_ROLE } from "../../policy/index.ts";
import { type JobPlace, type JobService, showTime } from "../../schedule/index.ts";
import { createTexts } from "../../session/index.ts";
import type { JsonValue } from "../../store/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import type { Evidence, EvidenceHome } from "./evidence.ts";
import type { Finding, Findings } from "./findings.ts";
import type { PatternAction } from "./pattern.ts";
import { type Withdraw, findingOf } from "./tell-finding.ts";

/** What a person can say to a finding. */
export const PATTERN_ANSWERS = ["yes", "later", "no"] as const;
export type PatternAnswer = (typeof PATTERN_ANSWERS)[number];

export interface PatternAnswersDeps {
  readonly findings: Pick<Findings, "get" | "decide" | "putOff" | "weigh">;
  readonly evidence: Pick<Evidence, "home">;
  readonly jobs: Pick<JobService, "create">;
  readonly memory: Pick<MemoryApi, "save">;
  /** Suggestions of skills, by their ids. `accept` gives the skill's name. */
  readonly skills: Record<"accept" | "decline" | "putOff", (user: string, suggestion: string) => Promise<string>>;
  readonly withdraw: Withdraw;
  /** The name that a person's memory has now. */
  canonicalUser(userId: string): string;
  /** Roles of a user now. */
  rolesOf(user: string): readonly string[];
  /** Nothing is done while a person is forgotten. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly metrics: Pick<Metrics, "increment">;
}

const text = createTexts({
  en: {
    JOB: "Done. Next time: {time}.",
    REMEMBERED: "Done: I keep it in mind.",
    SKILL: "Done: the skill is called {name}.",
    NOTED: "Noted.",
    LATER: "All right, I will ask again in {days} days at the earliest.",
    NO: "All right, I will not bring it up again.",
    DECIDED: "You have answered that already.",
    GONE: "That is over.",
    FAILED: "That did not work: {reason}.",
  },
  zh: {
    JOB: "好了。下次时间：{time}。",
    REMEMBERED: "好的，我记住了。",
    SKILL: "好了，这个技能叫 {name}。",
    NOTED: "好的。",
    LATER: "好的，至少 {days} 天后再问您。",
    NO: "好的，不再提了。",
    DECIDED: "您已经回答过了。",
    GONE: "这件事已经过去了。",
    FAILED: "没有成功：{reason}。",
  },
});

/**
 * What a person's answer to a finding leads to. A yes does what was promised, with the rights that the person has now, and is kept behind it: answered again, after a
 * crash, it makes no second job, skill or entry.
 *
 * Source: docs/patterns.md, "Answering".
 */
export function createPatternAnswers(deps: PatternAnswersDeps) {
  const { findings, evidence, jobs, memory, skills, withdraw, canonicalUser, rolesOf, lock, metrics } = deps;

  /** @returns A line for the person, in their language. @throws {AssistantError} `NOT_FOUND`. */
  function answer(user: string, id: string, given: PatternAnswer): Promise<string> {
    return lock.shared(async () => {
      const finding = await findings.get(user, id);
      const { language, detector, suggestion } = finding;
      if (!suggestion) return text("DECIDED", { language });
      const { action } = suggestion;
      await withdraw(user, (notice) => findingOf(notice) === id);
      if (given === "later") {
        await findings.putOff(user, id);
        await tellSuggestion(user, action, skills.putOff);
        metrics.increment("proactive.pattern.answer_total", { detector, answer: given });
        return text("LATER", { language }, { days: action.kind === "skill" ? 7 : 14 });
      }
      let line: string;
      try {
        if (given === "no") await tellSuggestion(user, action, skills.decline);
        line = given === "yes" ? await doIt(user, finding, action) : text("NO", { language });
      } catch (error) {
        if (!AssistantError.is(error)) throw error;
        return text("FAILED", { language }, { reason: error.message });
      }
      if (!(await findings.decide(user, id, given === "yes" ? "accepted" : "declined"))) return line;
      await findings.weigh(user, "pattern_suggestion", given === "yes");
      metrics.increment("proactive.pattern.answer_total", { detector, answer: given });
      return line;
    });
  }

  /** What was offered is a suggestion of the learner too: the model does not bring it up either. */
  async function tellSuggestion(
    user: string,
    action: PatternAction,
    tell: PatternAnswersDeps["skills"]["decline"],
  ): Promise<void> {
    if (action.kind !== "skill") return;
    try {
      await tell(user, action.suggestion);
    } catch (error) {
      // It was answered elsewhere, or is gone.
      if (!AssistantError.is(error)) throw error;
    }
  }

  async function doIt(user: string, { id, raisedAt, language }: Finding, action: PatternAction): Promise<string> {
    if (action.kind === "job") {
      const place = placeAt(await evidence.home(user));
      const { task, schedule, tz: timezone } = action;
      const viewer = { user: place.user, isOwner: place.roles.includes(OWNER_ROLE), roles: place.roles };
      const { next } = await jobs.create({ task, schedule, timezone, dedupeKey: `pattern:${id}` }, place, viewer);
      return text("JOB", { language }, { time: next[0] ? showTime(next[0], timezone) : "–" });
    }
    if (action.kind === "skill")
      return text("SKILL", { language }, { name: await skills.accept(user, action.suggestion) });
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

  /** With the rights that the person had when they last wrote, as far as they have them now. */
  function placeAt(home: EvidenceHome | undefined): JobPlace {
    if (!home) throw new AssistantError("NOT_FOUND", "Nobody wrote here yet");
    const { user, channel, account, chat, thread, session, roles: then } = home;
    const now = HOST_CHANNELS.includes(channel) ? then : rolesOf(user);
    const roles = then.filter((role) => now.includes(role));
    return { user, channel, account, chat, ...(thread !== undefined && { thread }), session, startedBy: user, roles };
  }

  return {
    answer,
    /** Obeys a press of a button under a finding, which may be gone since, with what it was found in. */
    async press({
      offer,
      choice,
    }: {
      readonly offer: { readonly data: JsonValue; readonly language?: "en" | "zh" };
      readonly choice: string;
    }): Promise<string> {
      const { data, language = "en" } = offer;
      const { user, finding } = data as { readonly user: string; readonly finding: string }; // as it was offered
      try {
        return await answer(canonicalUser(user), finding, choice as PatternAnswer); // one of those that were offered
      } catch (error) {
        if (AssistantError.is(error, "NOT_FOUND")) return text("GONE", { language });
        throw error;
      }
    },
  };
}
