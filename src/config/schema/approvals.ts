import { DEFAULT_APPROVAL_TIMEOUT_MINUTES } from "../../approvals/index.ts";
import {
  DEFAULT_KEEP_DAYS,
  DEFAULT_MAX_ARTIFACT_BYTES,
  DEFAULT_MAX_TOTAL_BYTES,
  DEFAULT_THRESHOLD_BYTES,
} from "../../artifacts/index.ts";
import { section, whole } from "../../settings/index.ts";

export const approvals = section(
  {
    timeoutMinutes: whole(1, {
      what: "Minutes after which an unanswered request is denied",
      default: DEFAULT_APPROVAL_TIMEOUT_MINUTES,
    }),
  },
  { what: "Approval by the owner before a dangerous tool runs" },
);

const limits = {
  maxBytes: whole(1, { what: "Largest artifact, in bytes", default: DEFAULT_MAX_ARTIFACT_BYTES }),
  maxTotalBytes: whole(1, {
    what: "Largest total of all artifacts of one conversation, in bytes",
    default: DEFAULT_MAX_TOTAL_BYTES,
  }),
  keepDays: whole(1, { what: "Days until an artifact is deleted", default: DEFAULT_KEEP_DAYS }),
};

const artifactLimits = section(limits, {
  what: "Limits on the artifacts of a conversation",
  type: "artifacts/options.ts#ArtifactLimits",
});

export const artifacts = section(
  {
    thresholdBytes: whole(1024, {
      what: "Bytes above which a tool's result is stored as an artifact; the model then sees its beginning and end",
      max: DEFAULT_THRESHOLD_BYTES,
      default: DEFAULT_THRESHOLD_BYTES,
    }),
    ...limits,
  },
  {
    what: "Long tool results and files, stored per conversation",
    inCode: "Source: docs/artifacts.md.",
    base: artifactLimits,
  },
);
