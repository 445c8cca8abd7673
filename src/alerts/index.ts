export { createAlertOwner } from "./alert-owner.ts";
export { createAlerts } from "./alerts.ts";
export { decideAlerts } from "./decide-alerts.ts";
export type { AlertFacts } from "./decide-alerts.ts";
export {
  DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
  DEFAULT_HANDLER_ERRORS_PER_MINUTE,
  DEFAULT_JOB_FAILURES,
} from "./decide-alerts.ts";
export type { AlertOptions } from "./options.ts";
