import { AssistantError } from "../../errors.ts";
import { INITIATIVE_TYPES, type InitiativeType } from "../initiative/evaluate-initiative.ts";
import { PATTERN_ANSWERS, type PatternAnswer } from "./answers.ts";
import type { Finding, Findings } from "./findings.ts";

/** `assistant.proactive`. Source: docs/patterns.md, "Answering". */
export interface ProactiveApi {
  /**
   * Lists a person's findings and their answers, oldest first.
   * @param of.user The person: `channel:id`, or the name of a linked person as `@ada`.
   */
  findings(of: { readonly user: string }): Promise<readonly Finding[]>;
  /**
   * Answers a finding on behalf of its person: `yes` carries out the suggestion, `later` postpones it by 14 days, `no`
   * declines it permanently.
   * @returns A line for the person, in their language.
   * @throws {AssistantError} `NOT_FOUND`; `OPTION_INVALID` for an invalid answer.
   */
  answer(given: { readonly user: string; readonly finding: string; readonly answer: PatternAnswer }): Promise<string>;
  /**
   * Records whether an initiative of a type was useful to a person. That type is then brought up more or less often.
   * @throws {AssistantError} `OPTION_INVALID`.
   */
  feedback(given: { readonly user: string; readonly type: InitiativeType; readonly useful: boolean }): Promise<void>;
}

export interface ProactiveApiDeps {
  readonly findings: Pick<Findings, "list" | "weigh">;
  answer(user: string, finding: string, answer: PatternAnswer): Promise<string>;
  canonicalUser(userId: string): string;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
}

/** Creates the findings API for the host program, which may read and answer every person's findings. */
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
