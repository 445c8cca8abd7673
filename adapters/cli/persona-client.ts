import type { ApiCall } from "./approvals-client.ts";

/** A persona file that is there. */
export interface PersonaRow {
  readonly name: string;
  /** It has nothing but headings and comments. */
  readonly empty: boolean;
}

/** The persona files of a store or of a server. */
export interface PersonaClient {
  list(): Promise<readonly PersonaRow[]>;
}

/** By the API's routes. */
export function personaClient(call: ApiCall): PersonaClient {
  return { list: async () => ((await call("/api/v1/persona"))?.["files"] ?? []) as readonly PersonaRow[] };
}
