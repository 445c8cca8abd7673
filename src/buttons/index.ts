export {
  DEFAULT_LIFETIME_MS,
  KEEP_ENDED_MS,
  buttonText,
  createButtons,
  readButton,
  OFFER_DOCUMENTS,
} from "./buttons.ts";
export type { Buttons, Choice, NewOffer, Offer, PressOutcome } from "./buttons.ts";
