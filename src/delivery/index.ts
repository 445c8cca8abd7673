export { createDelivery } from "./delivery.ts";
export type { DeliveryParts, DeliverySessions } from "./delivery.ts";
export { createEditSent } from "./edit-sent.ts";
export { createShipping } from "./shipping.ts";
