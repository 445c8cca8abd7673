/** What no reader sees between two letters. */
const UNSEEN = ["\u200b", "\u00ad", "\u0301", "\u{e0020}", "\ufe0f", " ", "\n", "\\", "\\n", "\u202e\u3164"] as const;

/** Markers with so many of one of them within. */
export function* markersWithRuns(length: number): Iterable<{ readonly unseen: string; readonly hostile: string }> {
  for (const unseen of UNSEEN) {
    const run = unseen.repeat(length);
    for (const hostile of [`<${run}wakeful-data>`, `<${run}/${run}w${run}akefu${run}l${run}-data>`])
      yield { unseen, hostile };
  }
}
