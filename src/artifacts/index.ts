export {
  DEFAULT_KEEP_DAYS,
  DEFAULT_MAX_ARTIFACT_BYTES,
  DEFAULT_MAX_TOTAL_BYTES,
  createArtifacts,
} from "./artifacts.ts";
export type { ArtifactLimits } from "./options.ts";
export type { Artifact, ArtifactInfo, ArtifactWritten, Artifacts, ArtifactsOptions } from "./artifacts.ts";
export { DEFAULT_THRESHOLD_BYTES, createLongResults } from "./long-results.ts";
export { MAX_ATTACHMENTS, detachInline, fileName, formatBytes, isUnstored, storeAttachments } from "./attachments.ts";
export type { AttachmentParts, MessageFiles } from "./attachments.ts";
export { createArtifactsApi } from "./api.ts";
export { createArtifactErasure } from "./erasure.ts";
export { createArtifactRenaming } from "./renaming.ts";
export type { ArtifactsApi } from "./api.ts";
