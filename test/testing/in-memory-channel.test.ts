import { describe, expect, it } from "vitest";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";

const target = { channel: "memory", account: "default", chat: "ada" };
const signal = new AbortController().signal;

describe("inMemoryChannel()", () => {
  it("keeps what it was given to send, in order", async () => {
    const channel = inMemoryChannel();
    expect(await channel.send(target, { text: "one" }, signal)).toEqual({ id: "sent-1" });
    expect(await channel.send(target, { text: "two", idempotencyKey: "t.0" }, signal)).toEqual({ id: "sent-2" });
    expect(channel.textsTo("ada")).toEqual(["one", "two"]);
    expect(channel.sent[1]?.message.idempotencyKey).toBe("t.0");
  });

  it("fails as scripted, one failure a try, for one chat only where a chat is named", async () => {
    const channel = inMemoryChannel();
    channel.script([{ retryable: true, retryAfterMs: 7000 }, null, new Error("socket closed")], { chat: "ada" });
    expect(await channel.send({ ...target, chat: "bo" }, { text: "other chat" }, signal)).toEqual({ id: "sent-1" });
    await expect(channel.send(target, { text: "a" }, signal)).rejects.toMatchObject({
      retryable: true,
      retryAfterMs: 7000,
    });
    await channel.send(target, { text: "b" }, signal);
    await expect(channel.send(target, { text: "c" }, signal)).rejects.toThrow("socket closed");
    expect(channel.textsTo("ada")).toEqual(["b"]);
    expect(channel.tries).toHaveLength(4);
  });

  it("can take a message and then lose the answer", async () => {
    const channel = inMemoryChannel();
    channel.script([{ takenThenLost: true }]);
    await expect(channel.send(target, { text: "a" }, signal)).rejects.toMatchObject({ retryable: true });
    expect(channel.textsTo("ada")).toEqual(["a"]);
  });

  it("ends a waiting try when the signal aborts", async () => {
    const channel = inMemoryChannel();
    const stop = new AbortController();
    channel.script([new Promise(() => {})]);
    const trying = channel.send(target, { text: "a" }, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(trying).rejects.toThrow("stopped");
    expect(channel.sent).toEqual([]);
  });

  it("reads the requests that it makes, and refuses a wrong secret", async () => {
    const channel = inMemoryChannel();
    const receipt = await channel.receive(
      channel.request([{ text: "hi" }, { id: "same", text: "there" }], { wait: true }),
    );
    expect(receipt.messages.map(({ id, text }) => ({ id, text }))).toEqual([
      { id: "event-1", text: "hi" },
      { id: "same", text: "there" },
    ]);
    expect(receipt.wait).toBe(true);
    await expect(channel.receive(channel.request([{}], { secret: "wrong" }))).rejects.toMatchObject({
      code: "CHANNEL_REJECTED",
    });
  });
});
