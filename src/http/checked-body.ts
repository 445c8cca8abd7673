import type * as v from "valibot";
import type { Clock } from "../clock.ts";
import { bufferedRequest, readJson } from "./body.ts";
import { checked } from "./route.ts";

/** Reads and checks a JSON body. @throws {ProblemError} As `readJson` and `checked`. */
export async function checkedBody<Schema extends v.GenericSchema>(
  schema: Schema,
  request: Request,
  clock: Clock,
  maxBytes?: number,
): Promise<v.InferOutput<Schema>> {
  return checked(schema, await readJson(request, clock, maxBytes));
}

/** The same, but a missing body means all defaults. */
export async function checkedBodyIfAny<Schema extends v.GenericSchema>(
  schema: Schema,
  request: Request,
  clock: Clock,
): Promise<v.InferOutput<Schema>> {
  // Servers pass an empty body if there is none.
  const whole = await bufferedRequest(request, clock);
  return (await whole.clone().text()) === "" ? checked(schema, {}) : checkedBody(schema, whole, clock);
}
