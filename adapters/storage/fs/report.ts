import process from "node:process";

/** A condition that the store noticed and repaired, set aside or could not handle. It is reported, never thrown. */
export interface StoreReport {
  /**
   * `torn-tail`: an unfinished last line was cut off and kept under `torn/`. `bad-line`: a damaged line in the middle
   * is skipped and left in place. `gap`: records are missing between two others. `swept`: temp files of an earlier
   * run were removed. `lock-taken-over`: the process that held the lock is gone. `replayed`: appends of an earlier
   * run were read from the write-ahead log. `checkpoint-failed`: logs could not be written to their files; they stay
   * in the write-ahead log and the store tries again. `watch-failed`: changes by other programs are not seen.
   * `migrated`: the data of an older version was converted, after a backup. `hidden`: a person's file has the same
   * key as one that the store wrote, and is not used. `misnamed`: a YAML file has a name that no key has, and is not
   * read.
   */
  readonly kind:
    | "bad-line"
    | "checkpoint-failed"
    | "gap"
    | "hidden"
    | "lock-taken-over"
    | "migrated"
    | "misnamed"
    | "replayed"
    | "swept"
    | "torn-tail"
    | "watch-failed";
  /** `warning`: data or durability may be affected. `info`: the store repaired it, and nothing needs to be done. */
  readonly level: "info" | "warning";
  /** One sentence for people. */
  readonly message: string;
  /** The file concerned. */
  readonly file?: string;
  /** The line in that file, from 1. */
  readonly line?: number;
  /** The error behind it, if there was one. */
  readonly cause?: unknown;
}

/** Gets each report as it is made. Errors that it throws are dropped. */
export type Reporter = (report: StoreReport) => void;

/**
 * Wraps the caller's function: an error in it must not stop a write. Without a function, warnings become process
 * warnings, which the runtime prints.
 */
export function safeReporter(onReport: Reporter | undefined): Reporter {
  const report =
    onReport ??
    ((noticed) => void (noticed.level === "warning" && process.emitWarning(noticed.message, "WakefulStoreWarning")));
  return (noticed) => {
    try {
      report(noticed);
    } catch {
      // a listener's error is not the store's
    }
  };
}
