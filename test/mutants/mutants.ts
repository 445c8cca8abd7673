import { ATTACHMENT_MUTANTS } from "./attachments.ts";
import { ATTENTION_MUTANTS } from "./attention.ts";
import { BELONGING_MUTANTS } from "./belonging.ts";
import { BOUNDARIES } from "./boundaries.ts";
import { CHANGED_MESSAGES } from "./changed-messages.ts";
import { COMMANDS } from "./commands.ts";
import { PATTERN_MUTANTS } from "./patterns.ts";
import { PEOPLE } from "./people.ts";
import { DOORS } from "./doors.ts";
import { GOVERNANCE } from "./governance.ts";
import { MEMORY_FLOWS } from "./memory.ts";
import { MEMORY_DAYS } from "./memory-days.ts";
import { MEMORY_DOORS } from "./memory-doors.ts";
import { MEMORY_ENTRIES } from "./memory-entries.ts";
import { MODELS } from "./models.ts";
import type { Mutant } from "./mutant.ts";
import { NETWORK } from "./network.ts";
import { OBSERVABILITY } from "./observability.ts";
import { SESSIONS } from "./sessions.ts";
import { SKILL_INSTALLS } from "./skill-installs.ts";
import { SKILL_MUTANTS } from "./skills.ts";
import { SUBAGENT_MUTANTS } from "./subagents.ts";
import { WORKFLOW_MUTANTS } from "./workflows.ts";

export const MUTANTS: readonly Mutant[] = [
  ...DOORS,
  ...GOVERNANCE,
  ...NETWORK,
  ...COMMANDS,
  ...BOUNDARIES,
  ...SESSIONS,
  ...ATTACHMENT_MUTANTS,
  ...ATTENTION_MUTANTS,
  ...MODELS,
  ...PEOPLE,
  ...MEMORY_FLOWS,
  ...MEMORY_DAYS,
  ...MEMORY_ENTRIES,
  ...MEMORY_DOORS,
  ...CHANGED_MESSAGES,
  ...BELONGING_MUTANTS,
  ...SKILL_MUTANTS,
  ...SKILL_INSTALLS,
  ...OBSERVABILITY,
  ...PATTERN_MUTANTS,
  ...SUBAGENT_MUTANTS,
  ...WORKFLOW_MUTANTS,
];
