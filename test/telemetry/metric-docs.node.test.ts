import { readFileSync } from "node:fs";
import { join } from "node:path";
import { METRIC_HELP } from "../../src/telemetry/metric-help.ts";
import type { MetricName } from "../../src/telemetry/index.ts";
import { describe, expect, it } from "vitest";
import { METRICS } from "../../src/telemetry/index.ts";
import type { MetricDefinition } from "../../src/telemetry/index.ts";

describe("docs/metrics.md", () => {
  it("lists exactly the metrics there are", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");
    const listed = page.split("\n").filter((line) => line.startsWith("| `"));
    const definitions: [string, MetricDefinition][] = Object.entries(METRICS);
    const expected = definitions.map(([name, { type, labels }]) => {
      const help = METRIC_HELP[name as MetricName];
      expect(help, name).toMatch(/^[A-Z].*\.$/);
      const named = labels.map((label) => `\`${label}\``).join(", ");
      return `| \`${name}\` | ${type} | ${named === "" ? "–" : named} | ${help} |`;
    });
    expect(listed).toEqual(expected);
  });
});
