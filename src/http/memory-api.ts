import type * as Late from "./memory.ts";

/** The routes below `/api/v1/memory`: `memoryApi` of `wakeful/memory/api`. */
export type MemoryApiRoutes = typeof Late.memoryRoutes;

/** `undefined` where nothing is loaded on demand (docs/decisions/0010-optional-libraries.md). */
export async function loadMemoryRoutes(): Promise<MemoryApiRoutes | undefined> {
  const { memoryRoutes }: Partial<typeof Late> = await import("#late/http/memory");
  return memoryRoutes;
}
