export {
  type ChannelState,
  type ChannelStatus,
  type ChannelStatuses,
  createChannelStatuses,
} from "./channel-statuses.ts";
export { LEASE_MS, type LeasesDeps, createLeases } from "./leases.ts";
export { createConnect, readListener } from "./connection.ts";
export { createListeners } from "./listeners.ts";
export { type Way, decideWay, webhookUrlOf } from "./way.ts";
