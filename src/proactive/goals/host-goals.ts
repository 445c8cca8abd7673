import { AssistantError } from "../../errors.ts";
import { type KeptGoals, NO_GOALS, type PersonGoals } from "../../goals/index.ts";
import type { Version } from "../../store/index.ts";
import type { ReviewedGoals } from "./reviewed-goals.ts";

/** `assistant.goals`. Source: docs/goals.md, "From a program". */
export interface GoalsApi {
  /**
   * Reads a person's goals with the version of their file. Null if they have none.
   * @param of.user The person: `channel:id`, or the name of a linked person as `@ada`.
   * @throws {AssistantError} `CONFIG_INVALID` for an unreadable file, with file, line and key.
   */
  read(of: { readonly user: string }): Promise<KeptGoals | null>;
  /**
   * Replaces all of a person's goals; omitted ones are removed. Comments in the file are preserved.
   * @param given.version The version that was read, or null if there is no file yet; a different one is a conflict.
   * Default: any.
   * @throws {AssistantError} `CONFLICT`; `OPTION_INVALID` with the keys; `CONFIG_INVALID` for an unreadable file, which
   * is left unchanged.
   */
  write(given: {
    readonly user: string;
    readonly goals: Partial<PersonGoals>;
    readonly version?: Version | null;
  }): Promise<KeptGoals>;
}

export interface HostGoalsDeps {
  readonly goals: Pick<ReviewedGoals, "read" | "change">;
  canonicalUser(userId: string): string;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
}

/** Creates the goals API for the host program, which may read and write every person's goals. */
export function createHostGoals({ goals, canonicalUser, start }: HostGoalsDeps): GoalsApi {
  return {
    read: ({ user }) => goals.read(canonicalUser(user)),
    async write({ user, goals: given, version }) {
      // Anything else would read as no goals and remove the existing ones.
      if (typeof given !== "object" || given === null || Array.isArray(given))
        throw new AssistantError("OPTION_INVALID", "Invalid goals for goals.write(): expected { goals: [...] }");
      await start();
      const kept = await goals.change(canonicalUser(user), () => ({ ...NO_GOALS, ...given }), undefined, version);
      return { goals: kept.goals, version: kept.version };
    },
  };
}
