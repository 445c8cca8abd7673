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

/** Keys of `memory.refresh`, which the file may also call `proactive.refresh`. */
export const refreshKeys = {
  interval: whole(0, {
    what: "Model calls within one turn after which memory is searched again, for what the tools found; 0: never",
    default: DEFAULT_REFRESH_INTERVAL,
  }),
  maxTokens: whole(50, { what: "Maximum tokens that one such recall adds", default: DEFAULT_REFRESH_TOKENS }),
};

/** Keys of `memory` that the file and the SDK share. */
export const memoryKeys = {
  enabled: flag({
    what: "Whether there is a memory; false: no tools, no recall, no capture",
    default: true,
  }),
  autoRecall: flag({ what: "Whether matching memories are recalled before each turn", default: true }),
  autoCapture: flag({ what: "Whether what turns did and what people stated is stored", default: true }),
  recall: section(
    {
      limit: whole(1, { what: "Maximum memories recalled before a turn", max: 50, default: DEFAULT_RECALL_LIMIT }),
      maxTokens: whole(50, { what: "Maximum tokens of these memories in the prompt", default: DEFAULT_RECALL_TOKENS }),
      timeoutMs: whole(1, {
        what: "Longest wait for the embedding of a query, in milliseconds; then only words decide",
        default: DEFAULT_EMBEDDING_TIMEOUT_MS,
      }),
    },
    { what: "Recall before a turn" },
  ),
  refresh: section(refreshKeys, { what: "Recall within long turns" }),
  fusion: choice(["scores", "rrf"], {
    what: "How results by words and by meaning are combined if there is an embedding model",
    inCode: "Source: docs/recall.md.",
    default: DEFAULT_FUSION,
  }),
  alpha: share({
    what: "Weight of meaning; scores: relative to 1 for words (default 0.3); rrf: share of the whole (default 0.6)",
    example: 0.3,
  }),
  k: whole(1, { what: "The constant k of rrf", default: DEFAULT_RRF_K }),
  minSimilarity: share({
    what: "Cosine similarity below which meaning counts as nothing; default: computed from the entries",
    example: 0.3,
    inSample: false,
  }),
  autoCaptureDays: whole(1, {
    what: "Days that entries stored before a compaction are recalled; then they move to the archive",
    default: DEFAULT_CAPTURE_DAYS,
  }),
  dedupeThreshold: share({
    what: "Share of common words above which an entry that a compaction would store counts as known",
    default: DEFAULT_DEDUPE_THRESHOLD,
  }),
};
