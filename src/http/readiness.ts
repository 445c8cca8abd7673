import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Store } from "../store/index.ts";
import type { Redactor } from "../telemetry/index.ts";
import type { ReadyCheck } from "./operation.ts";

export interface ReadinessDeps {
  readonly store: Pick<Store, "put">;
  /** The assistant's phase between start and stop. */
  readonly phase: () => string;
  readonly clock: Clock;
  readonly redact: Redactor;
}

/** Checks whether the engine runs and the store accepts a write. */
export function createReadiness({ store, phase, clock, redact }: ReadinessDeps) {
  return async function ready(): Promise<readonly ReadyCheck[]> {
    const checks = [{ name: "engine", ok: phase() === "running", detail: phase() }];
    try {
      await store.put("health/ready", { at: clock.now() });
      return [...checks, { name: "store", ok: true }];
    } catch (error) {
      return [...checks, { name: "store", ok: false, detail: redact(messageOf(error)) }];
    }
  };
}
