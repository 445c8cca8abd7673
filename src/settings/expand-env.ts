/** Environment variables as a plain object, so that the host program decides which are visible. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  readonly text: string;
  /** Whether something was replaced. */
  readonly expanded: boolean;
  /** Problems, for a person. */
  readonly problems: readonly string[];
}

/**
 * Replaces `${NAME}` by the variable's value, and `${NAME:-default}` by the default if the variable is unset or
 * empty. `$${` is a literal `${`.
 * Source: docs/config.md, "Values from the environment".
 */
export function expandEnvironment(text: string, env: Environment): Expansion {
  const problems: string[] = [];
  let expanded = false;
  const result = text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (whole: string, inside: string | undefined) => {
    if (inside === undefined) return "${";
    expanded = true;
    const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside) ?? [];
    if (name === undefined || !whole.endsWith("}")) {
      problems.push(`${JSON.stringify(whole)} is not \${NAME} or \${NAME:-default}; write $\${ for a literal \${`);
      return "";
    }
    const value = env[name];
    if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
    if (value === undefined)
      problems.push(`the environment variable ${name} is not set; set it, or write \${${name}:-default}`);
    return value ?? "";
  });
  return { text: result, expanded, problems };
}
