import type { Measured, Result } from "./row.ts";

const MARKS = { pass: "ok  ", fail: "FAIL", told: "    " } as const;

export function formatResult({ name, figure, bar, verdict, measured, note }: Result): string {
  const lines = [`${MARKS[verdict]} ${name}: ${figure}${bar === undefined ? "" : `  (bar ${bar})`}`];
  for (const one of measured) lines.push(`       ${formatMeasured(one)}`);
  if (note !== undefined) lines.push(`       ${note}`);
  return lines.join("\n");
}

/** As Markdown, for test/bench/results.md. */
export function formatMarkdown(results: readonly Result[]): string {
  const rows = results.map(
    ({ name, figure, bar, verdict, measured }) =>
      `| ${name} | ${figure} | ${bar ?? ""} | ${verdict === "told" ? "" : verdict === "pass" ? "yes" : "**no**"} | ${measured.map(formatMeasured).join("; ")} |`,
  );
  return ["| what | figure | bar | held | measured: median (lowest–highest) |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function formatMeasured({ name, unit, sample: { median, lowest, highest, count } }: Measured): string {
  const spread = count > 1 ? ` (${formatNumber(lowest)}–${formatNumber(highest)})` : "";
  return `${name} ${formatNumber(median)}${spread} ${unit}`;
}

export function formatNumber(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
