import { describe, expect, it } from "vitest";
import { createAccessPart } from "../../src/access/index.ts";
import { codeOf, from, setUp } from "../access/support.ts";
import { ADA, METRICS, NAMELESS, bodyOf, call, fakeAssistant } from "./support.ts";

const OWN = "own-token-0123456789";

/** The door over the room, with two who ask; the owner's second token speaks as telegram:1. */
async function open() {
  const room = await setUp();
  const starts = { count: 0 };
  const access = createAccessPart(room.access, { start: async () => void (starts.count += 1) });
  const fake = fakeAssistant({ clock: room.clock });
  const tokens = [...fake.parts.tokens, { token: OWN, role: "owner" as const, user: "telegram:1" }];
  const { app } = fakeAssistant({ clock: room.clock, parts: { access, tokens } });
  const ada = await codeOf(room.access, from("9", { sender: { id: "9", name: "Ada" }, account: "work" }));
  const bob = await codeOf(room.access, from("8"));
  return { ...room, app, ada, bob, starts };
}

describe("/api/v1/access", () => {
  it("lists, lets in, denies and takes back", async () => {
    const { app, ada, bob, access, lines, starts } = await open();
    expect(await bodyOf(await app.request(call("/api/v1/access")))).toEqual({
      pending: [
        {
          key: "telegram:work:9",
          user: "telegram:9",
          channel: "telegram",
          account: "work",
          id: "9",
          name: "Ada",
          code: ada,
          requested_at: "2026-01-05T08:00:00.000Z",
          expires_at: "2026-01-05T09:00:00.000Z",
        },
        expect.objectContaining({ user: "telegram:8", code: bob }),
      ],
      people: [],
      owners: [],
    });
    expect(starts.count).toBe(0);
    const approved = await app.request(call(`/api/v1/access/${ada}`, { body: { answer: "approve" } }));
    expect([approved.status, await bodyOf(approved)]).toEqual([
      200,
      {
        answer: "approve",
        key: "telegram:work:9",
        user: "telegram:9",
        channel: "telegram",
        account: "work",
        id: "9",
        name: "Ada",
      },
    ]);
    expect(access.decide(from("9", { account: "work" }), {}).verdict).toBe("let-in");
    const denied = await app.request(call(`/api/v1/access/${bob}`, { token: OWN, body: { answer: "deny" } }));
    expect(await bodyOf(denied)).toMatchObject({ answer: "deny", user: "telegram:8" });
    expect(await bodyOf(await app.request(call("/api/v1/access")))).toMatchObject({
      pending: [],
      people: [{ key: "telegram:work:9", by: "owner", since: "2026-01-05T08:00:00.000Z" }],
    });
    const path = `/api/v1/access/${encodeURIComponent("telegram:work:9")}`;
    expect((await app.request(call(path, { method: "DELETE" }))).status).toBe(204);
    expect((await app.request(call(path, { method: "DELETE" }))).status).toBe(404);
    expect(access.decide(from("9", { account: "work" }), {}).verdict).toBe("refuse");
    expect(
      (await lines()).filter(({ who }) => !who.startsWith("telegram:9") && !who.startsWith("telegram:8")),
    ).toMatchObject([
      { who: "owner", what: "access.approved" },
      { who: "telegram:1", what: "access.denied" },
      { who: "owner", what: "access.removed", target: "telegram:work:9" },
    ]);
  });

  it("answers what does not count with what it is", async () => {
    const { app, ada, bob, clock } = await open();
    const answer = async (code: string, body: unknown) => {
      const response = await app.request(call(`/api/v1/access/${code}`, { body }));
      return [response.status, (await bodyOf(response))["code"]];
    };
    expect(await answer("AAAAAAAA", { answer: "approve" })).toEqual([404, "NOT_FOUND"]);
    expect(await answer(ada, { answer: "yes" })).toEqual([400, "OPTION_INVALID"]);
    expect(await answer(ada, { answer: "approve", user: "telegram:9" })).toEqual([400, "OPTION_INVALID"]);
    expect((await answer(ada, { answer: "approve" }))[0]).toBe(200);
    expect(await answer(ada, { answer: "deny" })).toEqual([409, "CONFLICT"]);
    await clock.advance(3_600_000);
    expect(await answer(bob, { answer: "approve" })).toEqual([410, "GONE"]);
    const owner = await app.request(call(`/api/v1/access/${encodeURIComponent("telegram:1")}`, { method: "DELETE" }));
    expect(owner.status).toBe(409);
  });

  it.each([ADA, NAMELESS, METRICS, "wrong", null])("is for the owner alone, not for %s", async (token) => {
    const { app, ada, access } = await open();
    for (const request of [
      call("/api/v1/access", { token }),
      call(`/api/v1/access/${ada}`, { token, body: { answer: "approve" } }),
      call("/api/v1/access/telegram%3A9", { token, method: "DELETE" }),
    ]) {
      const response = await app.request(request);
      expect([401, 403]).toContain(response.status);
      expect(await response.text()).not.toContain(ada);
    }
    expect((await access.list()).people).toEqual([]);
  });
});
