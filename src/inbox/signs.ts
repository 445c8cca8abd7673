import type { InboundMessage } from "../message.ts";
import type { Refused } from "./admission.ts";
import type { Arrived } from "./arrivals.ts";
import type { Consent, ConsentSource } from "./consent.ts";
import type { Kept } from "./overheard.ts";
import type { PressSource, Presses } from "./presses.ts";
import type { Reactions } from "./reactions.ts";

/** Handles reactions to something that the assistant sent, none of which is a message for a model. */
export interface Signs {
  /** A press of a button. */
  press(text: string, source: PressSource): Promise<Arrived | Refused>;
  /**
   * A word that answers the offer that was said last. `null`: an ordinary message. Returned
   * synchronously for all but a few words.
   */
  word(text: string, source: ConsentSource): Promise<Arrived | null> | null;
  /** A reaction to a reply. */
  react(message: InboundMessage): Promise<Kept | Refused>;
}

export interface SignsDeps {
  readonly presses: Presses;
  readonly consent: Consent;
  readonly reactions: Reactions;
}

export function createSigns({ presses, consent, reactions }: SignsDeps): Signs {
  return {
    async press(text, source) {
      return (await presses.obey(text, source)) ?? { outcome: "refused", reason: "no such button" };
    },
    word(text, source) {
      const button = consent(text, source);
      return (
        button && button.then((found) => (found === null ? null : presses.obey(found, { ...source, isWritten: true })))
      );
    },
    react: reactions.take,
  };
}
