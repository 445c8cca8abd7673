import { APICallError, LoadAPIKeyError } from "ai";

/** What is wrong with a model's key and how to fix it; `undefined` for other failures. No other try can help. */
export function keyProblem(error: unknown): string | undefined {
  if (LoadAPIKeyError.isInstance(error)) {
    const [name] = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/.exec(error.message) ?? [];
    if (name === undefined) return `its key is missing: ${error.message}`;
    return `its key is missing: set the environment variable ${name}, or give the provider its apiKey`;
  }
  if (APICallError.isInstance(error) && error.statusCode === 401)
    return `the provider refused its key (401): ${error.message}`;
  return undefined;
}
