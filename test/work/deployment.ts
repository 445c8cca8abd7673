import { says } from "../../src/testing/scripted-model.ts";

/** Options of an assistant that says it deployed, and whose owner has half an hour to agree. */
export const OWNER = {
  owner: { ids: ["memory:42"] },
  queue: { debounceMs: 0 },
  approvals: { timeoutMinutes: 30 },
  script: () => says("Deployed"),
} as const;

/** A job that needs the owner's yes before each run. */
export const DEPLOY = {
  schedule: "every hour",
  task: "deploy the site",
  user: "memory:42",
  approvalRequired: true,
} as const;
