import { type MemoryCallsDeps, createMemoryCalls, withNamedUser } from "./memory/calls.ts";
import { entryRoutes } from "./memory/entries.ts";
import { fileRoutes } from "./memory/files.ts";
import { wholeMemoryRoutes } from "./memory/whole.ts";
import type { GuardedRoute } from "./route.ts";

/** Routes for memory: an owner's token reads and changes every user's, a user's token its own. */
export function memoryRoutes(deps: MemoryCallsDeps): readonly GuardedRoute[] {
  const calls = createMemoryCalls(deps);
  // Entries come last: their short paths match any name that no other route has.
  const routes = [...fileRoutes(calls), ...wholeMemoryRoutes(calls), ...entryRoutes(calls)];
  return routes.map((route) => ({
    ...route,
    handle: (call) => route.handle({ ...call, query: withNamedUser(call.query) }),
  }));
}
