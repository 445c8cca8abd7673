// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Limits on the artifacts of a conversation. */
export interface ArtifactLimits {
  /** Largest artifact, in bytes. Default 5_242_880. */
  readonly maxBytes?: number;
  /** Largest total of all artifacts of one conversation, in bytes. Default 52_428_800. */
  readonly maxTotalBytes?: number;
  /** Days until an artifact is deleted. Default 30. */
  readonly keepDays?: number;
}
