import { join } from "node:path";

export const RUNTIMES = ["node", "bun", "deno"] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** How a program is started on a runtime that npm installed. */
export function commandFor(
  root: string,
  runtime: Runtime,
  program: string,
  args: readonly string[],
  flags: readonly string[] = [],
): readonly [string, string[]] {
  const bin = join(root, "node_modules", ".bin", runtime);
  switch (runtime) {
    case "node":
      return [bin, [...flags, program, ...args]];
    case "bun":
      return [bin, ["run", ...flags, program, ...args]];
    case "deno":
      return [bin, ["run", "-A", "--no-check", "--node-modules-dir=manual", ...flags, program, ...args]];
  }
}
