// Times in the language of the page.

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** Formats a span by its two largest units, leaving out zeros: `2 hr 5 min`. Rounded up to a second. */
export function timeLeft(ms: number): string {
  let rest = Math.max(1000, Math.ceil(ms / 1000) * 1000);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count === 0) continue;
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" });
    parts.push(format.format(count));
  }
  return parts.slice(0, 2).join(" ");
}

export function localTime(time: string): string {
  return new Date(time).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
