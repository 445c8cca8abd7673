import { AssistantError } from "../errors.ts";
import { MAX_COMMAND_TIMEOUT_MS } from "./commands.ts";

/** What one command may use. Source: docs/exec-limits.md, "Limits". */
export interface ExecLimits {
  /** Largest file that a command may write, in bytes. */
  readonly fileBytes: number;
  /** Bytes that a command may add to the workspace in total, and to a temporary folder of its own. */
  readonly diskBytes: number;
  /** Memory of all processes of a command together, in bytes. */
  readonly memoryBytes: number;
  /** Processes of a command at once. */
  readonly processes: number;
  /** Longest time that a command may ask for, in seconds. */
  readonly seconds: number;
}

/** The name of a limit of one command. */
export type ExecLimitName = keyof ExecLimits;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Defaults for commands that are programs of the host. */
export const EXEC_LIMITS: ExecLimits = {
  fileBytes: 256 * MIB,
  diskBytes: 1024 * MIB,
  memoryBytes: 2048 * MIB,
  processes: 512,
  seconds: MAX_COMMAND_TIMEOUT_MS / 1000,
};

/** Smallest limits. No shell starts with less. */
export const MIN_EXEC_LIMITS: ExecLimits = {
  fileBytes: 4 * KIB,
  diskBytes: 4 * KIB,
  memoryBytes: 16 * MIB,
  processes: 8,
  seconds: 1,
};

/** Limits of the simulated shell, which starts no process and writes files through the workspace. */
export const SIMULATED_LIMITS = {
  diskBytes: 64 * MIB,
  seconds: EXEC_LIMITS.seconds,
} as const satisfies Partial<ExecLimits>;
/** Limits that an interpreter can enforce. */
export type SimulatedLimits = Pick<ExecLimits, keyof typeof SIMULATED_LIMITS>;

/**
 * Returns limits with their defaults.
 *
 * @param defaults Also decides which limits exist.
 * @throws {AssistantError} `OPTION_INVALID` for a limit that does not exist here, and for a value that is no whole
 * number in its range.
 */
export function execLimits<Limits extends Partial<ExecLimits>>(
  given: Partial<ExecLimits> | undefined,
  defaults: Limits,
): Limits {
  const invalid = (why: string) => new AssistantError("OPTION_INVALID", `Cannot make the workspace as ${why}`);
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    if (!(name in defaults))
      throw invalid(
        `exec.limits.${name} ${name in EXEC_LIMITS ? "does not apply to the simulated shell" : "is not a limit"}: there are ${Object.keys(defaults).join(", ")}`,
      );
    const [min, max] = [
      MIN_EXEC_LIMITS[name as ExecLimitName],
      name === "seconds" ? EXEC_LIMITS.seconds : Number.MAX_SAFE_INTEGER,
    ];
    if (!Number.isSafeInteger(value) || value < min || value > max)
      throw invalid(
        `exec.limits.${name} must be a whole number ${name === "seconds" ? `from ${min} to ${max}` : `of ${min} or more`}: current value is ${value}`,
      );
  }
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

const SENTENCES: { readonly [Name in ExecLimitName]: (value: number) => string } = {
  fileBytes: (value) => `a file may have at most ${value} bytes`,
  diskBytes: (value) => `a command may add at most ${value} bytes to the workspace, and to its temporary folder`,
  memoryBytes: (value) => `the processes of a command may use at most ${value} bytes of memory together`,
  processes: (value) => `a command may have at most ${value} processes at once`,
  seconds: (value) => `a command may take at most ${value} seconds`,
};

/** Tells the model which limit a command exceeded, or seems to have exceeded, and who can raise it. */
export function describeBreach(name: ExecLimitName, limits: Partial<ExecLimits>, isSure = true): string {
  return `It ${isSure ? "went" : "seems to have gone"} over exec.limits.${name}: ${SENTENCES[name](limits[name] ?? 0)}. The owner can raise exec.limits.${name} of the workspace`;
}

/** Lists the limits for people, on one line. */
export function describeLimits(limits: Partial<ExecLimits>): string {
  const { fileBytes, diskBytes, memoryBytes, processes, seconds } = limits;
  return [
    ...(fileBytes === undefined ? [] : [`${size(fileBytes)} a file`]),
    ...(diskBytes === undefined ? [] : [`${size(diskBytes)} written`]),
    ...(memoryBytes === undefined ? [] : [`${size(memoryBytes)} of memory`]),
    ...(processes === undefined ? [] : [`${processes} processes`]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
  ].join(", ");
}

function size(bytes: number): string {
  return bytes < MIB ? `${Math.round(bytes / KIB)} KiB` : `${Math.round(bytes / MIB)} MiB`;
}
