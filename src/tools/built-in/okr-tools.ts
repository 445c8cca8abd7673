import * as v from "valibot";
import {
  type Goal,
  type GoalChange,
  type KeptGoals,
  MAX_CHARS,
  type PersonGoals,
  changeGoal,
  findGoal,
  progressOf,
} from "../../goals/index.ts";
import type { Speaker } from "../../speaker.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool, VisibilityContext } from "../tool.ts";
import { type Place, placeOf } from "./job-place.ts";
import { told } from "./told.ts";

export interface OkrToolsDeps {
  readonly goals: {
    read(userId: string): Promise<KeptGoals | null>;
    /** Contract: reviews that the change schedules are sent to the place. */
    change(userId: string, how: (goals: PersonGoals) => PersonGoals, place: Place): Promise<KeptGoals>;
  };
  /** Returns the memory user whose goals a call is about. The runtime names the speaker, never the model. */
  memoryUserOf(speaker: Speaker): string;
  /** Replaces secrets in what is stored. */
  readonly redact: ModelRedactor;
}

const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const filled = (most: number) => v.pipe(text(most), v.minLength(1));
const value = v.union([v.number(), filled(MAX_CHARS.value)]);

/**
 * `okr_read` and `okr_write`: the goals of the person who speaks, only in their direct chats.
 *
 * Source: docs/goals.md, "In a conversation".
 */
export function okrTools({ goals, memoryUserOf, redact }: OkrToolsDeps): Readonly<Record<string, AnyTool>> {
  const okr_read = defineTool({
    description: "Reads the person's goals: objectives, key results and how far they are, current focus, reviews.",
    inputSchema: v.strictObject({}),
    execute: (_input, { speaker }) =>
      told(async () => {
        const { goals: found } = (await goals.read(memoryUserOf(speaker))) ?? {};
        if (found === undefined) return { goals: [] };
        const { persona, coreDrives, topDrives } = found;
        return {
          goals: found.goals.map(shown),
          ...(persona !== undefined && { persona }),
          ...(coreDrives.length > 0 && { drives: coreDrives.map(({ name, intensity }) => `${name} ${intensity}/5`) }),
          ...(topDrives.length > 0 && { top_drives: topDrives }),
        };
      }),
    meta: { ...OWN, idempotent: true, untrusted: true },
  });

  const okr_write = defineTool({
    description:
      "Changes one of the person's goals, when they ask for it or tell what was reached: adds it, or changes only what is given. Tell them what changed.",
    inputSchema: v.strictObject({
      objective: v.pipe(
        filled(MAX_CHARS.objective),
        v.description("Which goal, as okr_read has it; another one is added"),
      ),
      key_results: v.optional(
        v.pipe(
          v.array(
            v.strictObject({ metric: filled(MAX_CHARS.metric), target: v.optional(value), current: v.optional(value) }),
          ),
          v.maxLength(10),
        ),
      ),
      current_focus: v.optional(v.pipe(text(MAX_CHARS.focus), v.description('"": none'))),
      review_cadence: v.optional(
        v.pipe(text(MAX_CHARS.cadence), v.description('weekly, monthly, or as "every Friday at 4pm"; "": no review')),
      ),
      remove: v.optional(v.pipe(v.boolean(), v.description("Removes the goal, or only the key_results given"))),
    }),
    execute: ({ objective, key_results, current_focus, review_cadence, remove }, context) =>
      told(async () => {
        const change: GoalChange = redact({
          objective,
          keyResults: key_results,
          currentFocus: current_focus,
          reviewCadence: review_cadence,
          remove,
        });
        const userId = memoryUserOf(context.speaker);
        let before: Goal | undefined;
        const { goals: after } = await goals.change(
          userId,
          (now) => {
            before = findGoal(now, change.objective);
            return changeGoal(now, change);
          },
          placeOf(context),
        );
        return echo(before, findGoal(after, change.objective));
      }),
    meta: { ...OWN, idempotent: true },
  });

  return { okr_read, okr_write };
}

const GROUP_KEY = /^agent:[^:]+:[^:]+:(?:group|channel):/;

/** Others must not read or change a person's goals: groups never have these tools, even if a policy allows them. */
const OWN = {
  category: "okr",
  visibleTo: ({ sessionKey }: VisibilityContext) => !GROUP_KEY.test(sessionKey),
} as const;

function shown({ objective, keyResults, currentFocus, reviewCadence }: Goal) {
  return {
    objective,
    ...(currentFocus !== undefined && { current_focus: currentFocus }),
    key_results: keyResults.map((result) => {
      const progress = progressOf(result);
      return { ...result, ...(progress !== undefined && { progress: `${Math.round(progress * 100)}%` }) };
    }),
    ...(reviewCadence !== undefined && { review_cadence: reviewCadence }),
  };
}

function echo(before: Goal | undefined, after: Goal | undefined) {
  if (after === undefined) return { removed: before?.objective ?? "" };
  if (before === undefined) return { added: shown(after) };
  return JSON.stringify(before) === JSON.stringify(after) ? { unchanged: shown(after) } : { changed: shown(after) };
}
