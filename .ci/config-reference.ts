import { fileOptions } from "../src/config/schema/file.ts";
import { type Leaf, type Option, type Section, choicesOf, optionOf, snakeCase } from "../src/settings/index.ts";

const file = optionOf(fileOptions) as Section;

/** One row of the table in docs/config.md. */
interface Row {
  /** As in the file: `channels.telegram.token`, `agents[].id`, `users.<user>.name`. */
  readonly path: string;
  readonly option: Option;
}

/**
 * The sample configuration, wakeful.example.yaml. Prose lines start with `##`, options with `# `: taking `# ` away turns an option on.
 */
export function sampleConfig(): string {
  const lines = [
    "## Every option of Wakeful, with its default or an example. Nothing is required.",
    "## Take `# ` away from what you want to set, and from the lines that it stands under.",
    "## Values may hold ${NAME} and ${NAME:-default}; secrets are { env: NAME } or { file: path }.",
    "## For help in an editor: `wakeful config schema > wakeful.schema.json`, and as the first line of this file",
    "## `# yaml-language-server: $schema=./wakeful.schema.json`.",
    "version: 1",
  ];
  for (const [name, option] of nowIn(file)) {
    if (name === "version" || option.inSample === false) continue;
    lines.push("", `## ${option.what}.`, ...sampleOf(snakeCase(name), option, "").map((line) => `# ${line}`));
  }
  return `${lines.join("\n")}\n`;
}

function sampleOf(name: string, option: Option, indent: string): string[] {
  const inner = `${indent}  `;
  const start = `${indent}${name}:`;
  if (option.kind === "leaf") return [`${start} ${sampleValue(option)}${comment(option, indent)}`];
  if (option.kind === "names")
    return [
      `${start}${comment(option, indent)}`,
      ...sampleOf(sampleNames[option.of] ?? option.of, optionOf(option.item), inner),
    ];
  if (option.kind === "section") {
    return [`${start}${comment(option, indent)}`, ...sampleKeys(option, inner)];
  }
  const item = optionOf(option.item);
  if (item.kind !== "section")
    return [`${start} [${item.kind === "leaf" ? sampleValue(item) : ""}]${comment(option, indent)}`];
  const [first = "", ...rest] = sampleKeys(item, `${inner}  `);
  return [`${start}${comment(option, indent)}`, `${inner}- ${first.trimStart()}`, ...rest];
}

function sampleKeys(section: Section, indent: string): string[] {
  return nowIn(section)
    .filter(([, option]) => option.inSample !== false)
    .flatMap(([name, option]) => sampleOf(snakeCase(name), option, indent));
}

const sampleNames: Readonly<Record<string, string>> = { user: '"telegram:42"', person: "ada", role: "editor" };

function sampleValue(leaf: Leaf): string {
  const value = leaf.default ?? leaf.example;
  if (value === undefined) throw new Error(`The option that is "${leaf.what}" needs a default or an example`);
  if (leaf.secret) return `{ env: ${value} }`;
  return typeof value === "string" && (!/^[\w./-]+$/.test(value) || /^-?\d+$/.test(value))
    ? JSON.stringify(value)
    : String(value);
}

/** What a top option is, its prose line says. */
function comment(option: Option, indent: string): string {
  if (indent === "") return "";
  const choices = option.kind === "leaf" ? choicesOf(option).join(" | ") : "";
  return `  # ${option.what}${choices === "" ? "" : `: ${choices}`}`;
}

/** The table of docs/config.md, in Markdown. */
export function configReference(): string {
  const now: string[] = [];
  const notYet: string[] = [];
  for (const { path, option } of rows(file, "")) {
    if (option.status === "later")
      notYet.push(`| \`${path}\` | ${option.what} | accepted with one warning, no effect |`);
    else if (option.status === "refused")
      notYet.push(`| \`${path}\` | ${option.what} | refused: ${option.instead ?? ""} |`);
    else if (option.kind === "leaf")
      now.push(`| \`${path}\` | ${cell(option.expected)} | ${defaultOf(option)} | ${cell(option.what)} |`);
    else if (isNow(option))
      now.push(
        `| \`${path}\` | ${option.kind === "list" ? "a list" : option.kind === "names" ? `by ${option.of}` : "a group"} | | ${cell(option.what)} |`,
      );
  }
  return [
    "| key | value | default | what it is |",
    "|---|---|---|---|",
    ...now,
    "",
    "### Not in this version",
    "",
    "| key | what it will be | now |",
    "|---|---|---|",
    ...notYet,
  ].join("\n");
}

function rows(section: Section, prefix: string): Row[] {
  return keysOf(section)
    .filter(([, option]) => option.only !== "sdk")
    .flatMap(([name, option]) => rowsOf(`${prefix}${snakeCase(name)}`, option));
}

function rowsOf(path: string, option: Option): Row[] {
  if (option.status === "later" || option.status === "refused" || option.kind === "leaf") return [{ path, option }];
  // Other names of keys that stand elsewhere are told by their first row.
  if (option.kind === "section" && option.inSample === false) return [{ path, option }];
  if (option.kind === "section") return [{ path, option }, ...rows(option, `${path}.`)];
  const inner = option.kind === "list" ? `${path}[]` : `${path}.<${option.of}>`;
  const item = optionOf(option.item);
  if (item.kind === "leaf") return [{ path, option }];
  return [{ path, option }, ...rowsOf(inner, item).slice(1)];
}

function nowIn(section: Section): readonly (readonly [string, Option])[] {
  return keysOf(section).filter(([, option]) => option.only !== "sdk" && isNow(option));
}

function keysOf(section: Section): readonly (readonly [string, Option])[] {
  return Object.entries(section.keys).map(([name, schema]) => [name, optionOf(schema)]);
}

/** Has it, or anything in it, an effect in this version? */
function isNow(option: Option): boolean {
  if ((option.status ?? "now") !== "now") return false;
  return option.kind !== "section" || keysOf(option).some(([, one]) => isNow(one));
}

function defaultOf(leaf: Leaf): string {
  if (leaf.required === true) return "required";
  return leaf.default === undefined ? "" : `\`${String(leaf.default)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
