import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { createGuardedFetch } from "../../entry.host.ts";
import { systemClock } from "../../src/clock.ts";
import { AssistantError, messageOf } from "../../src/errors.ts";
import type { GuardedFetchOptions } from "../../src/guard/index.ts";
import { type Canary, STAND_IN, canary, standIn } from "./canary.ts";

/** A server that is closed when the test has ended. */
export async function serve(answer?: RequestListener): Promise<Canary> {
  const server = await canary(answer);
  onTestFinished(() => server.close());
  return server;
}

/** A guarded fetch that reaches servers of the test by the name of a public address. */
export async function guarded(options: Partial<GuardedFetchOptions> = {}) {
  return createGuardedFetch({
    clock: systemClock(),
    lookup: async () => [STAND_IN],
    connect: await standIn(),
    timeoutMs: 5000,
    ...options,
  });
}

/** The code of what it is refused for. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => `fetched ${String(value)}`,
    (error: unknown) => (AssistantError.is(error) ? error.code : `no code: ${messageOf(error)}`),
  );

export const textOf = async (response: Promise<Response>) => (await response).text();
