import type { EventBus } from "./event-bus.ts";
import type { AnyEvent } from "./event-map.ts";

/** What kind of text is injected: each kind stands in the prompt under a heading of its own. */
export type InjectionType = "memory_recall" | "skill_activation" | "suggestion" | "warning" | "goal";

/**
 * Text that a listener wants the model to know. It reaches the prompt as data, inside a marked boundary.
 *
 * Source: docs/hooks.md.
 */
export interface Injection {
  /** What kind of text it is: each kind stands under its own heading in the prompt. */
  readonly type: InjectionType;
  /** What the model reads. */
  readonly content: string;
  /** Who says so, shown beside the content: the hook's name, or where the text comes from. */
  readonly source: string;
  /** Higher ones come first, and stay when not all fit. Any finite number; equal ones in order of arrival. */
  readonly priority: number;
  /** The content is a skill that fits the task: the model is to follow it, so it stands in a boundary of its own. At the beginning of a turn alone. */
  readonly skill?: ActivatedSkill;
}

/** Which skill came into a turn, and why. */
export interface ActivatedSkill {
  /** Of the skill's folder. */
  readonly name: string;
  /** SHA-256 of its `SKILL.md`, in lower-case hexadecimal: which text of it was followed. */
  readonly hash: string;
  /** 0 to 1: how well it fits. */
  readonly confidence: number;
  /** What the confidence is made of, as `intent` 0.5. */
  readonly signals: readonly { readonly kind: string; readonly weight: number }[];
}

/**
 * Adds to what the model reads next.
 * Contract: works until the event's `publish` has returned; without effect afterwards. @throws {TypeError} If it is no injection.
 */
export type Inject = (injection: Injection) => void;

const INJECTION_TYPES: readonly InjectionType[] = [
  "warning",
  "goal",
  "memory_recall",
  "skill_activation",
  "suggestion",
];

/**
 * Publishes an event whose payload carries `inject`, and collects what the handlers injected until then.
 * Ask `events.has(type)` first: this makes a payload.
 */
export async function publishForInjections(
  events: EventBus,
  make: (inject: Inject) => AnyEvent,
): Promise<readonly Injection[]> {
  const injections: Injection[] = [];
  let open = true;
  await events.publish(
    make((injection) => {
      if (open) injections.push(checkInjection(injection));
    }),
  );
  open = false;
  return injections;
}

/** A copy, so that nothing changes what is journaled. Hooks may be plain JavaScript: a wrong one is refused where it is made. */
function checkInjection({ type, content, source, priority, skill }: Injection): Injection {
  const wrong = !INJECTION_TYPES.includes(type)
    ? `type must be one of ${INJECTION_TYPES.join(", ")}: current value is ${JSON.stringify(type)}`
    : typeof content !== "string"
      ? `content must be a text: current value is a ${typeof content}`
      : typeof source !== "string"
        ? `source must be a text: current value is a ${typeof source}`
        : !Number.isFinite(priority)
          ? `priority must be a finite number: current value is ${String(priority)}`
          : skill === undefined
            ? undefined
            : skillProblem(skill);
  if (wrong !== undefined) throw new TypeError(`Cannot inject as ${wrong}`);
  return { type, content, source, priority, ...(skill !== undefined && { skill: structuredClone(skill) }) };
}

function skillProblem({ name, hash, confidence, signals }: ActivatedSkill): string | undefined {
  if (typeof name !== "string" || typeof hash !== "string") return "the name and the hash of a skill must be texts";
  if (!Number.isFinite(confidence)) return `the confidence of ${name} must be a number`;
  return Array.isArray(signals) ? undefined : `the signals of ${name} must be a list`;
}
