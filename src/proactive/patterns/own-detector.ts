import { messageOf } from "../../errors.ts";
import type { Logger } from "../../telemetry/index.ts";
import type { FoundPattern, PatternDetector, PatternSuggestion } from "./pattern.ts";

const ACTIONS: readonly unknown[] = [
  "job",
  "remember",
  "skill",
  "hint",
] satisfies PatternSuggestion["action"]["kind"][];

/**
 * Wraps a detector of the host program. If it throws or returns an invalid finding, it finds nothing and the error is
 * logged with its name; the other detectors still run.
 */
export function ownDetector(detector: PatternDetector, logger: Pick<Logger, "error">): PatternDetector {
  const { name } = detector;
  return {
    name,
    detect(entries, moment) {
      try {
        const found = [detector.detect(entries, moment) ?? []].flat();
        if (!found.every((one) => isFinding(one, detector.suggest(one))))
          throw new TypeError("What it gives is no finding");
        return found;
      } catch (error) {
        logger.error("A detector of patterns failed", { detector: name, error: messageOf(error) });
        return null;
      }
    },
    suggest: (found) => detector.suggest(found),
  };
}

function isFinding({ subject, confidence, evidenceIds }: FoundPattern, { text, action }: PatternSuggestion): boolean {
  return !!subject && confidence >= 0 && Array.isArray(evidenceIds) && !!text && ACTIONS.includes(action.kind);
}
