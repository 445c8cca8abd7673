import { type ModelRedactor, type Redactor, createModelRedactor, createRedactor } from "./redact.ts";

/** What is never shown, wherever it was given: in options, or by a channel, a search engine or a tool made in code. */
export interface Redaction {
  /** For logs, audit lines, errors and callers. */
  readonly redact: Redactor;
  /** For what models work with: a field `next_page_token` is no secret there. */
  readonly redactForModel: ModelRedactor;
  /** From now on these are taken out too, by the same two redactors. */
  add(secrets: Iterable<string>): void;
}

export function createRedaction(given: Iterable<string>): Redaction {
  const secrets = new Set(given);
  let all = createRedactor(secrets);
  let forModel = createModelRedactor(secrets);
  return {
    redact: (value) => all(value),
    redactForModel: (value) => forModel(value),
    add(more) {
      const fresh = [...more].filter((secret) => !secrets.has(secret));
      if (fresh.length === 0) return;
      for (const secret of fresh) secrets.add(secret);
      all = createRedactor(secrets);
      forModel = createModelRedactor(secrets);
    },
  };
}

/** Has secrets of its own, and says which: a channel, a search engine, what a tool says of itself. */
interface Secretive {
  readonly secrets?: readonly string[];
}

/** What objects made by code say of themselves. */
export function secretsOfObjects({
  channels = [],
  search,
  registries = [],
  tools = {},
}: {
  readonly channels?: readonly Secretive[];
  readonly search?: { readonly providers?: readonly Secretive[] };
  readonly registries?: readonly Secretive[];
  readonly tools?: Readonly<Record<string, { readonly meta?: Secretive }>>;
}): readonly string[] {
  const metas = Object.values(tools).map(({ meta }) => meta);
  return [...channels, ...(search?.providers ?? []), ...registries, ...metas].flatMap((one) => one?.secrets ?? []);
}
