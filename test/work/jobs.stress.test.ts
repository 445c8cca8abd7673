import { describe, expect, it } from "vitest";
import { fails } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";
import { WHOLE } from "../support/thorough.ts";
import { eachMinute } from "./minutes.ts";

const OWNER = { owner: { ids: ["memory:42"] }, queue: { debounceMs: 0 }, timezone: "Europe/Stockholm" } as const;

describe("a job", () => {
  it("runs not beside a run that waits for its next try, however often it would have been due meanwhile", async () => {
    const minutes = WHOLE ? 180 : 60;
    const t = await testAssistant({ ...OWNER, script: () => fails(400) });
    await t.assistant.jobs.create({
      schedule: "* * * * *",
      task: "stretch",
      user: "memory:42",
      retryPolicy: { maxRetries: 1, backoffSeconds: minutes * 60 + 30 },
      maxConsecFailures: 1,
    });
    await eachMinute(t, minutes);
    expect(t.model.callCount).toBe(1);
    // Its next try is not forgotten, and is its last one.
    await eachMinute(t, 3);
    await t.sent(1);
    expect(t.model.callCount).toBe(2);
  });
});
