/** English words that say nothing about a text's subject, and question words; without apostrophes, as in `tokensOf`. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the and or but if then else so than too very just of at by for with about to from in on into onto over under up down out off as " +
    "i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this that these those there here " +
    "is am are was were be been being do does did doing done have has had having will would shall should can could may might must not no nor " +
    "what when where who whom whose which why how all any both each few more most other some such only own same again once also " +
    "im ive id ill youre youve hes shes were theyre thats whats dont doesnt didnt isnt arent wasnt werent wont cant couldnt wouldnt s t d ll m re ve"
  ).split(" "),
);

/** A character of a normalised Chinese or Japanese text that says nothing about the text's subject. */
export const SAYS_LITTLE =
  /[我你您他她它们的了是在有和跟与还把被给着吗呢吧啊呀嘛什么哪谁怎这那个很也都就不のはがをにでともへやか]/;
