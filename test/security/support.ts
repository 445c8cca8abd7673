import { webhook } from "../../adapters/channels/webhook/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { type Clock, systemClock } from "../../src/clock.ts";
import { createHmac } from "../../src/guard/index.ts";
import type { AssistantOptions } from "../../src/config/assistant-options.ts";
import { memoryStore } from "../../src/store/index.ts";
import type { LogFields } from "../../src/telemetry/index.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";

export const HOOK_SECRET = "hook-secret-0123456789abcdef";
export const OWNER = "owner-token-0123456789abcdef";
export const ADA = "ada-token-0123456789abcdef";

/** The machine's clock, which can be set on. */
export function steppedClock(): Clock & { step(ms: number): void } {
  const real = systemClock();
  let aheadMs = 0;
  return {
    now: () => real.now() + aheadMs,
    sleep: real.sleep,
    at: (timeMs, callback) => real.at(timeMs - aheadMs, callback),
    step: (ms) => void (aheadMs += ms),
  };
}

/** A whole assistant whose model repeats nothing: what it was asked and what it logged can be looked at. */
export async function wholeAssistant(options: Partial<AssistantOptions> = {}) {
  const clock = steppedClock();
  const store = memoryStore();
  const lines: string[] = [];
  const log = (message: string, fields?: LogFields) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const model = scriptedModel(() => "Noted", { record: true });
  const make = (overrides: Partial<AssistantOptions> = {}) =>
    createAssistant({
      model,
      store,
      clock,
      logger: { debug: log, info: log, warn: log, error: log },
      channels: [webhook({ secret: HOOK_SECRET, dm: "open", clock })],
      queue: { debounceMs: 0 },
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "app:ada" }] },
      ...options,
      ...overrides,
    });
  return { assistant: await make(), make, clock, store, model, lines };
}

/** A delivery of the generic webhook. `signature` and `timestamp` default to right ones. */
export async function delivery(
  clock: { now(): number },
  body: unknown,
  options: {
    readonly path?: string;
    readonly secret?: string;
    readonly timestamp?: string;
    readonly signature?: string;
    readonly signed?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Request> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { path = "/webhooks/webhook?wait=true", secret = HOOK_SECRET, signed = body } = options;
  const { timestamp = String(Math.floor(clock.now() / 1000)), headers = {} } = options;
  const signedText = typeof signed === "string" ? signed : JSON.stringify(signed);
  const signature = options.signature ?? `sha256=${await createHmac(secret).sign(`${timestamp}.${signedText}`)}`;
  return new Request(`http://localhost:8787${path}`, {
    method: "POST",
    headers: { "x-timestamp": timestamp, "x-signature": signature, ...headers },
    body: text,
  });
}
