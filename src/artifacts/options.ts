// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What conversations may keep besides their messages. */
export interface ArtifactLimits {
  /** Bytes that one artifact may have. Default 5_242_880. */
  readonly maxBytes?: number;
  /** Bytes that all artifacts of one conversation may have together. Default 52_428_800. */
  readonly maxTotalBytes?: number;
  /** Days until an artifact goes. Default 30. */
  readonly keepDays?: number;
}
