import type { ExecLimitName, ExecLimits } from "../../../kit.ts";

const MAX_OPEN_FILES = 4096;
/** The size of a block of `ulimit -f`, in every shell that is `sh`. */
const BLOCK_BYTES = 512;
/** The system counts what a process has asked for, which is more than what it uses: threads alone ask for megabytes that they never touch. */
const DATA_FACTOR = 2;
/** The system counts threads. */
const THREADS_A_PROCESS = 4;
const MIN_THREADS = 512;

/**
 * A text for a shell that sets the limits which the shell at hand knows, then becomes the command. They hold for each process, at once; what all of them use
 * together is watched.
 *
 * @param ownUsers Whether processes are counted for this command alone. Elsewhere the system counts all that its user runs on the machine.
 */
export function limitingScript(limits: ExecLimits, ownUsers: boolean): string {
  const threads = Math.max(MIN_THREADS, limits.processes * THREADS_A_PROCESS);
  return [
    "ulimit -c 0",
    `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
    // Ignored, the signal does not kill a program without a word: its write fails, and it says why.
    "trap '' XFSZ",
    `ulimit -f ${Math.floor(limits.fileBytes / BLOCK_BYTES)} 2>/dev/null`,
    `ulimit -d ${Math.floor((limits.memoryBytes * DATA_FACTOR) / 1024)} 2>/dev/null`,
    // dash calls the number of processes -p, bash -u.
    ...(ownUsers ? [`ulimit -u ${threads} 2>/dev/null || ulimit -p ${threads} 2>/dev/null`] : []),
    'exec "$@"',
  ].join("; ");
}

/** What programs and shells say when the system refuses them more. A sandbox has a folder for temporary files that is full before the disk is. */
const SAID: readonly (readonly [ExecLimitName, RegExp])[] = [
  ["fileBytes", /\bFile too large\b/u],
  [
    "memoryBytes",
    /\bcannot allocate memory\b|(?<!heap )\bout of memory\b|\bmemory exhausted\b|\bMemoryError\b|\bbad_alloc\b/iu,
  ],
];
const SAID_IN_SANDBOX = /\bNo space left on device\b/u;

/** The limit that a command seems to have gone over, from what it said itself. */
export function saidBreach(stderr: string, isInSandbox: boolean): ExecLimitName | undefined {
  if (isInSandbox && SAID_IN_SANDBOX.test(stderr)) return "diskBytes";
  return SAID.find(([, words]) => words.test(stderr))?.[0];
}
