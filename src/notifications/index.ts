export { createHostChannel } from "./host-channel.ts";
export { NOTIFICATION_DOCUMENTS, createNotifications } from "./notifications.ts";
export type { Notification, Notifications } from "./notifications.ts";
