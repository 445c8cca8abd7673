import type { Alias, Document, Node, Pair, Scalar } from "yaml";
import type { YamlLibrary } from "../libraries.ts";
import { expandEnvironment, type Environment } from "./expand-env.ts";
import type { OptionPath, Written } from "./check-option.ts";
import { pathText } from "./check-option.ts";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A YAML file as plain data that remembers where everything stood. */
export interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly (Position & { readonly path: string; readonly message: string })[];
  /** Where the value at `path` stands, or its key; of the nearest thing above when it is absent. */
  positionOf(path: OptionPath, of?: "key"): Position;
  written(path: OptionPath): Written | undefined;
}

/** Longest file that is read, in characters. */
const MAX_LENGTH = 1_048_576;
/** Most values that a file may have once its aliases are followed: stops a small file that unfolds into a huge one. */
const MAX_NODES = 20_000;

/**
 * Reads one YAML document with a map at its top. Never throws: what is wrong is in `problems`.
 * @param env Where `${NAME}` looks. Without it texts are taken as they are written.
 */
export function readYaml(text: string, library: YamlLibrary, env?: Environment): YamlFile {
  const problems: (Position & { path: string; message: string })[] = [];
  const places = new Map<string, { key?: Position; value: Position; written?: Written }>();
  const lines = new library.LineCounter();

  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const report = (offset: number, path: OptionPath, message: string) =>
    void problems.push({ ...at(offset), path: pathText(path), message });

  const positionOf = (path: OptionPath, of?: "key"): Position => {
    for (let length = path.length; length >= 0; length--) {
      const place = places.get(JSON.stringify(path.slice(0, length)));
      // Of something absent, the name of the group that should have it is where to look.
      if (place) return (of === "key" || length < path.length ? place.key : undefined) ?? place.value;
    }
    return { line: 1, column: 1 };
  };
  const file = (value: unknown): YamlFile => ({
    value,
    problems,
    positionOf,
    written: (path) => places.get(JSON.stringify(path))?.written,
  });

  if (text.length > MAX_LENGTH) {
    report(0, [], `The file has ${text.length} characters, more than the ${MAX_LENGTH} that are read`);
    return file({});
  }

  const documents = library.parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    version: "1.2",
  });
  const document = Array.isArray(documents) ? documents[0] : undefined;
  if (document === undefined) return file({});
  for (const error of documents.flatMap((one) => [...one.errors, ...one.warnings])) {
    // One mistake makes the parser stumble again on the same line.
    const heard = problems.some((problem) => problem.line === at(error.pos[0]).line);
    if (error.code !== "DUPLICATE_KEY" && !heard)
      report(error.pos[0], [], `Not valid YAML: ${firstLine(error.message)}${hintAt(text, error.pos[0])}`);
  }
  if (problems.length > 0) return file({});
  if (documents.length > 1) {
    const second = documents[1];
    report(second?.range[0] ?? 0, [], "The file has several documents separated by ---; expected one");
    return file({});
  }

  let nodes = 0;
  let unfolded = false;

  function read(
    node: Node | null | undefined,
    path: OptionPath,
    key: Position | undefined,
    within: readonly Node[],
  ): unknown {
    if (++nodes > MAX_NODES) {
      if (!unfolded)
        report(node?.range?.[0] ?? 0, path, `The file unfolds into more than ${MAX_NODES} values; use fewer aliases`);
      unfolded = true;
      return null;
    }
    const offset = node?.range?.[0];
    const value = offset === undefined ? (key ?? at(0)) : at(offset);
    places.set(JSON.stringify(path), { ...(key && { key }), value });
    if (library.isAlias(node)) return readAlias(node, path, key, within);
    if (library.isMap(node)) {
      const pairs: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const pair of node.items) readPair(pair, pairs, path, [...within, node]);
      return pairs;
    }
    if (library.isSeq(node))
      return node.items.map((item, index) => read(item as Node, [...path, index], undefined, [...within, node]));
    return library.isScalar(node) ? readScalar(node, path) : null;
  }

  function readAlias(node: Alias, path: OptionPath, key: Position | undefined, within: readonly Node[]): unknown {
    const target = node.resolve(document as Document);
    if (target !== undefined && !within.includes(target)) return read(target, path, key, within);
    report(
      node.range?.[0] ?? 0,
      path,
      target === undefined ? `There is no anchor &${node.source}` : `The alias *${node.source} holds itself`,
    );
    return null;
  }

  function readPair(pair: Pair, pairs: Record<string, unknown>, path: OptionPath, within: readonly Node[]): void {
    const key = pair.key as Node | null;
    const offset = key?.range?.[0] ?? 0;
    if (!library.isScalar(key) || key.value === null) return report(offset, path, "A key must be a plain name");
    const name = typeof key.value === "string" ? key.value : (key.source ?? "");
    if (Object.hasOwn(pairs, name))
      return report(offset, [...path, name], `The key ${JSON.stringify(name)} is given twice`);
    pairs[name] = read(pair.value as Node | null, [...path, name], at(offset), within);
  }

  function readScalar(node: Scalar, path: OptionPath): unknown {
    const source = node.source ?? String(node.value);
    const place = places.get(JSON.stringify(path));
    if (typeof node.value !== "string") {
      if (place) place.written = { source, expanded: false };
      return node.value;
    }
    if (env === undefined) {
      if (place) place.written = { source, expanded: false };
      return node.value;
    }
    const { text, expanded, problems: wrong } = expandEnvironment(node.value, env);
    if (place) place.written = { source, expanded };
    for (const problem of wrong) report(node.range?.[0] ?? 0, path, `${pathText(path)}: ${problem}`);
    return text;
  }

  return file(document.contents === null ? {} : read(document.contents, [], undefined, []));
}

/** `{ port: ${PORT} }` is the mistake that everybody makes once. */
function hintAt(text: string, offset: number): string {
  return text.slice(offset - 1, offset + 1) === "${" ? "; inside { } and [ ] put a value with ${…} in quotes" : "";
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/[.:]$/, "") ?? message;
}
