import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createCoolDowns } from "../../src/agent/index.ts";
import { AssistantError } from "../../src/errors.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";

function failure(statusCode: number | undefined, headers: Record<string, string> = {}, message = "failed") {
  return new APICallError({
    message,
    url: "http://scripted.invalid/",
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    responseHeaders: headers,
    isRetryable: statusCode === undefined || statusCode === 429 || statusCode >= 500,
  });
}

function setUp() {
  const clock = fakeClock();
  return { clock, coolDowns: createCoolDowns({ clock }), model: scriptedModel([]) };
}

describe("createCoolDowns()", () => {
  it.each([
    { title: "an overload", error: failure(529), ms: 30_000 },
    { title: "a service that is not there", error: failure(503), ms: 30_000 },
    { title: "a rate limit", error: failure(429), ms: 30_000 },
    { title: "a rate limit that says how long", error: failure(429, { "retry-after": "90" }), ms: 90_000 },
    { title: "one that says it in milliseconds", error: failure(429, { "retry-after-ms": "1500" }), ms: 1500 },
    { title: "one that asks for hours", error: failure(429, { "retry-after": "7200" }), ms: 600_000 },
    { title: "one that says nothing sensible", error: failure(429, { "retry-after": "soon" }), ms: 30_000 },
    {
      title: "a date, which needs the provider's clock",
      error: failure(429, { "retry-after": "Mon, 05 Jan 2026 09:00:00 GMT" }),
      ms: 30_000,
    },
    { title: "no connection", error: failure(undefined), ms: 30_000 },
    { title: "no connection, told by the runtime", error: new TypeError("fetch failed"), ms: 30_000 },
    {
      title: "a timeout of ours",
      error: new AssistantError("MODEL_UNAVAILABLE", "The model did not answer within 120 s"),
      ms: 30_000,
    },
    {
      title: "a timeout of the model's",
      error: new DOMException("The operation timed out", "TimeoutError"),
      ms: 30_000,
    },
    {
      title: "an overload within a stream",
      error: new Error('The model\'s stream reported an error: {"type":"overloaded_error"}'),
      ms: 30_000,
    },
    { title: "an overload within an answer", error: failure(200, {}, "Overloaded"), ms: 30_000 },
    { title: "a refused key", error: failure(401), ms: 600_000 },
    { title: "an unpaid bill", error: failure(402), ms: 600_000 },
    { title: "a key that may not", error: failure(403, { "retry-after": "1" }), ms: 600_000 },
    {
      title: "words that a gateway does not pass on",
      error: failure(403, {}, 'p/one requires moderation on openrouter.ai. Your input was flagged for "violence"'),
      ms: undefined,
    },
    { title: "a bad request", error: failure(400), ms: undefined },
    { title: "a model that is not known", error: failure(404), ms: undefined },
    { title: "an error of the server's own, which the next prompt may not have", error: failure(500), ms: undefined },
    { title: "a bug", error: new RangeError("Invalid array length"), ms: undefined },
  ])("after $title rests $ms ms", ({ error, ms }) => {
    const { coolDowns, model, clock } = setUp();
    expect(coolDowns.failed(model, error)).toBe(ms);
    expect(coolDowns.of(model)?.untilMs).toBe(ms === undefined ? undefined : clock.now() + ms);
  });

  it("doubles with each failure in a row, up to five minutes, and begins anew after an answer", async () => {
    const { coolDowns, model, clock } = setUp();
    const rests: (number | undefined)[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const ms = coolDowns.failed(model, failure(529));
      rests.push(ms);
      await clock.advance(ms ?? 0);
      expect(coolDowns.of(model)).toBeUndefined();
    }
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
    coolDowns.answered(model);
    expect(coolDowns.failed(model, failure(529))).toBe(30_000);
  });

  it("does not double for failures while it rests: those are tries without a choice", () => {
    const { coolDowns, model } = setUp();
    for (let round = 0; round < 5; round += 1) expect(coolDowns.failed(model, failure(529))).toBe(30_000);
    expect(coolDowns.of(model)?.failures).toBe(1);
  });

  it("believes a short wait only once", async () => {
    const { coolDowns, model, clock } = setUp();
    expect(coolDowns.failed(model, failure(429, { "retry-after": "1" }))).toBe(1000);
    await clock.advance(1000);
    expect(coolDowns.failed(model, failure(429, { "retry-after": "1" }))).toBe(60_000);
  });

  it("rests no longer because the clock was set back", () => {
    const { clock, coolDowns, model } = setUp();
    coolDowns.failed(model, failure(401));
    clock.step(-86_400_000);
    expect(coolDowns.of(model)).toBeUndefined();
    expect(coolDowns.failed(model, failure(503))).toBeLessThanOrEqual(600_000);
  });

  it.each([60_000, 300_000, 3_600_000, 365 * 86_400_000])(
    "asks a model again when the clock is set back by %i ms, and lets it rest again when it fails",
    (ms) => {
      const { clock, coolDowns, model } = setUp();
      coolDowns.failed(model, failure(529));
      clock.step(-ms);
      expect(coolDowns.of(model)).toBeUndefined();
      expect(coolDowns.failed(model, failure(529))).toBe(60_000);
      expect(coolDowns.of(model)).toEqual({ untilMs: clock.now() + 60_000, failures: 2 });
    },
  );

  it("keeps models of one name apart", () => {
    const { coolDowns, model } = setUp();
    coolDowns.failed(model, failure(529));
    expect(coolDowns.of(scriptedModel([]))).toBeUndefined();
  });
});
