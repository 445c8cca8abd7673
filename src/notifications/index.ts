export { createHostChannel } from "./host-channel.ts";
export { createNotifications, readKept } from "./notifications.ts";
export type { Notification, Notifications } from "./notifications.ts";
