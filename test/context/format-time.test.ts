import { describe, expect, it } from "vitest";
import { formatTime } from "../../src/context/format-time.ts";

const NIGHT = Date.UTC(2026, 10, 21, 22, 50, 59);

describe("formatTime()", () => {
  it.each([
    ["UTC", "Sat 2026-11-21 22:50 UTC"],
    ["Europe/Stockholm", "Sat 2026-11-21 23:50 Europe/Stockholm"],
    ["Asia/Shanghai", "Sun 2026-11-22 06:50 Asia/Shanghai"],
  ])("tells weekday, day and minute in %s", (timezone, text) => {
    expect(formatTime(NIGHT, timezone)).toBe(text);
    expect(formatTime(NIGHT + 60_000, timezone)).not.toBe(text);
    expect(formatTime(NIGHT, timezone)).toBe(text);
  });

  it("reads UTC by itself as any other zone is read", () => {
    for (let time = 0; time < 3e12; time += 97_777_777_777) {
      expect(formatTime(time, "UTC").replace("UTC", "Etc/UTC")).toBe(formatTime(time, "Etc/UTC"));
    }
  });
});
