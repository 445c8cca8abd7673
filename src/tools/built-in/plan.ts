import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { type Store, type UnknownObject, areObjects, readDocument, storeKey } from "../../store/index.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";

export interface PlanToolOptions {
  readonly clock: Pick<Clock, "now">;
}

/** The folder of all plans. */
export const PLANS = "plans";
const FORMAT = 1;
const MAX_STEPS = 50;
const STATUSES = ["pending", "in_progress", "done"] as const;

interface PlanStep {
  readonly title: string;
  readonly status: (typeof STATUSES)[number];
}

const title = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300));
const step = v.pipe(
  v.strictObject({
    title: v.optional(v.pipe(title, v.description("What is done in this step, in a few words"))),
    step: v.optional(v.pipe(title, v.description("Another name of title"))),
    status: v.optional(v.pipe(v.picklist(STATUSES), v.description("Default pending"))),
  }),
  v.check((one) => (one.title === undefined) !== (one.step === undefined), "a step needs its title"),
);

/**
 * `plan`: the steps of the current work, one plan per conversation; each call replaces it.
 *
 * Source: docs/tools.md, "Plan".
 */
export function planTool({ clock }: PlanToolOptions): Readonly<Record<string, AnyTool>> {
  const plan = defineTool({
    description:
      "Keeps the plan of the work in this conversation, for work of three steps or more. Give all steps each time: the list replaces the one before. Mark a step in_progress before you begin it, one at a time, and done as soon as it is. Without steps it shows the plan.",
    inputSchema: v.strictObject({
      steps: v.optional(
        v.pipe(
          v.array(v.union([title, step])),
          v.maxLength(MAX_STEPS),
          v.check(
            (steps) => steps.filter((one) => typeof one === "object" && one.status === "in_progress").length <= 1,
            "only one step may be in_progress",
          ),
          v.description("All steps, in their order; empty to drop the plan"),
        ),
      ),
    }),
    async execute({ steps }, { store, sessionKey, taskId, user }) {
      const key = storeKey(PLANS, sessionKey);
      // Read even before it is replaced: an unreadable plan must be fixed by a person, not overwritten.
      const kept = stepsOf(await store.get(key), key);
      if (steps === undefined) return summary(kept);
      const plan = steps.map((one): PlanStep => {
        if (typeof one === "string") return { title: one, status: "pending" };
        return { title: one.title ?? one.step ?? "", status: one.status ?? "pending" };
      });
      if (plan.length === 0) await store.remove(key);
      else
        await store.put(key, {
          v: FORMAT,
          at: clock.now(),
          turn: taskId,
          user,
          steps: plan.map((one) => ({ ...one })),
        });
      return summary(plan);
    },
    meta: { category: "ui", idempotent: true },
  });
  return { plan };
}

/** Removes plans together with their conversations. */
export function createPlans({ store }: { readonly store: Pick<Store, "remove"> }) {
  return {
    async removeSession(sessionKey: string): Promise<void> {
      await store.remove(storeKey(PLANS, sessionKey));
    },
  };
}

function summary(steps: readonly PlanStep[]) {
  return { steps, done: steps.filter(({ status }) => status === "done").length, total: steps.length };
}

/** @throws {AssistantError} `STORE_UNSUITABLE`, `FORMAT_TOO_NEW`. */
function stepsOf(found: Awaited<ReturnType<Store["get"]>>, key: string): readonly PlanStep[] {
  if (!found) return [];
  const { steps } = readDocument(found.value, key, FORMAT, (plan) => areObjects(plan["steps"], isStep));
  return steps as readonly PlanStep[];
}

function isStep({ title, status }: UnknownObject): boolean {
  return typeof title === "string" && STATUSES.some((one) => one === status);
}
