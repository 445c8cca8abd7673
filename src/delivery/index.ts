export { createDelivery } from "./delivery.ts";
export type { Delivery, DeliveryParts, DeliverySessions } from "./delivery.ts";
