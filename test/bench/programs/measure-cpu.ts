import process from "node:process";

/** Work that is done `count` times in a round. */
export interface Variant {
  readonly name: string;
  readonly count: number;
  /** Not measured. */
  prepare?(): Promise<void>;
  run(count: number): Promise<void>;
}

/** Rounds that only warm up: compilers are at work in them. */
const WARM_UP = 100;

/**
 * CPU time of one unit of each variant's work, in microseconds, round by round: user and system, all threads of the process.
 * Rounds are short and many, and variants take turns within a round: what else the machine does then falls on all of them.
 */
export async function measureCpu(variants: readonly Variant[], rounds: number): Promise<Record<string, number[]>> {
  const measured: Record<string, number[]> = Object.fromEntries(variants.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (let turn = 0; turn < variants.length; turn += 1) {
      const variant = variants[(turn + round + WARM_UP) % variants.length] as Variant;
      await variant.prepare?.();
      const before = process.cpuUsage();
      await variant.run(variant.count);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) measured[variant.name]?.push((user + system) / variant.count);
    }
  }
  return measured;
}
