import type { ExecLimitName, ExecLimits } from "../../../kit.ts";

const MAX_OPEN_FILES = 4096;
/** The size of a block of `ulimit -f`, in every shell that is `sh`. */
const BLOCK_BYTES = 512;
/** The system counts requested memory, which exceeds used memory: threads alone request megabytes that they never touch. */
const DATA_FACTOR = 2;
/** The system counts threads, not processes. */
const THREADS_A_PROCESS = 4;
const MIN_THREADS = 512;

/**
 * A shell script that sets the limits that the shell knows, then execs the command. The limits hold for each process,
 * from its start; the total of all processes is watched.
 *
 * @param ownUsers Whether processes are counted for this command alone. Otherwise the system counts all processes of
 *   its user on the machine.
 */
export function limitingScript(limits: ExecLimits, ownUsers: boolean): string {
  const threads = Math.max(MIN_THREADS, limits.processes * THREADS_A_PROCESS);
  return [
    "ulimit -c 0",
    `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
    // With the signal ignored, the program is not killed silently: its write fails, and it can report why.
    "trap '' XFSZ",
    `ulimit -f ${Math.floor(limits.fileBytes / BLOCK_BYTES)} 2>/dev/null`,
    `ulimit -d ${Math.floor((limits.memoryBytes * DATA_FACTOR) / 1024)} 2>/dev/null`,
    // dash calls the number of processes -p, bash -u.
    ...(ownUsers ? [`ulimit -u ${threads} 2>/dev/null || ulimit -p ${threads} 2>/dev/null`] : []),
    'exec "$@"',
  ].join("; ");
}

/** Messages of programs and shells that hit a limit. In a sandbox, the temporary folder is full before the disk is. */
const SAID: readonly (readonly [ExecLimitName, RegExp])[] = [
  ["fileBytes", /\bFile too large\b/u],
  [
    "memoryBytes",
    /\bcannot allocate memory\b|(?<!heap )\bout of memory\b|\bmemory exhausted\b|\bMemoryError\b|\bbad_alloc\b/iu,
  ],
];
const SAID_IN_SANDBOX = /\bNo space left on device\b/u;

/** The limit that a command seems to have exceeded, judged by its own output. */
export function saidBreach(stderr: string, isInSandbox: boolean): ExecLimitName | undefined {
  if (isInSandbox && SAID_IN_SANDBOX.test(stderr)) return "diskBytes";
  return SAID.find(([, words]) => words.test(stderr))?.[0];
}
