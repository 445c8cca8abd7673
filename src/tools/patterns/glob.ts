import { ToolError } from "../tool.ts";

const MAX_GLOB = 300;
/** Most alternatives that `{a,b}` may expand to. */
const MAX_ALTERNATIVES = 64;
const ANY_FOLDERS = "**";

/**
 * Compiles a glob for paths with `/`: `*` and `?` within a name, `**` for any folders, `[a-z]`, `[!a]`, `{one,two}`,
 * `\` before a literal character. Without a `/` it matches names in any folder. Names that begin with a dot match
 * like any other. A path that equals the glob's text matches too, and composed and decomposed accents are the same.
 * Matching takes time proportional to the path and the glob.
 *
 * @throws {ToolError} `BAD_INPUT` for a glob that is too long or has too many alternatives.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob.length > MAX_GLOB)
    throw new ToolError(
      "BAD_INPUT",
      `Cannot find as the glob has ${glob.length} characters: at most ${MAX_GLOB} are allowed`,
    );
  const isAnywhere = !glob.includes("/");
  const written = glob.replace(/^(?:\.?\/)+/, "").normalize("NFC");
  const patterns = expandBraces(written).map((one) => {
    const names = one.split("/").filter((name) => name !== "");
    const anywhere = isAnywhere ? [ANY_FOLDERS, ...names] : names;
    return anywhere.map((name) => (name === ANY_FOLDERS ? ANY_FOLDERS : signsOf(name)));
  });
  return (path) => {
    const normalized = path.normalize("NFC");
    const names = normalized.split("/");
    // A name such as "[x].md" also matches literally.
    if (written === (isAnywhere ? names.at(-1) : normalized)) return true;
    return patterns.some((pattern) => matchesFolders(pattern, names));
  };
}

type Sign = { readonly kind: "any" } | { readonly kind: "one"; is(character: string): boolean };
type NamePattern = typeof ANY_FOLDERS | readonly Sign[];

/**
 * `rest[at]`: whether the remaining pattern matches the remaining path. Computed from the pattern's end, one row per
 * part of it.
 */
function matchesFolders(pattern: readonly NamePattern[], names: readonly string[]): boolean {
  let rest = Array.from({ length: names.length + 1 }, (_, at) => at === names.length);
  for (const name of pattern.toReversed()) {
    const next: boolean[] = rest.map(() => false);
    for (let at = names.length; at >= 0; at -= 1) {
      if (name === ANY_FOLDERS) next[at] = rest[at] === true || next[at + 1] === true;
      else next[at] = at < names.length && rest[at + 1] === true && matchesName(name, names[at] ?? "");
    }
    rest = next;
  }
  return rest[0] === true;
}

/** Backtracks only to the last `*`; earlier ones never need to take more. */
function matchesName(signs: readonly Sign[], name: string): boolean {
  const characters = Array.from(name);
  let sign = 0;
  let retrySign = -1;
  let retryAt = 0;
  for (let at = 0; at < characters.length;) {
    const current = signs[sign];
    if (current?.kind === "any") {
      retrySign = sign;
      retryAt = at;
      sign += 1;
    } else if (current?.is(characters[at] ?? "")) {
      sign += 1;
      at += 1;
    } else if (retrySign >= 0) {
      retryAt += 1;
      at = retryAt;
      sign = retrySign + 1;
    } else return false;
  }
  return signs.slice(sign).every(({ kind }) => kind === "any");
}

function signsOf(name: string): readonly Sign[] {
  const signs: Sign[] = [];
  const tokens = /\\(.)|(\*+)|(\?)|\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]|(.)/gsu;
  for (const [whole, escaped, stars, question, negation, members, other] of name.matchAll(tokens)) {
    if (stars !== undefined) signs.push({ kind: "any" });
    else if (question !== undefined) signs.push({ kind: "one", is: () => true });
    else if (members !== undefined && members !== "") {
      const isMember = membersOf(members);
      signs.push({ kind: "one", is: (character) => isMember(character) !== (negation !== "") });
    } else
      for (const wanted of escaped ?? other ?? whole)
        signs.push({ kind: "one", is: (character) => character === wanted });
  }
  return signs;
}

function membersOf(text: string): (character: string) => boolean {
  const ranges: (readonly [number, number])[] = [];
  const tokens = /(?:\\(.)|(.))(?:-(?:\\(.)|([^\]])))?/gsu;
  for (const [, escaped, plain, escapedTo, plainTo] of text.matchAll(tokens)) {
    const from = (escaped ?? plain ?? "").codePointAt(0) ?? 0;
    const to = (escapedTo ?? plainTo)?.codePointAt(0) ?? from;
    ranges.push([from, to]);
  }
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    return ranges.some(([from, to]) => code >= from && code <= to);
  };
}

/** Expands `a{b,c{d,e}}` to `ab`, `acd`, `ace`. Braces without a comma or a partner are literal. */
function expandBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = innermostGroup(one);
    if (!group) done.push(one);
    else for (const choice of group.choices) open.push(one.slice(0, group.from) + choice + one.slice(group.to));
    if (done.length + open.length > MAX_ALTERNATIVES)
      throw new ToolError(
        "BAD_INPUT",
        `Cannot find as the braces make more than ${MAX_ALTERNATIVES} alternatives: write fewer`,
      );
  }
  return done;
}

function innermostGroup(
  glob: string,
): { readonly from: number; readonly to: number; readonly choices: readonly string[] } | null {
  let from = -1;
  for (let at = 0; at < glob.length; at += 1) {
    const sign = glob.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === "{") from = at;
    else if (sign === "}" && from >= 0) {
      const choices = glob.slice(from + 1, at).split(/(?<!\\),/);
      if (choices.length > 1) return { from, to: at + 1, choices };
      from = -1;
    }
  }
  return null;
}
