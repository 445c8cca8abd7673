import type { Document } from "yaml";
import type { Platform } from "../platform.ts";
import { isObject } from "../store/index.ts";
import { yamlDocuments } from "./yaml-documents.ts";

type Path = readonly (string | number)[];
type Group = Readonly<Record<string, unknown>>;

/** Keys that identify the members of a list; letter case and blanks are ignored. */
const NAMES = ["objective", "metric", "name"] as const;

/**
 * Returns a YAML text with the value `after` instead of `before`. Unchanged parts keep their place and their
 * comments; only blanks between tokens may change.
 */
export function changeYaml(text: string, before: Group, after: Group, yaml: Platform["yaml"]): string {
  let [document]: Document[] = yamlDocuments(text, yaml());
  // A text with only comments has no keys, so it gets one, which is set below.
  const [first] = Object.keys(after);
  if (!yaml().isMap(document?.contents) && first !== undefined)
    [document] = yamlDocuments(`${text}\n${first}:\n`, yaml());
  if (document === undefined) throw new TypeError("Cannot change a text that is no YAML");
  changeGroup(document, [], before, after, yaml);
  return document.toString({ lineWidth: 0 });
}

function changeGroup(document: Document, path: Path, before: Group, after: Group, yaml: Platform["yaml"]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    changeValue(document, [...path, key], before[key], after[key], yaml);
}

function changeValue(document: Document, path: Path, before: unknown, after: unknown, yaml: Platform["yaml"]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (after === undefined) document.deleteIn(path);
  else if (isObject(before) && isObject(after)) changeGroup(document, path, before, after, yaml);
  else if (hasNames(before) && hasNames(after)) changeList(document, path, before, after, yaml);
  else if (typeof after === "object") document.setIn(path, document.createNode(after));
  else {
    // A scalar keeps the comment behind it. A value that was written without quotes may need them now.
    const known = document.getIn(path, true);
    if (yaml().isScalar(known) && known.type === "PLAIN") delete known.type;
    document.setIn(path, after);
  }
}

/** Changes a list. Existing members keep their order; new ones are added at the end. */
function changeList(
  document: Document,
  path: Path,
  before: readonly Group[],
  after: readonly Group[],
  yaml: Platform["yaml"],
): void {
  const left = [...before];
  for (let index = before.length - 1; index >= 0; index -= 1) {
    if (after.some((one) => isNamedAs(one, before[index]))) continue;
    document.deleteIn([...path, index]);
    left.splice(index, 1);
  }
  for (const one of after) {
    const index = left.findIndex((known) => isNamedAs(one, known));
    if (index === -1) document.addIn(path, document.createNode(one));
    else changeValue(document, [...path, index], left[index], one, yaml);
  }
}

function hasNames(value: unknown): value is readonly Group[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && nameIn(one) !== undefined);
}

function isNamedAs(one: Group, other: Group | undefined): boolean {
  return other !== undefined && nameIn(one) === nameIn(other);
}

function nameIn(group: Group): string | undefined {
  for (const key of NAMES)
    if (typeof group[key] === "string") return group[key].replaceAll(/\s+/g, " ").trim().toLowerCase();
  return undefined;
}
