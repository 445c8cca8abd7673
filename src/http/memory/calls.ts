import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import type { Audit } from "../../telemetry/index.ts";
import type { Caller } from "../auth.ts";
import { readJson } from "../body.ts";
import type { MemoryPart } from "../../memory/index.ts";
import { ProblemError } from "../problem.ts";
import { checked } from "../route.ts";
import { speakerOf } from "../speaker.ts";
import { BOTH_SIDES, hasBothSides } from "../wire.ts";

export const MEMORY_ROOT = "/api/v1/memory";
export const OWNER_AND_USER = ["owner", "user"] as const;
/** Alias of the owner's memory. */
const OWNERS = "@owner";

export const Named = v.pipe(
  v.string("Expected the user whose memory is meant"),
  v.check((text) => text.trim() !== "", "Expected the user whose memory is meant"),
  v.maxLength(512, "Expected at most 512 characters"),
  v.check(hasBothSides, BOTH_SIDES),
);
export const user = v.optional(
  v.pipe(
    Named,
    v.description(
      "The user whose memory is meant: `@name`, `@owner`, `channel:id`, `group:<channel>:<id>`. Default: the token's own user; any other requires an owner's token",
    ),
  ),
);
export const UserQuery = v.object({ user });

export interface MemoryCallsDeps {
  readonly memory: MemoryPart;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
}

export type MemoryCalls = ReturnType<typeof createMemoryCalls>;

/** Shared parts of the memory routes: access to memories, and the audit of changes. */
export function createMemoryCalls({ memory, clock, audit }: MemoryCallsDeps) {
  /**
   * Resolves the memory of a call.
   * @throws {ProblemError} `FORBIDDEN` for another user's memory with a user's token.
   */
  function userOf(caller: Caller, wanted: string | undefined): string {
    if (caller.role === "owner") return memory.canonicalUser(wanted ?? caller.user ?? OWNERS);
    const own = memory.canonicalUser(speakerOf(caller, {}).user ?? "");
    if (wanted === undefined || memory.canonicalUser(wanted) === own) return own;
    throw new ProblemError("FORBIDDEN", "user: This token can access its own memory only: omit user");
  }

  function changed(caller: Caller, what: string, target: string): void {
    audit.write({ who: speakerOf(caller, {}).user ?? "owner", what: `memory.${what}`, target, verdict: "ok" });
  }

  /** Reads and checks the body. `maxBytes` defaults to `MAX_BODY_BYTES`. */
  const bodyOf = async <S extends v.GenericSchema>(schema: S, request: Request, maxBytes?: number) =>
    checked(schema, namedUser(await readJson(request, clock, maxBytes)));

  return { memory, userOf, changed, bodyOf };
}

/** Accepts `user_id`, the name in entries, as an alias of `user`. */
function namedUser(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("user_id" in body) || "user" in body) return body;
  const { user_id: named, ...rest } = body;
  return { ...rest, user: named };
}

/** The same for a query. */
export function withNamedUser(query: URLSearchParams): URLSearchParams {
  const named = query.get("user_id");
  if (named === null || query.has("user")) return query;
  const renamed = new URLSearchParams(query);
  renamed.delete("user_id");
  renamed.set("user", named);
  return renamed;
}
