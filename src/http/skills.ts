import type * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { SkillsApi } from "../skills/index.ts";
import type { Audit } from "../telemetry/index.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, checkedQuery, json } from "./route.ts";
import {
  CheckBody,
  CheckedJson,
  DetailJson,
  FeedbackBody,
  FoundJson,
  InstallBody,
  InstalledJson,
  ListJson,
  ListQuery,
  MatchBody,
  MatchesJson,
  RegistryQuery,
  SkillJson,
  StatsJson,
  StatsListJson,
  SuggestionAnswerBody,
  SuggestionAnsweredJson,
  SuggestionsJson,
  UpdateBody,
  UpdatedJson,
  VerificationJson,
  WriteBody,
  checkedJson,
  detailJson,
  foundJson,
  installedJson,
  matchJson,
  skillJson,
  statsJson,
  suggestionJson,
} from "./wire-skills.ts";
import { checkedBody, checkedBodyIfAny } from "./checked-body.ts";
import { refuseText } from "./config-problem.ts";

const ROOT = "/api/v1/skills";
const ONE = `${ROOT}/:name`;
const OWNER = ["owner"] as const;
const OWNER_AND_USER = ["owner", "user"] as const;
/** Alias of the owner's memory. */
const OWNERS = "@owner";

export interface SkillRoutesDeps {
  readonly skills: Omit<SkillsApi, "invalidate">;
  /** Maps `channel:id` or `@owner` to a memory user. */
  memoryUserOf(user: string): string;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
}

/**
 * Routes for skills: an owner's token reads and changes all. A user's token reads the skills that its user is offered
 * and gives that user's feedback.
 */
export function skillRoutes({ skills, memoryUserOf, clock, audit }: SkillRoutesDeps): readonly GuardedRoute[] {
  /** Resolves the user of a call. @throws {ProblemError} `FORBIDDEN` for another user with a user's token. */
  function personOf(caller: Caller, wanted?: string): string {
    if (caller.role === "owner") return wanted ?? caller.user ?? memoryUserOf(OWNERS);
    if (caller.user === undefined)
      throw new ProblemError("FORBIDDEN", "This token has no user: give it one in server.tokens");
    if (wanted === undefined || memoryUserOf(wanted) === memoryUserOf(caller.user)) return caller.user;
    throw new ProblemError("FORBIDDEN", `user: This token acts as ${caller.user} only: omit user`);
  }

  /** Narrows reads to one person. An owner without a user sees everything. */
  function scopeOf(caller: Caller, wanted?: string): { readonly user?: string } {
    return caller.role === "owner" && wanted === undefined ? {} : { user: personOf(caller, wanted) };
  }

  /** @throws {ProblemError} `NOT_FOUND` for a skill that the caller is not offered, as for an unknown one. */
  async function requireVisible(caller: Caller, name: string): Promise<void> {
    if (caller.role === "owner") return;
    const offered = await skills.list(scopeOf(caller));
    if (!offered.some((skill) => skill.name === name))
      throw new ProblemError("NOT_FOUND", `There is no skill ${JSON.stringify(name)}`);
  }

  function changed(caller: Caller, what: string, target: string): void {
    audit.write({ who: caller.user ?? "owner", what: `skills.${what}`, target, verdict: "ok" });
  }

  const refuse = (error: unknown) => refuseText(error, "text");
  const params = { name: "The skill's name" };
  // No skill name begins with `@`. The prefix addresses a skill that has the name of a list route.
  const nameIn = ({ name = "" }: Readonly<Record<string, string>>) => name.replace(/^@/, "");

  /** Must come before the routes with a name, which would match these words. */
  const lists: readonly GuardedRoute[] = [
    {
      method: "GET",
      path: ROOT,
      summary:
        "Lists skills: with an owner's token all of them, with the reason if one is not offered; with a user's token those that the user is offered",
      access: OWNER_AND_USER,
      query: ListQuery,
      answers: { 200: { description: "The skills", schema: ListJson } },
      async handle({ query, caller }) {
        const found = await skills.list(scopeOf(caller, checkedQuery(ListQuery, query).user));
        return json({ skills: found.map((skill) => skillJson(skill, caller)) } satisfies v.InferOutput<
          typeof ListJson
        >);
      },
    },
    {
      method: "POST",
      path: ROOT,
      summary: "Saves a SKILL.md in the workspace under its name, replacing an existing one",
      access: OWNER,
      body: WriteBody,
      answers: {
        200: { description: "The skill replaced one of the workspace", schema: SkillJson },
        201: { description: "The skill was added to the workspace", schema: SkillJson },
      },
      async handle({ request, caller }) {
        const { text } = await checkedBody(WriteBody, request, clock);
        const before = await skills.list();
        const written = await skills.write(text).catch(refuse);
        changed(caller, "write", written.name);
        const isNew = !before.some(({ name, place }) => name === written.name && place === "workspace");
        return json(skillJson(written, caller), isNew ? 201 : 200);
      },
    },
    {
      method: "POST",
      path: `${ROOT}/check`,
      summary: "Checks the text of a SKILL.md without saving it",
      access: OWNER,
      body: CheckBody,
      answers: { 200: { description: "The problems of the text", schema: CheckedJson } },
      async handle({ request }) {
        const { text, path } = await checkedBody(CheckBody, request, clock);
        return json(checkedJson(skills.check(text, path === undefined ? {} : { path })));
      },
    },
    {
      method: "GET",
      path: `${ROOT}/stats`,
      summary: "Shows how often each skill was activated and whether it helped, most frequent first",
      access: OWNER_AND_USER,
      answers: { 200: { description: "The statistics", schema: StatsListJson } },
      async handle({ caller }) {
        const all = await skills.stats();
        if (caller.role === "owner") return json({ stats: all.map(statsJson) });
        const offered = new Set((await skills.list(scopeOf(caller))).map(({ name }) => name));
        return json({ stats: all.filter(({ name }) => offered.has(name)).map(statsJson) } satisfies v.InferOutput<
          typeof StatsListJson
        >);
      },
    },
    {
      method: "GET",
      path: `${ROOT}/problems`,
      summary: "Lists problems of skill files",
      access: OWNER,
      answers: { 200: { description: "The problems", schema: CheckedJson } },
      handle: async () => json(checkedJson(await skills.problems())),
    },
    {
      method: "GET",
      path: `${ROOT}/suggestions`,
      summary: "Lists suggestions for skills, from work that a person does often",
      access: OWNER_AND_USER,
      query: ListQuery,
      answers: { 200: { description: "The suggestions", schema: SuggestionsJson } },
      async handle({ query, caller }) {
        const found = await skills.suggestions(scopeOf(caller, checkedQuery(ListQuery, query).user));
        return json({ suggestions: found.map(suggestionJson) } satisfies v.InferOutput<typeof SuggestionsJson>);
      },
    },
    {
      method: "POST",
      path: `${ROOT}/suggestions/:id`,
      summary: "Accepts a suggestion and creates the skill, or declines it for good",
      access: OWNER_AND_USER,
      params: { id: "The suggestion's id, percent-encoded" },
      body: SuggestionAnswerBody,
      answers: { 200: { description: "The answered suggestion", schema: SuggestionAnsweredJson } },
      async handle({ request, params: { id = "" }, caller }) {
        const { answer } = await checkedBody(SuggestionAnswerBody, request, clock);
        // An owner answers on behalf of the person who was asked.
        const all = caller.role === "owner" ? await skills.suggestions() : [];
        const by = { user: all.find((one) => one.id === id)?.userId ?? personOf(caller) };
        if (answer === "decline") await skills.decline(id, by);
        const made = answer === "accept" ? { skill: await skills.accept(id, by) } : {};
        changed(caller, answer, made.skill === undefined ? id : `${id} ${made.skill}`);
        return json({ id, state: answer === "accept" ? "accepted" : "declined", ...made } satisfies v.InferOutput<
          typeof SuggestionAnsweredJson
        >);
      },
    },
    {
      method: "POST",
      path: `${ROOT}/match`,
      summary: "Shows which skills a message would activate, and why. Nothing is recorded",
      access: OWNER_AND_USER,
      body: MatchBody,
      answers: { 200: { description: "Every skill with a score, best first", schema: MatchesJson } },
      async handle({ request, caller }) {
        const { text, user } = await checkedBody(MatchBody, request, clock);
        const found = await skills.match({ text, ...scopeOf(caller, user) });
        return json({ matches: found.map(matchJson) } satisfies v.InferOutput<typeof MatchesJson>);
      },
    },
    {
      method: "GET",
      path: `${ROOT}/registry`,
      summary: "Searches the configured skill registries",
      access: OWNER_AND_USER,
      query: RegistryQuery,
      answers: { 200: { description: "The skills found, best first", schema: FoundJson } },
      async handle({ query }) {
        const { query: words = "" } = checkedQuery(RegistryQuery, query);
        if (words.trim() === "") throw new ProblemError("OPTION_INVALID", "query: Expected a search text");
        return json(foundJson(await skills.find(words)));
      },
    },
    {
      method: "POST",
      path: `${ROOT}/install`,
      summary: "Installs a skill from a registry into the workspace",
      access: OWNER,
      body: InstallBody,
      answers: {
        201: { description: "The installed skill. `disabled`: it waits for `enable`", schema: InstalledJson },
      },
      async handle({ request, caller }) {
        const wanted = await checkedBody(InstallBody, request, clock);
        const installed = await skills.install(given(wanted)).catch(refuse);
        changed(caller, "install", `${installed.name} ${installed.registry}/${installed.slug}@${installed.version}`);
        return json(installedJson(installed), 201);
      },
    },
  ];

  return [
    ...lists,
    {
      method: "GET",
      path: ONE,
      summary: "Shows a skill in full: its text, its other files and its statistics",
      access: OWNER_AND_USER,
      params,
      answers: { 200: { description: "The skill", schema: DetailJson } },
      async handle({ params: named, caller }) {
        await requireVisible(caller, nameIn(named));
        return json(detailJson(await skills.show(nameIn(named)), caller));
      },
    },
    {
      method: "DELETE",
      path: ONE,
      summary: "Removes a skill and its folder from the workspace",
      access: OWNER,
      params,
      answers: { 204: { description: "The skill was removed" } },
      async handle({ params: named, caller }) {
        await skills.remove(nameIn(named));
        changed(caller, "remove", nameIn(named));
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: `${ONE}/feedback`,
      summary: "Records whether a skill helped at its last activation. A later answer replaces an earlier one",
      access: OWNER_AND_USER,
      params,
      body: FeedbackBody,
      answers: { 200: { description: "The skill's statistics", schema: StatsJson } },
      async handle({ request, params: named, caller }) {
        const { helpful, user } = await checkedBody(FeedbackBody, request, clock);
        await requireVisible(caller, nameIn(named));
        return json(statsJson(await skills.feedback(nameIn(named), { user: personOf(caller, user), helpful })));
      },
    },
    {
      method: "POST",
      path: `${ONE}/update`,
      summary: "Installs the newest version of an installed skill",
      access: OWNER,
      params,
      body: UpdateBody,
      answers: {
        200: { description: "The installed version. `null`: the newest was already installed", schema: UpdatedJson },
      },
      async handle({ request, params: named, caller }) {
        const { force } = await checkedBodyIfAny(UpdateBody, request, clock);
        const installed = await skills.update(nameIn(named), force === undefined ? {} : { force }).catch(refuse);
        if (installed) changed(caller, "update", `${installed.name} ${installed.version}`);
        return json({ installed: installed && installedJson(installed) } satisfies v.InferOutput<typeof UpdatedJson>);
      },
    },
    {
      method: "POST",
      path: `${ONE}/verify`,
      summary: "Compares an installed skill with its original version",
      access: OWNER,
      params,
      answers: { 200: { description: "The differences", schema: VerificationJson } },
      async handle({ params: named }) {
        const { name, ok, changed: edited, missing, added } = await skills.verify(nameIn(named));
        return json({
          name,
          ok,
          changed: [...edited],
          missing: [...missing],
          added: [...added],
        } satisfies v.InferOutput<typeof VerificationJson>);
      },
    },
    {
      method: "POST",
      path: `${ONE}/enable`,
      summary: "Enables an installed skill that its registry calls suspicious",
      access: OWNER,
      params,
      answers: { 204: { description: "The skill is enabled" } },
      async handle({ params: named, caller }) {
        await skills.enable(nameIn(named));
        changed(caller, "enable", nameIn(named));
        return new Response(null, { status: 204 });
      },
    },
  ];
}

/** Removes undefined members. */
function given(wanted: v.InferOutput<typeof InstallBody>) {
  const { slug, registry, version, force } = wanted;
  return {
    slug,
    ...(registry !== undefined && { registry }),
    ...(version !== undefined && { version }),
    ...(force !== undefined && { force }),
  };
}
