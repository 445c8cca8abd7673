import type { EventBus } from "./event-bus.ts";
import type { AnyEvent } from "./event-map.ts";

/** Kind of an injected text. Each kind has its own heading in the prompt. */
export type InjectionType = "memory_recall" | "skill_activation" | "suggestion" | "warning" | "goal";

/**
 * Text that a listener wants the model to know. It reaches the prompt as data, inside a marked boundary.
 *
 * Source: docs/hooks.md.
 */
export interface Injection {
  /** Kind of the text, which selects its heading in the prompt. */
  readonly type: InjectionType;
  /** The text that the model reads. */
  readonly content: string;
  /** Origin of the text, shown next to the content: the hook's name, or where the text comes from. */
  readonly source: string;
  /**
   * Injections with a higher priority come first, and stay if not all fit. Any finite number; equal ones in order of
   * arrival.
   */
  readonly priority: number;
  /**
   * Set if the content is a skill that fits the task. The model is to follow it, so it has a boundary of its own.
   * Only at the beginning of a turn.
   */
  readonly skill?: ActivatedSkill;
}

/** A skill that was activated in a turn, and why. */
export interface ActivatedSkill {
  /** Name of the skill's folder. */
  readonly name: string;
  /** SHA-256 of its `SKILL.md`, in lower-case hexadecimal: identifies the version that was followed. */
  readonly hash: string;
  /** How well the skill fits, 0 to 1. */
  readonly confidence: number;
  /** Components of the confidence, such as `intent` 0.5. */
  readonly signals: readonly { readonly kind: string; readonly weight: number }[];
}

/**
 * Adds a text to the next prompt.
 * Contract: works until the event's `publish` has returned; without effect afterwards. @throws {TypeError} If the
 * argument is not an injection.
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
 * Publishes an event whose payload has `inject`, and returns what the handlers injected. Check `events.has(type)`
 * first, because this builds a payload.
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

/**
 * Returns a checked copy, so that nothing changes what is journaled. Hooks may be plain JavaScript: an invalid
 * injection throws in the hook.
 */
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
