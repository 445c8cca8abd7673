import type { Assistant } from "../../mod.ts";
import type { AccessView, Somebody } from "../../kit.ts";
import { type ApiCall, camelCased } from "./approvals-client.ts";

/** Times are ISO 8601 texts. */
export type AskedRow = Somebody & {
  readonly code: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
};
export type PersonRow = Somebody & { readonly by: string; readonly since: string };

/** People with access and requests for access, as the command line shows them. */
export interface AccessRows {
  readonly pending: readonly AskedRow[];
  readonly people: readonly PersonRow[];
  readonly owners: readonly { readonly user: string; readonly since: string }[];
}

/** Access to the assistant of a store or of a server. */
export interface AccessClient {
  list(): Promise<AccessRows>;
  answer(code: string, answer: "approve" | "deny"): Promise<Somebody>;
  remove(keyOrUser: string): Promise<void>;
}

/** Uses the API's routes. */
export function accessClient(call: ApiCall): AccessClient {
  const at = (subject: string) => `/api/v1/access/${encodeURIComponent(subject)}`;
  return {
    async list() {
      const { pending, people, owners } = (await call("/api/v1/access")) ?? {};
      return { pending: rows(pending), people: rows(people), owners: rows(owners) } as unknown as AccessRows;
    },
    async answer(code, answer) {
      return (await call(at(code), { method: "POST", body: { answer } })) as unknown as Somebody;
    },
    async remove(keyOrUser) {
      await call(at(keyOrUser), { method: "DELETE" });
    },
  };
}

function rows(found: unknown): readonly Record<string, unknown>[] {
  return (found as readonly Record<string, unknown>[]).map(camelCased);
}

/** Uses an assistant in this process. The person at the command line acts as the owner. */
export function ownAccess(assistant: Assistant): AccessClient {
  const { access } = assistant;
  const by = { user: "cli" };
  return {
    list: async () => rowsOf(await access.list()),
    answer: (code, answer) => access[answer](code, by),
    async remove(keyOrUser) {
      await access.remove(keyOrUser, by);
    },
  };
}

function rowsOf({ pending, people, owners }: AccessView): AccessRows {
  return {
    pending: pending.map(({ requestedAt, expiresAt, ...who }) => ({
      ...who,
      requestedAt: requestedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    people: people.map(({ since, ...who }) => ({ ...who, since: since.toISOString() })),
    owners: owners.map(({ user, since }) => ({ user, since: since.toISOString() })),
  };
}
