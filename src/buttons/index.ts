export {
  DEFAULT_LIFETIME_MS,
  KEEP_ENDED_MS,
  buttonText,
  createButtons,
  readButton,
  OFFER_DOCUMENTS,
} from "./buttons.ts";
export type { Buttons, ButtonsDeps, Choice, NewOffer, Offer, Press, PressOutcome, PressRefusal } from "./buttons.ts";
