import { describe, expect, it } from "vitest";
import type { Reply, StreamEvent } from "../../mod.ts";
import { createFollowUps } from "../../src/inbox/index.ts";
import { createWaiters } from "../../src/session/index.ts";

const reply = (turnId: string, text = "done"): Reply => ({
  turnId,
  sessionKey: "s",
  text,
  silent: false,
  toolCalls: [],
  approvals: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 1,
});

function setUp(turnOf: (id: string) => string = (id) => `turn-${id}`) {
  const waiters = createWaiters(() => () => {});
  const followUps = createFollowUps({
    waiters,
    keyOf: async (id) => (id === "unknown" ? undefined : `key ${id}`),
    reply: async (id) => reply(turnOf(id)),
  });
  const happens = (ids: readonly string[], event: StreamEvent) =>
    waiters.listenerFor(ids.map((id) => `key ${id}`))?.(event);
  const told = async () => {
    const events: string[] = [];
    for await (const event of followUps.events)
      events.push(event.type === "text-delta" ? event.text : event.type === "reply" ? event.reply.turnId : event.type);
    return events;
  };
  return { followUps, happens, told };
}
const says = (text: string): StreamEvent => ({ type: "text-delta", text });

describe("createFollowUps()", () => {
  it("tells what happens from before the answer on, then the reply", async () => {
    const { followUps, happens, told } = setUp();
    const one = await followUps.watch("1");
    happens(["1"], says("before"));
    one.confirm();
    happens(["1"], says("after"));
    expect(await told()).toEqual(["before", "after", "turn-1", "end"]);
  });

  it("tells nothing of a request whose answer does not count", async () => {
    const { followUps, happens, told } = setUp();
    const one = await followUps.watch("1");
    const other = await followUps.watch("2");
    happens(["2"], says("secret"));
    other.drop();
    happens(["2"], says("secret too"));
    one.confirm();
    expect(await told()).toEqual(["turn-1", "end"]);
  });

  it("tells a turn that answers two requests once", async () => {
    const { followUps, happens, told } = setUp(() => "turn");
    for (const id of ["1", "2"]) (await followUps.watch(id)).confirm();
    happens(["1", "2"], says("both"));
    expect(await told()).toEqual(["both", "turn", "end"]);
  });

  it("waits for nothing where there is no such request", async () => {
    const { followUps, told } = setUp();
    (await followUps.watch("unknown")).drop();
    expect(await told()).toEqual(["end"]);
  });
});
