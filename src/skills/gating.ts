import type { Machine, RuntimeName } from "../platform.ts";
import type { Skill } from "./skill.ts";

/** What a skill's requirements are checked against. */
export interface SkillSurroundings {
  /** Absent: unknown. */
  readonly runtime?: RuntimeName | undefined;
  /** Names of the connected channels. */
  readonly channels: readonly string[];
  /** Full names of the tools that exist. */
  readonly tools: readonly string[];
  /** Whether an environment variable is set. Absent: this runtime cannot tell. */
  readonly hasEnv?: ((name: string) => boolean) | undefined;
  /** Whether a program is on the path. Absent: this runtime cannot tell. */
  readonly hasBin?: ((name: string) => boolean) | undefined;
}

/**
 * Returns the requirements of a skill that are not met, each in words, as `the program ffmpeg is not on the path`;
 * empty if all are met.
 *
 * Source: docs/skills.md, "Requirements".
 */
export function missingFor({ requires }: Pick<Skill, "requires">, around: SkillSurroundings): readonly string[] {
  const { runtime, channels, tools, hasEnv, hasBin } = around;
  const missing: string[] = [];
  if (requires.runtimes.length > 0 && (runtime === undefined || !requires.runtimes.includes(runtime)))
    missing.push(`it runs on ${requires.runtimes.join(", ")}, but this is ${runtime ?? "another runtime"}`);
  if (requires.channels.length > 0 && !requires.channels.some((name) => channels.includes(name)))
    missing.push(`none of its channels is connected: ${requires.channels.join(", ")}`);
  for (const name of requires.env) {
    if (hasEnv === undefined)
      missing.push(`it needs the environment variable ${name}, which this runtime cannot check`);
    else if (!hasEnv(name)) missing.push(`the environment variable ${name} is not set`);
  }
  for (const name of requires.bins) {
    if (hasBin === undefined) missing.push(`it needs the program ${name}, which this runtime cannot check`);
    else if (!hasBin(name)) missing.push(`the program ${name} is not on the path`);
  }
  for (const name of requires.tools) if (!tools.includes(name)) missing.push(`there is no tool ${name}`);
  return missing;
}

/** Returns the requirements of a skill that are not met. */
export type SkillGate = (skill: Pick<Skill, "requires">) => Promise<readonly string[]>;

/**
 * Creates a gate that asks the machine. Each call searches for programs again, so a newly installed program is found
 * when the skills are next loaded.
 */
export function createSkillGate(around: {
  readonly machine?: Machine | undefined;
  /** Names of the channels that are currently connected. */
  channels(): readonly string[];
  /** Full names of the tools that currently exist. */
  tools(): readonly string[];
}): SkillGate {
  const { machine, channels, tools } = around;
  return async (skill) => {
    const { bins } = skill.requires;
    const found = new Set<string>();
    await Promise.all(bins.map(async (name) => (await machine?.hasProgram?.(name)) === true && found.add(name)));
    return missingFor(skill, {
      runtime: machine?.runtime,
      channels: channels(),
      tools: tools(),
      hasEnv: machine?.hasEnvironment && ((name) => machine.hasEnvironment?.(name) === true),
      hasBin: machine?.hasProgram && ((name) => found.has(name)),
    });
  };
}
