import type { Platform } from "../platform.ts";
import { changeYaml, yamlDocuments } from "../settings/index.ts";
import type { JsonValue } from "../store/index.ts";

type Group = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Returns YAML that says `after` where it said `before`. Unchanged fields stay byte for byte, including their folding
 * and comments; the YAML library would rewrite a whole document.
 */
export function changeFrontmatter(text: string, before: Group, after: Group, yaml: Platform["yaml"]): string {
  const pieces = piecesOf(text, yaml);
  if (pieces === undefined) return changeYaml(text, before, after, yaml);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  let written = pieces.head;
  for (const { name, text: piece } of pieces.fields) {
    if (!changed.includes(name)) written += piece;
    else if (after[name] === undefined) written += commentsBehind(piece);
    else written += changeYaml(piece, only(before, name), only(after, name), yaml);
  }
  const added = changed.filter((name) => !pieces.fields.some((field) => field.name === name));
  const isEnded = written === "" || written.endsWith("\n");
  for (const [index, name] of added.entries()) {
    if (after[name] !== undefined)
      written += `${index === 0 && !isEnded ? "\n" : ""}${changeYaml("", {}, only(after, name), yaml)}`;
  }
  return written;
}

/**
 * The text before the first field, and each field up to the next; `undefined` if fields do not begin their lines or
 * are linked by aliases.
 */
function piecesOf(text: string, yaml: Platform["yaml"]) {
  const { isMap, isScalar } = yaml();
  const map = yamlDocuments(text, yaml())[0]?.contents;
  if (!isMap(map) || map.flow === true || map.anchor !== undefined) return undefined;
  const starts: { readonly name: string; readonly start: number }[] = [];
  for (const { key } of map.items) {
    const start = isScalar(key) ? key.range?.[0] : undefined;
    if (start === undefined || !isScalar(key) || (start > 0 && text[start - 1] !== "\n")) return undefined;
    starts.push({ name: String(key.value), start });
  }
  return {
    head: text.slice(0, starts[0]?.start ?? text.length),
    fields: starts.map(({ name, start }, index) => ({ name, text: text.slice(start, starts[index + 1]?.start) })),
  };
}

function only(group: Group, name: string): Group {
  return { [name]: group[name] };
}

/** The comments at the end of a field's piece. They are about the next field. */
function commentsBehind(piece: string): string {
  return /(?:^#[^\n]*\n?|^\n)*$/m.exec(piece)?.[0] ?? "";
}
