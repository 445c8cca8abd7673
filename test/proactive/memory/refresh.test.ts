import { describe, expect, it } from "vitest";
import { REFRESH_OPTIONS, iterationRefresh } from "../../../src/proactive/memory/refresh.ts";
import { KEY, type SetUp, found, said, setUp, stepped } from "./support.ts";

/** A turn that has made so many steps, each of which found something. */
async function inTurn(outputs: readonly string[], given: SetUp = {}, question = "Sort out my trip") {
  const at = setUp(given);
  at.hooks.add(iterationRefresh(at.parts, at.options), REFRESH_OPTIONS);
  await at.sessions.open(KEY);
  await at.sessions.append(KEY, said("1", question));
  for (const [step, output] of outputs.entries())
    await at.sessions.append(KEY, [stepped("turn-1", step), found("turn-1", step, output)]);
  return { ...at, contents: async (step: number) => (await at.iterate(step, "turn-1")).map(({ content }) => content) };
}

const OUTPUTS = ["nothing", "Hotel Meridian in Ghent has rooms", "Hotel Meridian costs 90"];
const memo = { userId: "telegram:42", content: "Ada disliked the Hotel Meridian: too loud" };

describe("iterationRefresh()", () => {
  it("recalls with what the last tools found, before every third step of a longer turn", async () => {
    const { memory, contents, eventsOf, events } = await inTurn(OUTPUTS);
    await memory.save(memo);
    for (const step of [1, 2, 3, 5, 6]) expect(await contents(step)).toEqual([]);
    expect(await contents(4)).toEqual([memo.content]);
    expect(await contents(7)).toEqual([]); // of its three steps there is nothing yet
    await events.drain();
    expect(eventsOf("proactive.context.refresh")).toEqual([{ taskId: "turn-1", step: 4, count: 1 }]);
  });

  it.each([
    [1, [4, 5, 6]],
    [2, [5, 7]],
    [0, []],
  ])("with an interval of %i asks before the steps %j of seven", async (refreshInterval, steps) => {
    const { memory, contents } = await inTurn([...OUTPUTS, ...OUTPUTS], { options: { refreshInterval } });
    await memory.save(memo);
    const asked: number[] = [];
    for (let step = 1; step <= (refreshInterval === 1 ? 6 : 7); step += 1)
      if ((await contents(step)).length > 0) asked.push(step);
    expect(asked).toEqual(steps);
  });

  it("says nothing that the prompt has: in a message, in its block, injected before, or in a tool's result", async () => {
    const prompts: [string, Partial<Parameters<typeof stepped>[2]>, string][] = [
      [memo.content, {}, ""],
      ["hi", { block: `<wakeful-note>\n- (x) ${memo.content}\n</wakeful-note>` }, ""],
      ["hi", { injected: `- (x) ${memo.content.replace(": ", ":\n  ")}` }, ""],
      ["hi", {}, JSON.stringify({ hits: [memo.content] })],
    ];
    for (const [text, step, output] of prompts) {
      const { memory, sessions, contents } = await inTurn([], {}, text);
      await memory.save(memo);
      for (const number of [0, 1, 2])
        await sessions.append(KEY, [
          stepped("turn-1", number, number === 0 ? step : {}),
          found("turn-1", number, `${output} Hotel Meridian`),
        ]);
      expect(await contents(4)).toEqual([]);
    }
  });

  it("gives at most three, within its tokens", async () => {
    const { memory, contents } = await inTurn(OUTPUTS);
    for (const room of ["one", "two", "three", "four", "five"])
      await memory.save({ ...memo, content: `Hotel Meridian room ${room} was used` });
    expect(await contents(4)).toHaveLength(3);
    const small = await inTurn(OUTPUTS, { options: { refreshTokens: 40 } });
    for (const room of ["one", "two", "three"])
      await small.memory.save({ ...memo, content: `Hotel Meridian room ${room} was used` });
    expect((await small.contents(4)).length).toBeLessThan(3);
  });

  it("holds a model call up for less than 200 ms, whatever memory does", async () => {
    const { contents, clock, failures } = await inTurn(OUTPUTS, { memory: { find: () => new Promise(() => {}) } });
    const startedAt = clock.now();
    const asking = contents(4);
    await clock.advance(199);
    expect(await asking).toEqual([]);
    expect(clock.now() - startedAt).toBeLessThan(200);
    expect(failures.map(({ handler, reason }) => [handler, reason])).toEqual([["memory-refresh", "timeout"]]);
  });

  it("does nothing for a turn that is not open any more", async () => {
    const { memory, iterate } = await inTurn(OUTPUTS);
    await memory.save(memo);
    expect(await iterate(4, "turn-2")).toEqual([]);
  });
});
