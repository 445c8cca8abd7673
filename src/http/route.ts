import * as v from "valibot";
import { issueText } from "../issue-text.ts";
import type { Caller, Role } from "./auth.ts";
import { ProblemError } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request to a route, after the gate. */
export interface Call {
  readonly request: Request;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborts when the server takes no more requests: an answer without an end ends then. */
  readonly closing?: AbortSignal;
}

/** What one status of a route means, for the OpenAPI document. `schema` is of a JSON body unless `mediaType` says otherwise. */
export interface Answer {
  readonly description: string;
  readonly schema?: v.GenericSchema;
  readonly mediaType?: string;
  /** A second media type of this status, of text. */
  readonly also?: string;
}

interface RouteBase {
  readonly method: Method;
  /** In Hono's form: `/api/v1/sessions/:key`. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
  /** Longest body, in bytes. Default `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, Answer>>;
}

/** A route that asks for no token. */
export interface PublicRoute extends RouteBase {
  readonly access: "public";
  handle(call: Call): Promise<Response> | Response;
}

/** A route behind the gate. */
export interface GuardedRoute extends RouteBase {
  /** The roles that may call it. */
  readonly access: readonly Role[];
  handle(call: Call & { readonly caller: Caller }): Promise<Response> | Response;
}

/** A route with what its documentation needs. The server and the OpenAPI document are made of the same list. */
export type Route = PublicRoute | GuardedRoute;

/** The field of what is wrong with the body as a whole. */
const WHOLE = "(body)";

/** Checks what a caller sent. `at` stands before the field's path. @throws {ProblemError} `OPTION_INVALID` that names every field. */
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

/** A whole number in a query, from 1 to `max`. */
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

/** Checks a query; a parameter given twice counts once, the last one. */
export function checkedQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  query: URLSearchParams,
): v.InferOutput<Schema> {
  return checked(schema, Object.fromEntries(query));
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}
