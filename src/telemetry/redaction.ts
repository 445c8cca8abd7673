import { type ModelRedactor, type Redactor, createModelRedactor, createRedactor } from "./redact.ts";

/** Redacts all secrets, those of options and those of channels, search engines and tools made in code. */
export interface Redaction {
  /** For logs, audit lines, errors and callers. */
  readonly redact: Redactor;
  /** For text that models read and write: a field `next_page_token` is no secret there. */
  readonly redactForModel: ModelRedactor;
  /** Adds secrets to both redactors. */
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

/** An object with its own secrets: a channel, a search engine, a registry, the `meta` of a tool. */
interface Secretive {
  readonly secrets?: readonly string[];
}

/** Returns the secrets that objects made by code declare. */
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
