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
      what: "Minutes after which a request that nobody answered is denied",
      default: DEFAULT_APPROVAL_TIMEOUT_MINUTES,
    }),
  },
  { what: "Asking the owner before a dangerous tool runs" },
);

const limits = {
  maxBytes: whole(1, { what: "Bytes that one artifact may have", default: DEFAULT_MAX_ARTIFACT_BYTES }),
  maxTotalBytes: whole(1, {
    what: "Bytes that all artifacts of one conversation may have together",
    default: DEFAULT_MAX_TOTAL_BYTES,
  }),
  keepDays: whole(1, { what: "Days until an artifact goes", default: DEFAULT_KEEP_DAYS }),
};

const artifactLimits = section(limits, {
  what: "What conversations may keep besides their messages",
  type: "artifacts/options.ts#ArtifactLimits",
});

export const artifacts = section(
  {
    thresholdBytes: whole(1024, {
      what: "Results of tools with more bytes are kept as an artifact, and the model is shown their beginning and end",
      max: DEFAULT_THRESHOLD_BYTES,
      default: DEFAULT_THRESHOLD_BYTES,
    }),
    ...limits,
  },
  {
    what: "Long results and files that conversations keep",
    inCode: "Source: docs/artifacts.md.",
    base: artifactLimits,
  },
);
