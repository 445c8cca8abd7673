import * as v from "valibot";
import { PROBLEMS, type ProblemCode } from "./problem.ts";
import { json, type Answer, type GuardedRoute, type Route } from "./route.ts";

const ProblemJson = v.looseObject({
  type: v.pipe(v.string(), v.description("`urn:wakeful:error:<code>`")),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.string(),
  errors: v.optional(v.array(v.strictObject({ field: v.string(), message: v.string() }))),
  roles: v.optional(v.array(v.string())),
  position: v.optional(v.object({ line: v.number(), column: v.number() })),
});

type Json = Record<string, unknown>;

/** Title and version of the document. */
export interface ApiTitle {
  /** Default `Wakeful`. */
  readonly name?: string;
  readonly version: string;
}

/** Returns the routes with one more for their description, which includes itself. */
export function withOpenApi(about: ApiTitle, routes: readonly Route[]): readonly Route[] {
  const own: GuardedRoute = {
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "Shows this document",
    access: ["owner", "user"],
    answers: { 200: { description: "The OpenAPI 3.1 document", schema: v.looseObject({}) } },
    handle: async () => json(await openApiDocument(about, all)),
  };
  const all = [...routes, own];
  return all;
}

/** Describes the routes as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1). */
async function openApiDocument(about: ApiTitle, routes: readonly Route[]): Promise<Json> {
  // Loaded here, because only this document needs it; keeps the start fast.
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schemaOf = (schema: v.GenericSchema, typeMode: "input" | "output" = "output"): Json => {
    const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12", errorMode: "ignore", typeMode });
    return rest;
  };

  const problemsOf = (route: Route): readonly ProblemCode[] => [
    ...(route.body || route.query ? (["OPTION_INVALID"] as const) : []),
    ...(route.body
      ? (["BODY_TOO_LARGE", "REQUEST_TIMEOUT", "ENCODING_UNSUPPORTED", "STORE_UNAVAILABLE"] as const)
      : []),
    ...(route.access === "public" ? [] : (["UNAUTHORIZED", "FORBIDDEN", "TOO_MANY_ATTEMPTS", "RATE_LIMITED"] as const)),
    ...(route.params ? (["NOT_FOUND"] as const) : []),
  ];

  const answer = ({ description, schema, mediaType = "application/json", also }: Answer): Json => ({
    description,
    ...(schema || mediaType !== "application/json"
      ? {
          content: {
            [mediaType]: { schema: schema ? schemaOf(schema) : { type: "string" } },
            ...(also === undefined ? {} : { [also]: { schema: { type: "string" } } }),
          },
        }
      : {}),
  });

  const parameters = (route: Route): Json[] => {
    const query = route.query ? (schemaOf(route.query, "input")["properties"] as Record<string, Json>) : {};
    return [
      ...Object.entries(route.params ?? {}).map(([name, description]) => ({
        name,
        in: "path",
        required: true,
        description,
        schema: { type: "string" },
      })),
      ...Object.entries(query).map(([name, { description, ...schema }]) => ({
        name,
        in: "query",
        required: false,
        ...(description === undefined ? {} : { description }),
        schema,
      })),
    ];
  };

  const operation = (route: Route): Json => {
    const problems = new Map<number, string[]>();
    for (const code of problemsOf(route)) {
      const { status } = PROBLEMS[code];
      problems.set(status, [...(problems.get(status) ?? []), code]);
    }
    return {
      operationId: operationId(route),
      summary: route.summary,
      ...(route.params || route.query ? { parameters: parameters(route) } : {}),
      ...(route.body
        ? {
            requestBody: { required: true, content: { "application/json": { schema: schemaOf(route.body, "input") } } },
          }
        : {}),
      responses: Object.fromEntries([
        ...Object.entries(route.answers).map(([status, given]) => [status, answer(given)] as const),
        ...[...problems].map(
          ([status, codes]) => [status, { ...PROBLEM_REFERENCE, description: codes.join(", ") }] as const,
        ),
        ["default", { ...PROBLEM_REFERENCE, description: "An error" }] as const,
      ]),
      security: route.access === "public" ? [] : [{ bearer: [] }, { page: [] }],
    };
  };

  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: about.name ?? "Wakeful",
      version: about.version,
      description: "Every error is an RFC 9457 problem document whose `type` is `urn:wakeful:error:<code>`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative to the document at api/v1/openapi.json, wherever the server is mounted.
    servers: [{ url: "../.." }],
    paths,
    components: {
      schemas: { Problem: schemaOf(ProblemJson) },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of `server.tokens`" },
        page: {
          type: "apiKey",
          in: "cookie",
          name: "wakeful_session",
          description: "The session of the web page. Only the page itself may use it",
        },
      },
    },
  };
}

const PROBLEM_REFERENCE = {
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function operationId({ method, path }: Route): string {
  return `${method.toLowerCase()}${path
    .replace(/^\/api\/v1/, "")
    .replace(/\.json$/, "")
    .replace(/[/:-]+([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
