import type * as v from "valibot";
import type { Clock } from "../clock.ts";
import { bufferedRequest, readJson } from "./body.ts";
import { checked } from "./route.ts";

/** The JSON of a body, checked. @throws {ProblemError} As `readJson` and `checked`. */
export async function checkedBody<Schema extends v.GenericSchema>(
  schema: Schema,
  request: Request,
  clock: Clock,
  maxBytes?: number,
): Promise<v.InferOutput<Schema>> {
  return checked(schema, await readJson(request, clock, maxBytes));
}

/** The same where a call without a body takes every default. */
export async function checkedBodyIfAny<Schema extends v.GenericSchema>(
  schema: Schema,
  request: Request,
  clock: Clock,
): Promise<v.InferOutput<Schema>> {
  // Servers give a request without a body one that is empty.
  const whole = await bufferedRequest(request, clock);
  return (await whole.clone().text()) === "" ? checked(schema, {}) : checkedBody(schema, whole, clock);
}
