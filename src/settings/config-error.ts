import { AssistantError } from "../errors.ts";

/** One problem of a file of settings. */
export interface ConfigIssue {
  /** Name of the file as it was given to the parser, such as `wakeful.yaml`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Path of the key, such as `agents[0].max_steps`; empty for the whole file. */
  readonly path: string;
  /** What was expected and what was found. Never contains the value of a secret. */
  readonly message: string;
}

/** A setting that is valid but probably a mistake. */
export interface ConfigWarning {
  /** From 1; 0 for settings that were given as an object. */
  readonly line: number;
  /** Path of the key, such as `agents[0].max_steps`; empty for the whole file. */
  readonly path: string;
  /** The problem and its remedy. Never contains the value of a secret. */
  readonly message: string;
}

/**
 * A file of settings (the configuration, the tool policy) that cannot be used; `issues` lists all problems, in the
 * order of the file.
 */
export class ConfigError extends AssistantError {
  override readonly name = "ConfigError";
  /** All problems, in the order of the file. Never empty. */
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    const sorted = inOrder(withoutEchoes(issues));
    super(
      "CONFIG_INVALID",
      sorted.map((issue) => `${issue.file}:${issue.line}:${issue.column} ${issue.message}`).join("\n"),
    );
    this.issues = sorted;
  }
}

/** Drops further issues at the same place: a value that could not be read gets only one message. */
function withoutEchoes(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const place = `${issue.line}:${issue.column}:${issue.path}`;
    return !seen.has(place) && seen.add(place);
  });
}

function inOrder(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  return [...issues].sort((a, b) => a.line - b.line || a.column - b.column);
}
