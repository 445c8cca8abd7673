import { posix } from "node:path";
import { fileOptions } from "../src/config/schema/file.ts";
import { sdkOptions } from "../src/config/schema/sdk.ts";
import { type Leaf, type Schema, type Section, type Variant, choicesOf, optionOf } from "../src/settings/index.ts";

type Style = "file" | "sdk";

/** A file that is written. */
interface Target {
  /** Names by the file below src that they come from. */
  readonly imports: Map<string, Set<string>>;
  readonly types: string[];
}

const HEAD = "// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.";

/** The types of all options, by their files below src. */
export function optionTypes(): ReadonlyMap<string, string> {
  const files = new Map<string, Target>();
  const done = new Set<string>();

  /** The type of a schema as it is written in `file`; what has a name is written where it belongs. */
  function typeOf(schema: Schema, file: string, style: Style): string {
    const option = optionOf(schema);
    const place = placeOf(schema, style);
    if (place !== undefined) {
      const partial = option.kind === "section" && option.partial === true;
      if (!partial) define(place, schema, style);
      const name = refer(place, file);
      const one = partial ? `Partial<${name}>` : name;
      if (option.kind !== "section") return one;
      if (option.several) return `readonly ${one}[]`;
      if (option.short === undefined || style === "file") return one;
      for (const [also, from] of Object.entries(option.short.from)) addImport(file, from, also);
      return `${one} | ${option.short.text}`;
    }
    return bare(schema, file, style);
  }

  /** The same without its name. */
  function bare(schema: Schema, file: string, style: Style): string {
    const option = optionOf(schema);
    if (option.kind === "leaf") return leafType(option, file);
    if (option.kind === "names") return `Readonly<Record<string, ${typeOf(option.item, file, style)}>>`;
    if (option.kind === "list") {
      const item = typeOf(option.item, file, style);
      return item.includes(" | ") ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    const { base, own } = split(option, file, style);
    if (base === undefined) return membersOf(own, file, style);
    return Object.keys(own).length === 0 ? base : `${base} & ${membersOf(own, file, style)}`;
  }

  function leafType({ code, schema, ...leaf }: Leaf, file: string): string {
    for (const [name, from] of Object.entries(code?.from ?? {})) addImport(file, from, name);
    if (code) return code.text;
    if (schema.type === "literal") return leaf.expected;
    if (schema.type === "union") return "boolean | readonly string[]";
    if (schema.type !== "picklist") return schema.type;
    return choicesOf({ schema, ...leaf })
      .map((value) => JSON.stringify(value))
      .join(" | ");
  }

  /** The keys of a section, apart from those of the type that it extends. */
  function split({ base, keys }: Section, file: string, style: Style) {
    if (base === undefined || (style === "file" && hasCode(base))) return { own: keys };
    const known = (optionOf(base) as Section).keys;
    const isOwn = ([name, schema]: [string, Schema]) => !(name in known) && isIn(schema, style);
    const own = Object.fromEntries(Object.entries(keys).filter(isOwn));
    return { base: typeOf(base, file, style), own };
  }

  function membersOf(keys: Section["keys"], file: string, style: Style, needed?: string): string {
    const lines = Object.entries(keys).flatMap(([name, schema]) => {
      if (!isIn(schema, style)) return [];
      const type = typeOf(schema, file, style);
      const mark = optionOf(schema).required === true || name === needed ? "" : "?";
      return [docOf(sentenceOf(schema)), `readonly ${name}${mark}: ${type};`];
    });
    return `{\n${indented(lines.join("\n"))}\n}`;
  }

  function define(place: string, schema: Schema, style: Style): void {
    if (done.has(place)) return;
    done.add(place);
    const [file, name] = place.split("#") as [string, string];
    const { types } = targetOf(file);
    const at = types.push("") - 1;
    const original = originalOf(schema);
    const option = optionOf(original);
    const doc = docOf(sentenceOf(original));
    if (option.kind !== "section") types[at] = `${doc}\nexport type ${name} = ${bare(original, file, style)};`;
    else if (option.variants && style === "sdk") types[at] = `${doc}\n${variantsOf(option, name, file, style)}`;
    else {
      const { base, own } = split(option, file, style);
      const head = base === undefined ? name : `${name} extends ${base}`;
      types[at] = `${doc}\nexport interface ${head} ${membersOf(own, file, style)}`;
    }
  }

  function variantsOf({ keys, variants = [], common = "" }: Section, name: string, file: string, style: Style): string {
    const only = ({ key, keys: theirs }: Variant) => [key, ...theirs];
    const pick = (wants: (key: string) => boolean) =>
      Object.fromEntries(Object.entries(keys).filter(([key]) => wants(key)));
    const shared = pick((key) => !variants.some((variant) => only(variant).includes(key)));
    const base = nameIn(common);
    const types = variants.map((variant) => {
      const members = membersOf(
        pick((key) => only(variant).includes(key)),
        file,
        style,
        variant.key,
      );
      return `${docOf(`${variant.what}.`)}\nexport interface ${nameIn(variant.type)} extends ${base} ${members}`;
    });
    const union = `export type ${name} = ${variants.map(({ type }) => nameIn(type)).join(" | ")};`;
    const first = `${docOf("What all of them take.")}\nexport interface ${base} ${membersOf(shared, file, style)}`;
    return [union, first, ...types].join("\n\n");
  }

  function refer(place: string, file: string): string {
    const [from, name] = place.split("#") as [string, string];
    if (from !== file) addImport(file, roomOf(from) === roomOf(file) ? from : doorOf(from), name);
    return name;
  }

  function addImport(file: string, from: string, name: string): void {
    const { imports } = targetOf(file);
    imports.set(from, (imports.get(from) ?? new Set()).add(name));
  }

  function targetOf(file: string): Target {
    const target = files.get(file) ?? { imports: new Map(), types: [] };
    files.set(file, target);
    return target;
  }

  typeOf(sdkOptions, "", "sdk");
  typeOf(fileOptions, "", "file");
  files.delete("");
  return new Map([...files].map(([file, target]) => [file, textOf(file, target)]));
}

/** Where the generated type of a schema stands, if it has a name. */
function placeOf(schema: Schema, style: Style): string | undefined {
  const { type, fileType } = optionOf(schema);
  if (style === "sdk") return type;
  return fileType ?? (hasCode(schema) ? undefined : type);
}

/** Has a section keys that only code has? */
function hasCode(schema: Schema): boolean {
  const option = optionOf(schema);
  return option.kind === "section" && Object.values(option.keys).some((key) => optionOf(key).only === "sdk");
}

function isIn(schema: Schema, style: Style): boolean {
  const option = optionOf(schema);
  if ((option.status ?? "now") !== "now" || (option.only !== undefined && option.only !== style)) return false;
  return option.kind !== "section" || option.otherNames !== true;
}

/** The schema as it was when it was named, before `withFacts` told of it in another place. */
function originalOf(schema: Schema): Schema {
  const [inner] = "pipe" in schema ? (schema.pipe as readonly Schema[]) : [];
  return inner !== undefined && optionOf(inner).what !== "" ? originalOf(inner) : schema;
}

function sentenceOf(schema: Schema): string {
  const option = optionOf(schema);
  const what = /[.?!]$/.test(option.what) ? option.what : `${option.what}.`;
  const given = option.kind === "leaf" ? option.default : undefined;
  const standard = given === undefined ? [] : [`Default ${shown(given)}.`];
  return [what, ...standard, ...(option.inCode === undefined ? [] : [option.inCode])].join(" ");
}

/** Broken into lines of at most 112 characters. */
function docOf(text: string): string {
  if (text.length <= 112) return `/** ${text} */`;
  const lines = text.match(/.{1,112}(?= |$)/g) ?? [];
  return `/**\n${lines.map((line) => ` * ${line.trim()}`).join("\n")}\n */`;
}

function shown(value: string | number | boolean): string {
  if (typeof value === "string") return `\`${value}\``;
  return value === true || value === false || value < 10_000
    ? String(value)
    : value.toLocaleString("en").replaceAll(",", "_");
}

function textOf(file: string, { imports, types }: Target): string {
  const lines = [...imports].map(([from, names]) => {
    const path = posix.relative(posix.dirname(file), from);
    return `import type { ${[...names].sort().join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}";\n`;
  });
  return `${HEAD}\n\n${lines.length === 0 ? "" : `${lines.sort().join("")}\n`}${types.join("\n\n")}\n`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function nameIn(place: string): string {
  return place.split("#")[1] ?? place;
}

/** The folder of a file below src; a file that stands alone is a room of its own. */
function roomOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? file) : file;
}

/** Where other rooms import what stands in a file. */
function doorOf(file: string): string {
  return file.includes("/") ? `${roomOf(file)}/index.ts` : file;
}
