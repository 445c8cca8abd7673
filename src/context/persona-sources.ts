import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import type { Persona, PersonaFile } from "../persona/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { ContextScope, ContextSource } from "./sources.ts";
import { fitsByLength } from "./tokens.ts";

export interface PersonaSourcesDeps {
  readonly persona: Pick<Persona, "refresh" | "said">;
  /** Called once per file that is longer than its budget. */
  onCut(file: string, budgetTokens: number): void;
}

/** Tokens that each file may have in a prompt. */
export const DEFAULT_PERSONA_FILE_TOKENS = 2000;
/** After the instruction of the context tool (10), before long-term memory (20). */
const PERSONA_ORDER = 15;
/** Cached texts per source, at least, each with its introduction. */
const MAX_KEPT_TEXTS = 16;

interface Part {
  readonly name: string;
  readonly file: PersonaFile;
  /** Tells the model who wrote the text that follows. */
  readonly intro: string;
  /** Default: every prompt. */
  isFor?(scope: ContextScope): boolean;
}

const PARTS: readonly Part[] = [
  { name: "persona-soul", file: "SOUL.md", intro: "Who you are, as the owner wrote it:" },
  { name: "persona-identity", file: "IDENTITY.md", intro: "Your name and tone, as the owner wrote them:" },
  {
    name: "persona-user",
    file: "USER.md",
    intro: "Whom you talk to is the owner, who wrote this of themselves:",
    isFor: ({ kind, roles }) => kind === "direct" && roles.includes(OWNER_ROLE),
  },
  { name: "persona-agents", file: "AGENTS.md", intro: "House rules of the owner:" },
  { name: "persona-tools", file: "TOOLS.md", intro: "Notes of the owner on your tools:" },
];

/**
 * The persona files of the answering agent, one prompt part each. The owner wrote them, so they instruct like the
 * agent's own instructions. `USER.md`, about the owner, appears only in the owner's own direct chats.
 *
 * Source: docs/persona.md, "In the prompt".
 */
export function personaSources(
  { persona, onCut }: PersonaSourcesDeps,
  { fileTokens }: { readonly fileTokens: number },
): ContextSource[] {
  const told = new Set<string>();

  return PARTS.map(({ name, file, intro, isFor = () => true }) => {
    const introduced = new QuickLRU<string, string>({ maxSize: MAX_KEPT_TEXTS });

    function introduce(text: string, source: string): string {
      const whole = `${intro}\n\n${text}`;
      if (!told.has(source) && !fitsByLength([whole], fileTokens) && estimateTokenCount(whole) > fileTokens) {
        told.add(source);
        onCut(source, fileTokens);
      }
      introduced.set(text, whole);
      return whole;
    }

    return {
      name,
      order: PERSONA_ORDER,
      budgetTokens: fileTokens,
      data: false,
      prepare: (scope) => (isFor(scope) ? persona.refresh(scope.agentId) : undefined),
      read(scope) {
        const said = isFor(scope) ? persona.said(scope.agentId, file) : undefined;
        if (said === undefined) return undefined;
        return { text: introduced.get(said.text) ?? introduce(said.text, said.source), source: said.source };
      },
    };
  });
}
