export { createDelivery } from "./delivery.ts";
export type { Delivery, DeliveryParts, DeliverySessions } from "./delivery.ts";
export { createEditSent } from "./edit-sent.ts";
export type { EditSent } from "./edit-sent.ts";
export { createShipping } from "./shipping.ts";
