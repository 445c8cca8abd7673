import { describe, expect, it } from "vitest";
import { fakeSkills, skillText } from "../support/fake-skills.ts";
import { ADA, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const ROOT = "/api/v1/skills";
const ADA_USER = "app:Ada";

function openSkills() {
  const fake = fakeSkills();
  const { app, parts } = fakeAssistant({ parts: { skills: fake.skills } });
  const ask = async (path: string, options: Parameters<typeof call>[1] = {}) => {
    const response = await app.request(call(ROOT + path, options));
    return { status: response.status, body: response.status === 204 ? {} : await bodyOf(response) };
  };
  const audited = async () => {
    await parts.audit.settled();
    return (await parts.audit.read({ limit: 100 })).map(({ who, what, target }) => `${who} ${what} ${target}`);
  };
  return { ...fake, ask, audited };
}

/** The names in a list. */
const namesIn = ({ skills }: Record<string, unknown>) =>
  (skills as { readonly name: string }[]).map(({ name }) => name);

describe("skills over HTTP", () => {
  it("shows an owner all, and a user what they are offered, without where it lies", async () => {
    const { ask, add } = openSkills();
    add({ name: "briefing", hasTriggers: true, people: [ADA_USER, "app:Bob"], files: ["scripts/run.py"] });
    add({ name: "research", place: "built-in" });
    add({ name: "printer", missing: ["the program lpr is not installed"] });
    add({ name: "of-bob", people: ["app:Bob"] });

    const { body: all } = await ask("");
    expect(namesIn(all)).toEqual(["briefing", "research", "printer", "of-bob"]);
    expect(all).toMatchObject({
      skills: [
        { source: "workspace", has_triggers: true, people: [ADA_USER, "app:Bob"] },
        {},
        { missing: ["the program lpr is not installed"] },
        {},
      ],
    });
    expect(namesIn((await ask(`?user=${ADA_USER}`)).body)).toEqual(["briefing", "research"]);

    const { body: own } = await ask("", { token: ADA });
    expect(own).toEqual({
      skills: [
        {
          name: "briefing",
          description: "Does briefing",
          place: "workspace",
          priority: 5,
          has_triggers: true,
          missing: [],
        },
        {
          name: "research",
          description: "Does research",
          place: "built-in",
          priority: 5,
          has_triggers: false,
          missing: [],
        },
      ],
    });

    expect((await ask("/briefing")).body).toMatchObject({
      path: "workspace/briefing/SKILL.md",
      files: ["scripts/run.py"],
      text: skillText("briefing"),
      stats: { name: "briefing", activations: 0, helpful: 0, not_helpful: 0 },
    });
    expect((await ask("/briefing", { token: ADA })).body).not.toHaveProperty("path");
    for (const name of ["of-bob", "printer", "nothing"])
      expect(await ask(`/${name}`, { token: ADA })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await ask("/nothing")).status).toBe(404);
  });

  it("keeps a SKILL.md, replaces it, and says with its line what is wrong with one", async () => {
    const { ask, audited } = openSkills();
    expect(await ask("", { body: { text: skillText("news") } })).toMatchObject({ status: 201, body: { name: "news" } });
    const again = await ask("", { body: { text: skillText("news", "Reads the news") } });
    expect(again).toMatchObject({ status: 200, body: { description: "Reads the news", place: "workspace" } });
    const wrong = await ask("", { body: { text: "---\nname: news\n---\n" } });
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        code: "OPTION_INVALID",
        errors: [{ field: "description", message: expect.stringContaining("Expected description") }],
        issues: [{ file: "SKILL.md", line: 2, column: 1, field: "description" }],
      },
    });
    expect((await ask("/check", { body: { text: "---\nname: x\n---\n", path: "x/SKILL.md" } })).body).toMatchObject({
      problems: [{ file: "x/SKILL.md", line: 2, field: "description" }],
    });
    expect((await ask("/check", { body: { text: skillText("x") } })).body).toEqual({ problems: [] });
    expect((await ask("/news", { method: "DELETE" })).status).toBe(204);
    expect((await ask("/news")).status).toBe(404);
    expect(await audited()).toEqual(["owner skills.write news", "owner skills.write news", "owner skills.remove news"]);
  });

  it("does not remove what does not lie in the workspace", async () => {
    const { ask, add } = openSkills();
    add({ name: "research", place: "built-in" });
    expect(await ask("/research", { method: "DELETE" })).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await ask("/research")).status).toBe(200);
  });

  it("takes feedback of the person that the token is, and of anybody from an owner", async () => {
    const { ask, add, came } = openSkills();
    add({ name: "news" });
    add({ name: "of-bob", people: ["app:Bob"] });
    for (const user of [ADA_USER, "app:Bob", "@owner"]) came("news", user);
    const say = (helpful: boolean, token: string, user?: string) =>
      ask("/news/feedback", { token, body: { helpful, ...(user !== undefined && { user }) } });
    expect((await say(true, ADA)).body).toMatchObject({ activations: 3, helpful: 1, not_helpful: 0 });
    expect((await say(false, ADA, ADA_USER)).body).toMatchObject({ helpful: 0, not_helpful: 1 });
    expect(await say(true, ADA, "app:Bob")).toMatchObject({ status: 403 });
    expect((await say(true, OWNER, "app:Bob")).body).toMatchObject({ helpful: 1, not_helpful: 1 });
    expect((await say(true, OWNER)).body).toMatchObject({
      helpful: 2,
      not_helpful: 1,
      last_at: "2026-01-05T08:00:00.000Z",
    });
    expect((await ask("/of-bob/feedback", { token: ADA, body: { helpful: true } })).status).toBe(404);
    expect(await say(true, NAMELESS)).toMatchObject({ status: 403 });
    expect(await ask("/news/feedback", { body: { helpful: "yes" } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "helpful" }] },
    });
  });

  it("tells figures of what is offered, and problems to the owner", async () => {
    const { ask, add, came, broken } = openSkills();
    add({ name: "news" });
    add({ name: "of-bob", people: ["app:Bob"] });
    came("news", ADA_USER);
    came("of-bob", "app:Bob");
    came("of-bob", "app:Bob");
    const named = async (token: string) =>
      ((await ask("/stats", { token })).body["stats"] as { name: string; activations: number }[]).map(
        ({ name, activations }) => `${name} ${activations}`,
      );
    expect(await named(OWNER)).toEqual(["of-bob 2", "news 1"]);
    expect(await named(ADA)).toEqual(["news 1"]);
    broken.push({ skill: "bad", file: "bad/SKILL.md", line: 4, path: "priority", message: "Expected 1 to 10" });
    expect((await ask("/problems")).body).toEqual({
      problems: [{ skill: "bad", file: "bad/SKILL.md", line: 4, field: "priority", message: "Expected 1 to 10" }],
    });
  });

  it("lets a person answer what was suggested to them, and an owner for anybody", async () => {
    const { ask, suggest, audited } = openSkills();
    for (const [id, user] of [
      ["a", ADA_USER],
      ["b", "app:Bob"],
      ["c", ADA_USER],
    ] as const)
      suggest(id, user);
    const idsOf = async (token: string, query = "") =>
      ((await ask(`/suggestions${query}`, { token })).body["suggestions"] as { id: string }[]).map(({ id }) => id);
    expect(await idsOf(OWNER)).toEqual(["a", "b", "c"]);
    expect(await idsOf(OWNER, "?user=app:Bob")).toEqual(["b"]);
    expect(await idsOf(ADA)).toEqual(["a", "c"]);
    expect((await ask("/suggestions", { token: ADA })).body).toMatchObject({
      suggestions: [
        { tool_sequence: ["web_fetch", "file_write"], success_rate: 1, state: "open", user_id: ADA_USER },
        {},
      ],
    });
    const answer = (id: string, said: string, token: string) =>
      ask(`/suggestions/${id}`, { token, body: { answer: said } });
    expect(await answer("a", "accept", ADA)).toEqual({
      status: 200,
      body: { id: "a", state: "accepted", skill: "suggested-a" },
    });
    expect(await answer("b", "decline", ADA)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await answer("b", "decline", OWNER)).toEqual({ status: 200, body: { id: "b", state: "declined" } });
    expect((await answer("d", "accept", OWNER)).status).toBe(404);
    expect((await answer("c", "maybe", OWNER)).status).toBe(400);
    expect(await audited()).toEqual([`${ADA_USER} skills.accept a suggested-a`, "owner skills.decline b"]);
  });

  it("explains what would come for a message, of what the person is offered", async () => {
    const { ask, add } = openSkills();
    add({ name: "news" });
    add({ name: "of-bob", people: ["app:Bob"], priority: 1 });
    const match = async (token: string, user?: string) =>
      (await ask("/match", { token, body: { text: "news of-bob", ...(user !== undefined && { user }) } })).body;
    expect(await match(ADA)).toEqual({
      matches: [{ name: "news", score: 0.5, signals: [{ kind: "intent", matched: "news", weight: 0.5 }] }],
    });
    expect(await match(OWNER, "app:Bob")).toMatchObject({
      matches: [{ name: "news" }, { name: "of-bob", left_out: "In cool-down for 40 more seconds" }],
    });
  });

  it("finds, installs, enables, verifies and updates", async () => {
    const { ask, registry, failed, edit, audited } = openSkills();
    const fits = { description: "Weather for a place", version: "1.0.0", score: 0.9, registry: "hub" };
    registry.push(
      { ...fits, slug: "ann/weather", name: "weather" },
      { ...fits, slug: "bad/weather", name: "storm", verdict: "suspicious" },
    );
    failed.push({ registry: "far", reason: "It did not answer in time" });
    expect((await ask("/registry?query=Weather", { token: ADA })).body).toMatchObject({
      found: [{ registry: "hub", slug: "ann/weather", version: "1.0.0", score: 0.9 }, { slug: "bad/weather" }],
      failed: [{ registry: "far", reason: "It did not answer in time" }],
    });
    expect((await ask("/registry")).status).toBe(400);

    expect(await ask("/install", { body: { slug: "ann/weather" } })).toEqual({
      status: 201,
      body: {
        name: "weather",
        registry: "hub",
        slug: "ann/weather",
        version: "1.0.0",
        verdict: "clean",
        disabled: false,
        findings: [],
      },
    });
    expect((await ask("/install", { body: { slug: "ann/weather" } })).status).toBe(409);
    expect((await ask("/install", { body: { slug: "ann/weather", force: true } })).status).toBe(201);
    expect((await ask("/weather")).body).toMatchObject({ origin: { registry: "hub", version: "1.0.0" } });

    const { body: storm } = await ask("/install", { body: { slug: "bad/weather" } });
    expect(storm).toMatchObject({ disabled: true, findings: [{ file: "scripts/run.sh", line: 3 }] });
    expect((await ask("/storm")).body).toMatchObject({ disabled: true });
    expect((await ask("/storm/enable", { method: "POST" })).status).toBe(204);
    expect((await ask("/storm")).body).toMatchObject({ missing: [] });

    expect((await ask("/weather/verify", { method: "POST" })).body).toEqual({
      name: "weather",
      ok: true,
      changed: [],
      missing: [],
      added: [],
    });
    expect((await ask("/weather/update", { method: "POST" })).body).toEqual({ installed: null });
    edit("weather");
    registry[0] = { ...fits, slug: "ann/weather", name: "weather", version: "1.1.0" };
    expect((await ask("/weather/verify", { body: {} })).body).toMatchObject({ ok: false, changed: ["SKILL.md"] });
    expect((await ask("/weather/update", { body: {} })).status).toBe(409);
    expect((await ask("/weather/update", { body: { force: true } })).body).toMatchObject({
      installed: { version: "1.1.0" },
    });
    expect(await audited()).toEqual([
      "owner skills.install weather hub/ann/weather@1.0.0",
      "owner skills.install weather hub/ann/weather@1.0.0",
      "owner skills.install storm hub/bad/weather@1.0.0",
      "owner skills.enable storm",
      "owner skills.update weather 1.1.0",
    ]);
  });

  it.each([
    { title: "writing", path: "", body: { text: skillText("x") } },
    { title: "checking", path: "/check", body: { text: skillText("x") } },
    { title: "removing", path: "/news", method: "DELETE" },
    { title: "installing", path: "/install", body: { slug: "x" } },
    { title: "updating", path: "/news/update", body: {} },
    { title: "verifying", path: "/news/verify", body: {} },
    { title: "enabling", path: "/news/enable", body: {} },
    { title: "problems", path: "/problems" },
  ])("leaves $title to owners", async ({ path, ...options }) => {
    const { ask, add, audited } = openSkills();
    add({ name: "news" });
    expect((await ask(path, { ...options, token: ADA })).status).toBe(403);
    expect((await ask(path, { ...options, token: METRICS })).status).toBe(403);
    expect((await ask(path, { ...options, token: null })).status).toBe(401);
    expect((await ask("/news")).status).toBe(200);
    expect(await audited()).not.toContainEqual(expect.stringContaining("skills."));
  });

  it("reads a skill that is called as a list is by @", async () => {
    const { ask, add } = openSkills();
    add({ name: "stats" });
    expect((await ask("/stats")).body).toEqual({ stats: [] });
    for (const name of ["@stats", "%40stats"])
      expect(await ask(`/${name}`)).toMatchObject({ status: 200, body: { name: "stats" } });
    expect((await ask("/@stats", { method: "DELETE" })).status).toBe(204);
    expect((await ask("/@stats")).status).toBe(404);
  });

  it("takes no user of whom one side is empty", async () => {
    const { ask } = openSkills();
    for (const user of [":", "app:", ":ada"]) {
      for (const path of ["", "/suggestions"]) expect((await ask(`${path}?user=${user}`)).status).toBe(400);
      expect((await ask("/news/feedback", { body: { helpful: true, user } })).status).toBe(400);
    }
  });

  it("tells a user's token without a user, and one that names another, that it may not", async () => {
    const { ask } = openSkills();
    expect((await ask("", { token: NAMELESS })).status).toBe(403);
    expect((await ask("?user=app:Bob", { token: ADA })).status).toBe(403);
    expect((await ask("/match", { token: ADA, body: { text: "x", user: "app:Bob" } })).status).toBe(403);
  });
});
