import process from "node:process";

/** Something that the store noticed and mended, set aside or could not do; nothing of it is thrown. */
export interface StoreReport {
  /**
   * `torn-tail`: an unfinished last line was cut off and kept under `torn/`. `bad-line`: a damaged line in the middle is skipped and left where it is.
   * `gap`: records are missing between two that are there. `swept`: temp files of an earlier run were removed. `lock-taken-over`: the process that held the lock is gone.
   * `replayed`: appends of an earlier run were taken from the write-ahead log. `checkpoint-failed`: logs could not be written to their files; they stay in the write-ahead log and it is tried again.
   * `watch-failed`: changes by other hands are not seen. `migrated`: the data of an older version was converted, after a backup.
   * `hidden`: a person's file has the key of one that the store wrote, and is not used. `misnamed`: a YAML file has a name that no key has, and is not read.
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
  /** `warning`: data or durability may be concerned. `info`: it was mended, and nothing need be done. */
  readonly level: "info" | "warning";
  /** One sentence for people. */
  readonly message: string;
  /** The file that it is about. */
  readonly file?: string;
  /** The line in that file, from 1. */
  readonly line?: number;
  /** The error that led to it, if one did. */
  readonly cause?: unknown;
}

/** Gets each report as it is made. What it throws is dropped. */
export type Reporter = (report: StoreReport) => void;

/** Wraps the caller's function, which may throw and must not be able to stop a write. Without one, warnings become process warnings, which the runtime prints. */
export function safeReporter(onReport: Reporter | undefined): Reporter {
  const report =
    onReport ??
    ((noticed) => void (noticed.level === "warning" && process.emitWarning(noticed.message, "WakefulStoreWarning")));
  return (noticed) => {
    try {
      report(noticed);
    } catch {
      // a listener's mistake is not the store's
    }
  };
}
