import { expect, it } from "vitest";
import { testAssistant } from "./support/assistant.ts";

it("what programs call with something else than a text says which function wants which, and rejects", async () => {
  const { assistant } = await testAssistant();
  const wrong: readonly (readonly [string, ...unknown[]])[] = [
    ["access.approve: code"],
    ["access.deny: code", null],
    ["access.remove: user", {}],
    ["approvals.answer: id"],
    ["approvals.answer: answer", "7KXQ2M"],
    ["goals.read: user", {}],
    ["goals.write: user", null],
    ["jobs.create: task", { schedule: "every day" }],
    ["skills.feedback: user", "notes", null],
    ["skills.match: text", 7],
    ["skills.remove: name"],
    ["skills.show: name", { name: "notes" }],
    ["skills.write: text", null],
    ["workflows.cancel: id"],
    ["workflows.finished: id", {}],
    ["workflows.get: id", 7],
  ];
  for (const [what, ...given] of wrong) {
    const [call = "", field = ""] = what.split(": ");
    const [member = "", name = ""] = call.split(".");
    const own = assistant[member as keyof typeof assistant] as unknown as Record<
      string,
      (...all: unknown[]) => unknown
    >;
    await expect(own[name]?.(...given), what).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(`Invalid ${field} for ${call}(): expected a text, got `) as unknown,
    });
  }
});

it("what fits goes on as it was given", async () => {
  const { assistant } = await testAssistant();
  const { job } = await assistant.jobs.create({ schedule: "every day at 9", task: "Water", user: "app:ada" });
  expect(job.task).toBe("Water");
  expect(await assistant.goals.read({ user: "app:ada" })).toBeNull();
  await expect(assistant.workflows.get("run-1")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
