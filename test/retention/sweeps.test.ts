import { describe, expect, it } from "vitest";
import { createSweeps } from "../../src/retention/sweeps.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const DAY_MS = 86_400_000;

function setUp(answers: ({ next?: string; isBusy?: boolean } | Error)[] = []) {
  const clock = fakeClock();
  const asked: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const sweeps = createSweeps({
    clock,
    sweeps: [
      async ({ after }) => {
        asked.push(after);
        const answer = answers.shift() ?? {};
        if (answer instanceof Error) throw answer;
        return answer;
      },
    ],
    onFailure: (error) => void failures.push(error),
  });
  return { clock, asked, failures, sweeps };
}

describe("sweeps", () => {
  it("begin at the first look and once a day, however often it is looked", async () => {
    const { clock, asked, sweeps } = setUp();
    for (const [waitMs, rounds] of [
      [0, 1],
      [1, 1],
      [DAY_MS - 2, 1],
      [1, 2],
      [0, 2],
    ] as const) {
      await clock.advance(waitMs);
      sweeps.look();
      sweeps.look();
      await clock.advance(0);
      expect(asked).toHaveLength(rounds);
    }
    expect(clock.pending).toBe(0);
  });

  it("do not wait until a clock that was set back is where it was", async () => {
    const { clock, asked, sweeps } = setUp();
    sweeps.look();
    await clock.advance(0);
    clock.step(-365 * DAY_MS);
    sweeps.look();
    await clock.advance(0);
    sweeps.look();
    await clock.advance(0);
    expect(asked).toHaveLength(2);
  });

  it("go through all sessions, a part at a time with a pause between", async () => {
    const { clock, asked, sweeps } = setUp([{ next: "b" }, { next: "d" }, {}]);
    sweeps.look();
    await clock.advance(999);
    expect(asked).toEqual([undefined]);
    await clock.advance(1001);
    expect(asked).toEqual([undefined, "b", "d"]);
    expect(clock.pending).toBe(0);
  });

  it("come back to what was in use, a few times, and to nothing else", async () => {
    const { clock, asked, sweeps } = setUp([{ next: "b", isBusy: true }, {}, { isBusy: true }, {}]);
    sweeps.look();
    await clock.advance(1000);
    expect(asked).toEqual([undefined, "b"]);
    for (let time = 3; time <= 4; time += 1) {
      await clock.advance(99_999);
      expect(asked).toHaveLength(time - 1);
      await clock.advance(1);
      expect(asked).toHaveLength(time);
    }
    await clock.advance(3_600_000);
    expect([asked.length, clock.pending]).toEqual([4, 0]);

    const always = setUp(Array.from({ length: 100 }, () => ({ isBusy: true })));
    always.sweeps.look();
    await always.clock.advance(3_600_000);
    expect([always.asked.length, always.clock.pending]).toEqual([6, 0]);

    // A job that waits each day for hours is not only looked at when it begins to.
    always.sweeps.look();
    await always.clock.advance(3_600_000);
    expect([always.asked.length, always.clock.pending]).toEqual([12, 0]);

    const ended = setUp([{ isBusy: true }]);
    ended.sweeps.look();
    await ended.clock.advance(0);
    ended.sweeps.stop();
    await ended.clock.advance(3_600_000);
    expect([ended.asked.length, ended.failures, ended.clock.pending]).toEqual([1, [], 0]);
  });

  it("tell of a failure and begin again an hour later", async () => {
    const failure = new Error("The store does not answer");
    const { clock, asked, failures, sweeps } = setUp([failure]);
    sweeps.look();
    await clock.advance(3_599_999);
    sweeps.look();
    expect([asked.length, failures]).toEqual([1, [failure]]);
    await clock.advance(1);
    sweeps.look();
    await clock.advance(0);
    expect(asked).toHaveLength(2);
  });

  it("end with the assistant, in the middle of a round too", async () => {
    const { clock, asked, failures, sweeps } = setUp([{ next: "b" }]);
    sweeps.look();
    await clock.advance(0);
    sweeps.stop();
    await clock.advance(2 * DAY_MS);
    sweeps.look();
    await clock.advance(0);
    expect([asked, failures, clock.pending]).toEqual([[undefined], [], 0]);
  });
});
