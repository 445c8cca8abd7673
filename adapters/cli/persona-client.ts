import type { ApiCall } from "./approvals-client.ts";

/** An existing persona file. */
export interface PersonaRow {
  readonly name: string;
  /** Whether it has nothing but headings and comments. */
  readonly empty: boolean;
}

/** The persona files of a store or of a server. */
export interface PersonaClient {
  list(): Promise<readonly PersonaRow[]>;
}

/** Uses the API's routes. */
export function personaClient(call: ApiCall): PersonaClient {
  return { list: async () => ((await call("/api/v1/persona"))?.["files"] ?? []) as readonly PersonaRow[] };
}
