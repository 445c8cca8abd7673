import { describe, expect, it } from "vitest";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import { HOOK_SECRET, OWNER, delivery, wholeAssistant } from "./support.ts";

const message = { id: "event-1", user: "ada", text: "Pay the bill" };

describe("a message that is sent again", () => {
  it("is answered once, and its sender gets the first reply again", async () => {
    const { assistant, clock, model } = await wholeAssistant();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 20 }, async () => assistant.fetch(await delivery(clock, message))),
    );
    const reply = (await first?.json()) as { id: string };
    for (const other of others) expect(await other.json()).toEqual(reply);
    expect(model.callCount).toBe(1);
    await assistant.stop();
  });

  it("is known by its event's id, not by its signature, its time or how its JSON is written", async () => {
    const { assistant, clock, model } = await wholeAssistant();
    await assistant.fetch(await delivery(clock, message));
    clock.step(7000);
    await assistant.fetch(await delivery(clock, message));
    await assistant.fetch(
      await delivery(clock, JSON.stringify({ user: "ada", text: "Pay the bill", id: "event-1" }, null, 2)),
    );
    expect(model.callCount).toBe(1);
    await assistant.fetch(await delivery(clock, { ...message, id: "event-2" }));
    expect(model.callCount).toBe(2);
    await assistant.stop();
  });

  it("is known after a restart", async () => {
    const { assistant, make, clock, model } = await wholeAssistant();
    await assistant.fetch(await delivery(clock, message));
    await assistant.stop();
    const again = await make();
    expect((await again.fetch(await delivery(clock, message))).status).toBe(200);
    expect(model.callCount).toBe(1);
    await again.stop();
  });

  it("is another message on another account", async () => {
    const { assistant, clock, model } = await wholeAssistant();
    const two = await wholeAssistant({
      channels: ["one", "two"].map((account) => webhook({ secret: HOOK_SECRET, dm: "open", account, clock })),
    });
    for (const account of ["one", "two", "one"])
      await two.assistant.fetch(await delivery(clock, message, { path: `/webhooks/webhook/${account}?wait=true` }));
    expect([two.model.callCount, model.callCount]).toEqual([2, 0]);
    await two.assistant.stop();
    await assistant.stop();
  });

  it("is refused once its signature is older than five minutes", async () => {
    const { assistant, clock } = await wholeAssistant();
    const old = await delivery(clock, message);
    clock.step(301_000);
    expect((await assistant.fetch(old)).status).toBe(401);
    await assistant.stop();
  });

  it("of the API is known by its id in its conversation", async () => {
    const { assistant, model } = await wholeAssistant();
    const say = (session: string) =>
      assistant.fetch(
        new Request("http://localhost:8787/api/v1/messages", {
          method: "POST",
          headers: { authorization: `Bearer ${OWNER}` },
          body: JSON.stringify({ text: "Pay the bill", id: "1", session }),
        }),
      );
    for (const session of ["a", "a", "b"]) expect((await say(session)).status).toBe(200);
    expect(model.callCount).toBe(2);
    await assistant.stop();
  });
});
