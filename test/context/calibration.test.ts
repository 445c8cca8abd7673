import { describe, expect, it } from "vitest";
import { createCalibration } from "../../src/context/calibration.ts";

describe("createCalibration()", () => {
  it("is within a tenth after ten calls of a provider that counts 1.6 times the estimate", () => {
    const calibration = createCalibration();
    for (let call = 0; call < 10; call += 1) {
      const estimated = 1000 + 137 * call;
      calibration.learn("m", estimated, Math.round(estimated * 1.6));
    }
    const corrected = 5000 * calibration.factor("m");
    expect(Math.abs(corrected - 8000) / 8000).toBeLessThan(0.1);
  });

  it("knows nothing of a model at first, and keeps models apart", () => {
    const calibration = createCalibration();
    calibration.learn("one", 1000, 2000);
    expect(calibration.factor("one")).toBeGreaterThan(1);
    expect(calibration.factor("two")).toBe(1);
  });

  it.each([
    { title: "no report", estimated: 1000, reported: 0 },
    { title: "a report that is no number", estimated: 1000, reported: Number.NaN },
    { title: "an endless report", estimated: 1000, reported: Infinity },
    { title: "a short prompt", estimated: 199, reported: 1000 },
    { title: "no estimate", estimated: Number.NaN, reported: 1000 },
  ])("ignores $title", ({ estimated, reported }) => {
    const calibration = createCalibration();
    calibration.learn("m", estimated, reported);
    expect(calibration.factor("m")).toBe(1);
  });

  it.each([
    { reported: 1, least: 0.5 },
    { reported: 1_000_000, least: 3 },
  ])("stays within bounds when $reported tokens are reported", ({ reported, least }) => {
    const calibration = createCalibration();
    for (let call = 0; call < 50; call += 1) calibration.learn("m", 1000, reported);
    expect(calibration.factor("m")).toBeCloseTo(least, 3);
  });

  it("is not thrown off by one odd call", () => {
    const calibration = createCalibration();
    for (let call = 0; call < 20; call += 1) calibration.learn("m", 1000, 1200);
    calibration.learn("m", 1000, 3000);
    for (let call = 0; call < 5; call += 1) calibration.learn("m", 1000, 1200);
    expect(Math.abs(calibration.factor("m") - 1.2)).toBeLessThan(0.12);
  });

  it("forgets the model that it learned of longest ago when there are too many", () => {
    const calibration = createCalibration();
    calibration.learn("old", 1000, 2000);
    for (let model = 0; model < 200; model += 1) calibration.learn(`m${model}`, 1000, 2000);
    expect(calibration.factor("old")).toBe(1);
    expect(calibration.factor("m199")).toBeGreaterThan(1);
  });
});
