import {
  DEFAULT_DEDUPE_THRESHOLD,
  DEFAULT_EMBEDDING_TIMEOUT_MS,
  DEFAULT_FUSION,
  DEFAULT_RECALL_LIMIT,
  DEFAULT_RRF_K,
} from "../../memory/index.ts";
import {
  DEFAULT_CAPTURE_DAYS,
  DEFAULT_RECALL_TOKENS,
  DEFAULT_REFRESH_INTERVAL,
  DEFAULT_REFRESH_TOKENS,
} from "../../proactive/index.ts";
import { choice, flag, section, share, whole } from "../../settings/index.ts";

/** Of `memory.refresh`, which the file may also call `proactive.refresh`. */
export const refreshKeys = {
  interval: whole(0, {
    what: "Model calls of one turn between two recalls with what its tools found; 0 is never",
    default: DEFAULT_REFRESH_INTERVAL,
  }),
  maxTokens: whole(50, { what: "Tokens that one such recall may add", default: DEFAULT_REFRESH_TOKENS }),
};

/** Keys of `memory` that the file and the SDK share. */
export const memoryKeys = {
  enabled: flag({
    what: "Whether anything is remembered; false: no tools, no recall, no capture",
    default: true,
  }),
  autoRecall: flag({ what: "Whether what fits is recalled before each turn", default: true }),
  autoCapture: flag({ what: "Whether what turns did and people stated is kept", default: true }),
  recall: section(
    {
      limit: whole(1, { what: "Memories that are recalled before a turn", max: 50, default: DEFAULT_RECALL_LIMIT }),
      maxTokens: whole(50, { what: "Tokens that they may take in the prompt", default: DEFAULT_RECALL_TOKENS }),
      timeoutMs: whole(1, {
        what: "Milliseconds that the embedding of a question may take; then words alone decide",
        default: DEFAULT_EMBEDDING_TIMEOUT_MS,
      }),
    },
    { what: "What is recalled before a turn" },
  ),
  refresh: section(refreshKeys, { what: "Recall within long turns" }),
  fusion: choice(["scores", "rrf"], {
    what: "How words and meaning are joined where there is an embedding model",
    inCode: "Source: docs/recall.md.",
    default: DEFAULT_FUSION,
  }),
  alpha: share({
    what: "Weight of meaning: against words at 1 for scores (0.3), of the whole for rrf (0.6)",
    example: 0.3,
  }),
  k: whole(1, { what: "The constant of rrf", default: DEFAULT_RRF_K }),
  minSimilarity: share({
    what: "Cosine below which meaning counts for nothing; found from the entries themselves when left out",
    example: 0.3,
    inSample: false,
  }),
  autoCaptureDays: whole(1, {
    what: "Days that what was kept before a compaction is recalled; then it goes to the archive",
    default: DEFAULT_CAPTURE_DAYS,
  }),
  dedupeThreshold: share({
    what: "Share of common words from which what a compaction would keep counts as known",
    default: DEFAULT_DEDUPE_THRESHOLD,
  }),
};
