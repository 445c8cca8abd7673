import { describe, expect, it } from "vitest";
import { fakeClock } from "../src/testing/index.ts";
import { abortable, startDeadline, withTimeout } from "../src/time-limit.ts";

const never = new Promise<never>(() => {});

/** A signal that counts who listens to it. */
function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners: () => listeners };
}

describe("withTimeout()", () => {
  it("gives what the work gives, and cancels its timer", async () => {
    const clock = fakeClock();
    await expect(withTimeout(clock, 1000, Promise.resolve("done"), () => "late")).resolves.toBe("done");
    expect(clock.pending).toBe(0);
  });

  it("throws what the work throws, and cancels its timer", async () => {
    const clock = fakeClock();
    const work = Promise.reject(new Error("broken"));
    await expect(withTimeout(clock, 1000, work, () => "late")).rejects.toThrow("broken");
    expect(clock.pending).toBe(0);
  });

  it("gives what onTimeout gives when the time is over, not before", async () => {
    const clock = fakeClock();
    let outcome: string | undefined;
    void withTimeout(clock, 1000, never, () => "late").then((given) => (outcome = given));
    await clock.advance(999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBe("late");
  });

  it("throws what onTimeout throws", async () => {
    const clock = fakeClock();
    const waiting = withTimeout(clock, 1000, never, () => {
      throw new Error("too late");
    });
    await Promise.all([expect(waiting).rejects.toThrow("too late"), clock.advance(1000)]);
  });

  it("leaves no rejection unhandled when the work fails after its time", async () => {
    const clock = fakeClock();
    let fail: (error: Error) => void = () => {};
    const work = new Promise<string>((_, reject) => (fail = reject));
    const waiting = withTimeout(clock, 1000, work, () => "late");
    await clock.advance(1000);
    await expect(waiting).resolves.toBe("late");
    fail(new Error("nobody waits any more")); // unhandled, it would fail the run
    await clock.advance(0);
  });

  it("ends with the reason of its signal, leaving neither timer nor listener", async () => {
    const clock = fakeClock();
    const { controller, signal, listeners } = watchedSignal();
    const waiting = withTimeout(clock, 1000, never, () => "late", signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect([clock.pending, listeners()]).toEqual([0, 0]);
  });

  it("needs no more of a clock than sleep()", async () => {
    const clock = fakeClock();
    const { sleep } = clock;
    await expect(withTimeout({ sleep }, 1000, Promise.resolve("done"), () => "late")).resolves.toBe("done");
    expect(clock.pending).toBe(0);
  });
});

describe("abortable()", () => {
  it("gives what the work gives, and listens no longer", async () => {
    const { signal, listeners } = watchedSignal();
    await expect(abortable(Promise.resolve("done"), signal)).resolves.toBe("done");
    expect(listeners()).toBe(0);
  });

  it("throws the reason as soon as the signal aborts, and ignores what becomes of the work", async () => {
    const { controller, signal } = watchedSignal();
    let fail: (error: Error) => void = () => {};
    const waiting = abortable(new Promise((_, reject) => (fail = reject)), signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    fail(new Error("nobody waits any more")); // unhandled, it would fail the run
  });

  it("throws the reason of a signal that aborted before, also when the work is done", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(abortable(Promise.resolve("done"), signal)).rejects.toThrow("enough");
  });
});

describe("startDeadline()", () => {
  it("is one time for all steps, and ends those that do not listen to its signal", async () => {
    const clock = fakeClock();
    const deadline = startDeadline(clock, 1000, () => new Error("too late"));
    await clock.advance(600);
    await expect(deadline.within(Promise.resolve("first"))).resolves.toBe("first");
    const second = deadline.within(never);
    await Promise.all([expect(second).rejects.toThrow("too late"), clock.advance(400)]);
    expect(deadline.signal.reason).toEqual(new Error("too late"));
  });

  it("aborts with the reason of the outer signal, and the time no longer runs", async () => {
    const clock = fakeClock();
    const { controller, signal, listeners } = watchedSignal();
    let isLate = false;
    const deadline = startDeadline(clock, 1000, () => (isLate = true), signal);
    controller.abort("stop");
    expect(deadline.signal.reason).toBe("stop");
    expect([clock.pending, listeners(), isLate]).toEqual([0, 0, false]);
    expect(startDeadline(clock, 1000, () => "late", AbortSignal.abort("before")).signal.reason).toBe("before");
    expect(clock.pending).toBe(0);
  });

  it("leaves neither timer nor listener once it is ended, and its signal stays as it is", async () => {
    const clock = fakeClock();
    const { controller, signal, listeners } = watchedSignal();
    const deadline = startDeadline(clock, 1000, () => "late", signal);
    deadline.end();
    controller.abort("stop");
    expect([clock.pending, listeners(), deadline.signal.aborted]).toEqual([0, 0, false]);
  });

  it("sets no timer for a time without end", () => {
    const clock = fakeClock();
    startDeadline(clock, Infinity, () => "late");
    expect(clock.pending).toBe(0);
  });
});
