import * as v from "valibot";
import { issueText } from "../issue-text.ts";
import type { Caller, Role } from "./auth.ts";
import { ProblemError } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request to a route, after the gate. */
export interface Call {
  readonly request: Request;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborts when the server accepts no more requests. Endless responses must end then. */
  readonly closing?: AbortSignal;
}

/**
 * A response of a route by status, for the OpenAPI document. `schema` describes a JSON body unless `mediaType` is set.
 */
export interface Answer {
  readonly description: string;
  readonly schema?: v.GenericSchema;
  readonly mediaType?: string;
  /** A second, textual media type for this status. */
  readonly also?: string;
}

interface RouteBase {
  readonly method: Method;
  /** A path pattern of Hono: `/api/v1/sessions/:key`. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
  /** Maximum body, in bytes. Default `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
}

/** A route that needs no token. */
export interface PublicRoute extends RouteBase {
  readonly access: "public";
  handle(call: Call): Promise<Response> | Response;
}

/** A route behind the gate. */
export interface GuardedRoute extends RouteBase {
  /** Roles that may call it. */
  readonly access: readonly Role[];
  handle(call: Call & { readonly caller: Caller }): Promise<Response> | Response;
}

/** A route with its documentation. The server and the OpenAPI document are built from the same list. */
export type Route = PublicRoute | GuardedRoute;

/** Field name for errors about the whole body. */
const WHOLE = "(body)";

/**
 * Checks a caller's input. `at` prefixes the field paths.
 * @throws {ProblemError} `OPTION_INVALID` that names every invalid field.
 */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  at = "",
): v.InferOutput<Schema> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const errors = [{ field: at || WHOLE, message: "Expected a JSON object" }];
    throw new ProblemError("OPTION_INVALID", `${at || WHOLE}: Expected a JSON object`, { errors });
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const errors = result.issues.map((issue) => ({
    field: [at, v.getDotPath(issue) ?? ""].filter((part) => part !== "").join(".") || WHOLE,
    message: issueText(issue),
  }));
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new ProblemError("OPTION_INVALID", detail, { errors });
}

/** An integer query parameter, from 1 to `max`. */
export function countParameter(max: number, description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]+$/, "Expected a whole number"),
      v.transform(Number),
      v.minValue(1, "Expected 1 or more"),
      v.maxValue(max, `Expected ${max} or less`),
      v.description(description),
    ),
  );
}

/** Checks a query. If a parameter is repeated, the last value counts. */
export function checkedQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  query: URLSearchParams,
): v.InferOutput<Schema> {
  return checked(schema, Object.fromEntries(query));
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}
