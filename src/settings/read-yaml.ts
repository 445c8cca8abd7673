import type { Alias, Node, Pair, Scalar } from "yaml";
import type { YamlLibrary } from "../libraries.ts";
import { expandEnvironment, type Environment } from "./expand-env.ts";
import type { OptionPath, Written } from "./check-option.ts";
import { pathText } from "./check-option.ts";
import { yamlDocuments } from "./yaml-documents.ts";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A YAML file as plain data, with the position of each value. */
export interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly (Position & { readonly path: string; readonly message: string })[];
  /** Returns the position of the value at `path`, or of its key; if it is absent, of the nearest ancestor. */
  positionOf(path: OptionPath, of?: "key"): Position;
  written(path: OptionPath): Written | undefined;
}

/** Longest file, in characters. */
const MAX_LENGTH = 1_048_576;
/** Maximum number of values after aliases are expanded; this stops a small file that expands to a huge one. */
const MAX_NODES = 20_000;
/** Maximum number of problems reported for one file: each names its path, and a path may be long. */
const MAX_PROBLEMS = 100;

/** Position and source of a value. A tree, because path strings would multiply the size by the depth of the file. */
interface Place {
  key?: Position;
  value: Position;
  written?: Written;
  readonly inner: Map<string | number, Place>;
}

/**
 * Reads one YAML document with a map at its top. Never throws; problems are in `problems`.
 * @param env Environment for `${NAME}`. Without it texts are not expanded.
 */
export function readYaml(text: string, library: YamlLibrary, env?: Environment): YamlFile {
  const problems: (Position & { path: string; message: string })[] = [];
  const root: Place = { value: { line: 1, column: 1 }, inner: new Map() };
  const lines = new library.LineCounter();

  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  function report(offset: number, path: OptionPath, message: string): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ ...at(offset), path: pathText(path), message });
  }

  /** Returns the place at `path`, or its nearest ancestor. */
  function nearest(path: OptionPath): { readonly place: Place; readonly isExact: boolean } {
    let place = root;
    for (const part of path) {
      const inner = place.inner.get(part);
      if (!inner) return { place, isExact: false };
      place = inner;
    }
    return { place, isExact: true };
  }
  function positionOf(path: OptionPath, of?: "key"): Position {
    const { place, isExact } = nearest(path);
    // For an absent value, the name of the group that should contain it is the best position.
    return (of === "key" || !isExact ? place.key : undefined) ?? place.value;
  }
  const file = (value: unknown): YamlFile => ({
    value,
    problems,
    positionOf,
    written(path) {
      const { place, isExact } = nearest(path);
      return isExact ? place.written : undefined;
    },
  });

  if (text.length > MAX_LENGTH) {
    report(0, [], `The file has ${text.length} characters, more than the ${MAX_LENGTH} that are read`);
    return file({});
  }

  const documents = yamlDocuments(text, library, lines);
  const [document] = documents;
  if (document === undefined) return file({});
  for (const error of documents.flatMap((one) => [...one.errors, ...one.warnings])) {
    // After one mistake the parser often fails again on the same line.
    const heard = problems.some((problem) => problem.line === at(error.pos[0]).line);
    if (!heard) report(error.pos[0], [], `Not valid YAML: ${firstLine(error.message)}${hintAt(text, error.pos[0])}`);
  }
  if (problems.length > 0) return file({});
  if (documents.length > 1) {
    const second = documents[1];
    report(second?.range[0] ?? 0, [], "The file has several documents separated by ---; expected one");
    return file({});
  }

  const targets = aliasTargets(document.contents, library);
  let nodes = 0;
  let unfolded = false;

  function read(node: Node | null | undefined, path: OptionPath, place: Place, within: readonly Node[]): unknown {
    if (++nodes > MAX_NODES) {
      if (!unfolded)
        report(node?.range?.[0] ?? 0, path, `The file unfolds into more than ${MAX_NODES} values; use fewer aliases`);
      unfolded = true;
      return null;
    }
    const offset = node?.range?.[0];
    place.value = offset === undefined ? (place.key ?? at(0)) : at(offset);
    if (library.isAlias(node)) return readAlias(node, path, place, within);
    if (library.isMap(node)) {
      const pairs: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      const inMap = [...within, node];
      for (const pair of node.items) readPair(pair, pairs, path, place, inMap);
      return pairs;
    }
    if (library.isSeq(node)) {
      const inList = [...within, node];
      return node.items.map((item, index) => read(item as Node, [...path, index], placeIn(place, index), inList));
    }
    return library.isScalar(node) ? readScalar(node, path, place) : null;
  }

  function readAlias(node: Alias, path: OptionPath, place: Place, within: readonly Node[]): unknown {
    const target = targets.get(node);
    if (target !== undefined && !within.includes(target)) return read(target, path, place, within);
    report(
      node.range?.[0] ?? 0,
      path,
      target === undefined ? `There is no anchor &${node.source}` : `The alias *${node.source} holds itself`,
    );
    return null;
  }

  function readPair(
    pair: Pair,
    pairs: Record<string, unknown>,
    path: OptionPath,
    place: Place,
    within: readonly Node[],
  ): void {
    const key = pair.key as Node | null;
    const offset = key?.range?.[0] ?? 0;
    if (!library.isScalar(key) || key.value === null) return report(offset, path, "A key must be a plain name");
    const name = typeof key.value === "string" ? key.value : (key.source ?? "");
    if (Object.hasOwn(pairs, name))
      return report(offset, [...path, name], `The key ${JSON.stringify(name)} is given twice`);
    pairs[name] = read(pair.value as Node | null, [...path, name], placeIn(place, name, at(offset)), within);
  }

  function readScalar(node: Scalar, path: OptionPath, place: Place): unknown {
    const source = node.source ?? String(node.value);
    place.written = { source, expanded: false };
    if (typeof node.value !== "string" || env === undefined) return node.value;
    const { text, expanded, problems: wrong } = expandEnvironment(node.value, env);
    place.written = { source, expanded };
    for (const problem of wrong) report(node.range?.[0] ?? 0, path, `${pathText(path)}: ${problem}`);
    return text;
  }

  return file(document.contents === null ? {} : read(document.contents, [], root, []));
}

/** Adds a place inside another one. Its value's position is not known yet. */
function placeIn(outer: Place, name: string | number, key?: Position): Place {
  const place: Place = { ...(key && { key }), value: outer.value, inner: new Map() };
  outer.inner.set(name, place);
  return place;
}

/**
 * Returns the target of each alias: the last node before it with its anchor. This takes one pass; the library's own
 * method searches the document for each alias.
 */
export function aliasTargets(contents: Node | null, library: YamlLibrary): ReadonlyMap<Alias, Node> {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  function collect(node: Node | null): void {
    if (library.isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (!library.isScalar(node) && !library.isMap(node) && !library.isSeq(node)) return;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (library.isSeq(node)) for (const item of node.items) collect(item as Node | null);
    if (library.isMap(node))
      for (const { key, value } of node.items) {
        collect(key as Node | null);
        collect(value as Node | null);
      }
  }
  collect(contents);
  return targets;
}

/** Hint for a common mistake: `{ port: ${PORT} }`. */
function hintAt(text: string, offset: number): string {
  return text.slice(offset - 1, offset + 1) === "${" ? "; inside { } and [ ] put a value with ${…} in quotes" : "";
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/[.:]$/, "") ?? message;
}
