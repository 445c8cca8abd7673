import { AssistantError } from "../../errors.ts";
import { type KeptGoals, NO_GOALS, type PersonGoals } from "../../goals/index.ts";
import type { Version } from "../../store/index.ts";
import type { ReviewedGoals } from "./reviewed-goals.ts";

/** `assistant.goals`. Source: docs/goals.md, "From a program". */
export interface GoalsApi {
  /**
   * A person's goals, with the version of their file; null when they have none.
   * @param of.user Whose: `channel:id`, or the name of a linked person as `@ada`.
   * @throws {AssistantError} `CONFIG_INVALID` for a file that cannot be read, with file, line and key.
   */
  read(of: { readonly user: string }): Promise<KeptGoals | null>;
  /**
   * Writes all of a person's goals; what is left out is none. Comments in the file stay.
   * @param given.version The one that was read, null for a file that is not there yet: another one is a conflict. Default: any.
   * @throws {AssistantError} `CONFLICT`; `OPTION_INVALID` with the keys; `CONFIG_INVALID` for a file that cannot be read, which stays as it is.
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
  /** The assistant runs once this is resolved. */
  start(): Promise<void>;
}

/** Goals for the host program, which may read and write those of everybody. */
export function createHostGoals({ goals, canonicalUser, start }: HostGoalsDeps): GoalsApi {
  return {
    read: ({ user }) => goals.read(canonicalUser(user)),
    async write({ user, goals: given, version }) {
      // All else would be no goals at all, and take those away that there are.
      if (typeof given !== "object" || given === null || Array.isArray(given))
        throw new AssistantError("OPTION_INVALID", "Invalid goals for goals.write(): expected { goals: [...] }");
      await start();
      const kept = await goals.change(canonicalUser(user), () => ({ ...NO_GOALS, ...given }), undefined, version);
      return { goals: kept.goals, version: kept.version };
    },
  };
}
