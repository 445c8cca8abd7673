import { section, whole } from "../../settings/index.ts";

export const approvals = section(
  {
    timeoutMinutes: whole(1, {
      what: "Minutes after which a request that nobody answered is denied",
      default: 60,
    }),
  },
  { what: "Asking the owner before a dangerous tool runs" },
);

const limits = {
  maxBytes: whole(1, { what: "Bytes that one artifact may have", default: 5_242_880 }),
  maxTotalBytes: whole(1, {
    what: "Bytes that all artifacts of one conversation may have together",
    default: 52_428_800,
  }),
  keepDays: whole(1, { what: "Days until an artifact goes", default: 30 }),
};

const artifactLimits = section(limits, {
  what: "What conversations may keep besides their messages",
  type: "artifacts/options.ts#ArtifactLimits",
});

export const artifacts = section(
  {
    thresholdBytes: whole(1024, {
      what: "Results of tools with more bytes are kept as an artifact, and the model is shown their beginning and end",
      max: 16_384,
      default: 16_384,
    }),
    ...limits,
  },
  {
    what: "Long results and files that conversations keep",
    inCode: "Source: docs/artifacts.md.",
    base: artifactLimits,
  },
);
