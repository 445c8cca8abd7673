/** Counts checks and prints them; the last line of a run comes from here. */
export interface Checks {
  /** @param detail What to look at when it does not hold. */
  check(name: string, holds: boolean, detail?: string): void;
  skip(name: string, reason: string): void;
  readonly passed: number;
  readonly failed: number;
}

export function createChecks(): Checks {
  let passed = 0;
  let failed = 0;
  return {
    check(name, holds, detail = "") {
      if (holds) passed += 1;
      else failed += 1;
      console.log(`${holds ? "ok    " : "FAILED"} ${name}${holds || detail === "" ? "" : `: ${detail}`}`);
    },
    skip(name, reason) {
      console.log(`skipped on faults: ${name} (${reason})`);
    },
    get passed() {
      return passed;
    },
    get failed() {
      return failed;
    },
  };
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
