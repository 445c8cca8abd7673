import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { PERSONA_FILES, type Persona, type PersonaFile } from "../persona/index.ts";
import type { Audit } from "../telemetry/index.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, checkedQuery, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { checkedBody } from "./checked-body.ts";
import { FileVersion } from "./wire.ts";

const Query = v.object({
  agent: v.optional(
    v.pipe(
      v.string(),
      v.description("The id of an agent, for its own files. Default: the files that all agents share"),
    ),
  ),
});
const FileJson = v.strictObject({
  name: v.string(),
  agent: v.optional(v.string()),
  text: v.string(),
  version: v.pipe(v.nullable(v.string()), v.description("`null`: the file was removed")),
});
const FileBody = v.strictObject({
  text: v.pipe(
    v.string("Expected a text"),
    v.maxLength(65_536, "Expected at most 65536 characters"),
    v.description("An empty text removes the file"),
  ),
  version: FileVersion,
});
const ListJson = v.strictObject({
  files: v.array(
    v.strictObject({
      name: v.picklist(PERSONA_FILES),
      empty: v.pipe(v.boolean(), v.description("`true` if the file has only headings and comments")),
    }),
  ),
});

export interface PersonaRoutesDeps {
  readonly persona: Pick<Persona, "list" | "read" | "write">;
  readonly agentIds: readonly string[];
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
  /** Called after a file was written. Resolves once the change has taken effect. */
  onWritten(): Promise<void>;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
}

/** Routes for the files that define who the assistant is. Only the owner reads and writes them. */
export function personaRoutes(deps: PersonaRoutesDeps): readonly GuardedRoute[] {
  const { persona, agentIds, start, onWritten, clock, audit } = deps;
  const params = { name: `${PERSONA_FILES.slice(0, -1).join(", ")} or ${PERSONA_FILES.at(-1)}` };

  function agentIn(query: URLSearchParams): string | undefined {
    const { agent } = checkedQuery(Query, query);
    if (agent === undefined || agentIds.includes(agent)) return agent;
    throw new ProblemError("NOT_FOUND", `There is no agent ${JSON.stringify(agent)}`);
  }

  function nameIn({ name = "" }: Readonly<Record<string, string>>): PersonaFile {
    const found = PERSONA_FILES.find((one) => one === name);
    if (found === undefined) throw new ProblemError("NOT_FOUND", `There is no persona file ${JSON.stringify(name)}`);
    return found;
  }

  const fileJson = (agent: string | undefined, file: Omit<v.InferOutput<typeof FileJson>, "agent">) =>
    json({ ...(agent !== undefined && { agent }), ...file } satisfies v.InferOutput<typeof FileJson>);

  return [
    {
      method: "GET",
      path: "/api/v1/persona",
      summary: "Lists the existing persona files",
      access: ["owner"],
      query: Query,
      answers: { 200: { description: "The files", schema: ListJson } },
      async handle({ query }) {
        const files = await persona.list(agentIn(query));
        return json({
          files: files.map(({ name, isEmpty }) => ({ name, empty: isEmpty })),
        } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "GET",
      path: "/api/v1/persona/:name",
      summary: "Shows a persona file with its version",
      access: ["owner"],
      params,
      query: Query,
      answers: { 200: { description: "The file", schema: FileJson } },
      async handle({ params: given, query }) {
        const [name, agent] = [nameIn(given), agentIn(query)];
        const found = await persona.read(name, agent);
        if (!found) throw new ProblemError("NOT_FOUND", `There is no ${name} yet: write it with PUT`);
        return fileJson(agent, found);
      },
    },
    {
      method: "PUT",
      path: "/api/v1/persona/:name",
      summary: "Writes a persona file, unless it was changed since it was read",
      access: ["owner"],
      params,
      query: Query,
      body: FileBody,
      answers: { 200: { description: "The file after the change", schema: FileJson } },
      async handle({ request, params: given, query, caller }) {
        const [name, agent] = [nameIn(given), agentIn(query)];
        const { text, version: expect } = await checkedBody(FileBody, request, clock);
        await start();
        const written = await persona.write(name, text, { expect, agentId: agent });
        const target = agent === undefined ? name : `${agent}/${name}`;
        audit.write({ who: speakerOf(caller, {}).user ?? "owner", what: "persona.edit", target, verdict: "ok" });
        await onWritten();
        return fileJson(agent, written ?? { name, text: "", version: null });
      },
    },
  ];
}
