/** Judges the text of a command before it runs. */
export type CommandGuard = (
  command: string,
  options: {
    readonly workspace: string;
    readonly mode: "restricted" | "open";
    readonly protectedPaths: readonly string[];
  },
) => Promise<{ readonly ok: boolean; readonly reason?: string | undefined; readonly commands?: readonly string[] }>;

/** The guard of the core. Loaded with the first command, since its shell parser is large. */
export const coreGuard: CommandGuard = async (command, options) => {
  const { guardCommand } = await import("../../../entry.host.ts");
  return guardCommand(command, options);
};
