import { describe, expect, it } from "vitest";
import { createSlots } from "../../src/session/index.ts";

const NEVER = new AbortController().signal;

/** Slots, what they tell the metrics, and works that end when the test says so. */
function setUp(most: number) {
  const gauges: Record<string, number> = {};
  const slots = createSlots(most, {
    set: (name: string, value: unknown) => void (gauges[name] = Number(value)),
  } as never);
  return { slots, gauges };
}

function work<T>() {
  let end: (value: T) => void = () => {};
  let fail: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { promise, end, fail };
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

describe("createSlots()", () => {
  it("gives a place to one at a time, in order", async () => {
    const { slots } = setUp(1);
    const order: string[] = [];
    const release = await slots.take("a", NEVER);
    const others = ["b", "c"].map(async (key) => {
      const end = await slots.take(key, NEVER);
      order.push(key);
      end();
    });
    await settled();
    expect(order).toEqual([]);
    release();
    await Promise.all(others);
    expect(order).toEqual(["b", "c"]);
  });

  it("gives a lent place to another session, and takes one again before the work's result is given", async () => {
    const { slots, gauges } = setUp(1);
    const { promise, end } = work<string>();
    const order: string[] = [];
    const releaseParent = await slots.take("parent", NEVER);
    const lent = slots.lend("parent", promise, NEVER).then((result) => order.push(result));
    const releaseChild = await slots.take("child", NEVER);
    end("result");
    await settled();
    expect(order).toEqual([]);
    releaseChild();
    await lent;
    expect([order, gauges["queue.running"]]).toEqual([["result"], 1]);
    releaseParent();
    expect(gauges["queue.running"]).toBe(0);
  });

  it("takes one place again, however many works were waited for side by side", async () => {
    const { slots, gauges } = setUp(1);
    const [one, other] = [work<void>(), work<void>()];
    const release = await slots.take("parent", NEVER);
    const lent = [slots.lend("parent", one.promise, NEVER), slots.lend("parent", other.promise, NEVER)];
    expect(gauges["queue.running"]).toBe(0);
    const releaseOther = await slots.take("other", NEVER);
    one.end();
    // Whoever still waits needs no place, so it waits for none.
    await lent[0];
    releaseOther();
    expect(gauges["queue.running"]).toBe(0);
    other.end();
    await lent[1];
    expect(gauges["queue.running"]).toBe(1);
    release();
    expect(gauges["queue.running"]).toBe(0);
  });

  it("takes no place again for a turn that has ended", async () => {
    const { slots, gauges } = setUp(1);
    const { promise, fail } = work<void>();
    const release = await slots.take("parent", NEVER);
    const lent = slots.lend("parent", promise, NEVER);
    release();
    fail(new Error("cut off"));
    await expect(lent).rejects.toThrow("cut off");
    expect(gauges["queue.running"]).toBe(0);
    (await slots.take("other", NEVER))();
  });

  it("does not wait for a place once it is aborted, and owes none then", async () => {
    const { slots, gauges } = setUp(1);
    const { promise, end } = work<void>();
    const stop = new AbortController();
    const release = await slots.take("parent", NEVER);
    const lent = slots.lend("parent", promise, stop.signal);
    const releaseOther = await slots.take("other", NEVER);
    end();
    await settled();
    stop.abort(new Error("stopped"));
    await expect(lent).rejects.toThrow("stopped");
    release();
    expect(gauges["queue.running"]).toBe(1);
    releaseOther();
    expect(gauges).toEqual({ "queue.running": 0, "queue.depth": 0 });
  });

  it("only waits for a session that holds no place", async () => {
    const { slots } = setUp(1);
    expect(await slots.lend("host", Promise.resolve("result"), NEVER)).toBe("result");
  });
});
