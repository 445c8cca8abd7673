import { AssistantError } from "../../errors.ts";
import { INITIATIVE_TYPES, type InitiativeType } from "../initiative/evaluate-initiative.ts";
import { PATTERN_ANSWERS, type PatternAnswer } from "./answers.ts";
import type { Finding, Findings } from "./findings.ts";

/** `assistant.proactive`. Source: docs/patterns.md, "Answering". */
export interface ProactiveApi {
  /**
   * What was found in a person's habits, and what they said to it, oldest first.
   * @param of.user Whose: `channel:id`, or the name of a linked person as `@ada`.
   */
  findings(of: { readonly user: string }): Promise<readonly Finding[]>;
  /**
   * Answers a finding for its person: `yes` does what was offered, `later` puts it off for 14 days, `no` is kept for good.
   * @returns A line for the person, in their language. @throws {AssistantError} `NOT_FOUND`; `OPTION_INVALID` for what is no answer.
   */
  answer(given: { readonly user: string; readonly finding: string; readonly answer: PatternAnswer }): Promise<string>;
  /**
   * Says whether initiative of a type was of use to a person: it is brought up more often, or more seldom.
   * @throws {AssistantError} `OPTION_INVALID`.
   */
  feedback(given: { readonly user: string; readonly type: InitiativeType; readonly useful: boolean }): Promise<void>;
}

export interface ProactiveApiDeps {
  readonly findings: Pick<Findings, "list" | "weigh">;
  answer(user: string, finding: string, answer: PatternAnswer): Promise<string>;
  canonicalUser(userId: string): string;
  /** The assistant runs once this is resolved. */
  start(): Promise<void>;
}

/** Findings for the host program, which may read and answer those of everybody. */
export function createProactiveApi({ findings, answer, canonicalUser, start }: ProactiveApiDeps): ProactiveApi {
  return {
    findings: ({ user }) => findings.list(canonicalUser(user)),
    async answer({ user, finding, answer: given }) {
      expectOneOf("answer", given, PATTERN_ANSWERS);
      await start();
      return answer(canonicalUser(user), finding, given);
    },
    async feedback({ user, type, useful }) {
      expectOneOf("type", type, INITIATIVE_TYPES);
      expectOneOf("useful", useful, [true, false]);
      await findings.weigh(canonicalUser(user), type, useful);
    },
  };
}

function expectOneOf<T>(field: string, given: T, known: readonly T[]): void {
  if (known.includes(given)) return;
  throw new AssistantError("OPTION_INVALID", `${field}: Expected ${known.join(", ")}, got ${JSON.stringify(given)}`);
}
