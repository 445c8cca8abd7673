import { describe, expect, it } from "vitest";
import { channelContract } from "../../src/testing/channel-contract.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";

channelContract(
  { describe, it, expect },
  {
    name: "inMemoryChannel()",
    async open() {
      const channel = inMemoryChannel({ secret: "a secret" });
      const raw = (body: BodyInit) =>
        new Request("http://localhost/", { method: "POST", headers: { "x-memory-secret": "a secret" }, body });
      return {
        channel,
        target: { channel: "memory", account: "default", chat: "ada" },
        secrets: ["a secret"],
        request: async (message) => channel.request([message]),
        forged: async () => ({ "a wrong secret": channel.request([{}], { secret: "wrong" }) }),
        malformed: async () => ({ "not JSON": raw("{"), "not a list": raw("{}") }),
        oversized: async () => raw("x".repeat(1_100_000)),
        answerNext: (answer) =>
          channel.script([
            answer === "rate-limited" ? { retryable: true, retryAfterMs: 7000 } : { retryable: answer !== "refused" },
          ]),
        sends: () => channel.tries.length,
        taken: () =>
          channel.sent.map(({ message }) => ({ text: message.text, idempotencyKey: message.idempotencyKey ?? null })),
      };
    },
  },
);
