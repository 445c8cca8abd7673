import { AssistantError } from "../errors.ts";

/** One thing that is wrong with a file of settings. */
export interface ConfigIssue {
  /** As it was named to the parser, as `wakeful.yaml`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The key, as `agents[0].max_steps`; empty for the file as a whole. */
  readonly path: string;
  /** What was expected and what was found. Never holds the value of a secret. */
  readonly message: string;
}

/** What can be used but is most likely a mistake. */
export interface ConfigWarning {
  /** From 1; 0 for settings that were given as an object. */
  readonly line: number;
  /** The key, as `agents[0].max_steps`; empty for the file as a whole. */
  readonly path: string;
  /** What is odd and what to do. Never holds the value of a secret. */
  readonly message: string;
}

/** A file of settings (the configuration, the tool policy) that cannot be used; `issues` lists everything that is wrong with it, in the order of the file. */
export class ConfigError extends AssistantError {
  override readonly name = "ConfigError";
  /** Everything that is wrong, in the order of the file. Never empty. */
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

/** A value that could not be read needs no second complaint about what it is. */
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
