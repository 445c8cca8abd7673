import type { Command, CommandNode, ParameterExpansionPart, ParsedScript, Redirection, SyntaxNode, Word } from "unbash";
import { arithmeticText, judgeArithmetic, judgeTarget } from "./arithmetic.ts";
import type { ShellParser } from "../libraries.ts";
import { guardPath } from "../guard/index.ts";
import { judgeAssignment } from "./environment.ts";
import { type Finding, shorten } from "./finding.ts";
import { findForkBomb } from "./fork-bomb.ts";
import { judgeCall } from "./judge-call.ts";
import { joined, judgePath } from "./path-arguments.ts";
import {
  type Argument,
  type Input,
  MAX_DEPTH,
  type Place,
  type Scan,
  UNKNOWN,
  isOfEarlier,
  kept,
  markedOf,
  plain,
} from "./scan.ts";
import { createVariables } from "./variables.ts";
import { type Lookup, markedText, markedWords, wordText } from "./words.ts";

export interface WalkOptions {
  readonly parser: ShellParser;
  readonly mode: "restricted" | "open";
  readonly root: string;
  /** Working directory at the start, relative to the root. */
  readonly folder: string;
  readonly protectedPaths: readonly string[];
}

export interface WalkResult {
  readonly finding: Finding | undefined;
  readonly commands: readonly string[];
}

/** Maximum number of simple commands in a text, including nested ones, and of possible working directories. */
const MAX_COMMANDS = 2000;
const MAX_FOLDERS = 16;
const OWN_INPUT: Input = { kind: "own" };

/** The possible working directories of a list of commands; changes during the walk. */
interface Where {
  folders: string[];
}

/** Judges every simple command of a text, in every branch, substitution and text for another shell. */
export function walkCommand(text: string, options: WalkOptions): WalkResult {
  const { parse, forEachChild } = options.parser;
  let finding: Finding | undefined;
  const commands = new Set<string>();
  const functions = new Set<string>();
  const variables = createVariables(functions, forEachChild);
  const downloaded = new Set<string>();
  const executed = new Map<string, string>();
  const maps = new Map<string, number>();
  const everIn = new Set<string>([options.folder]);
  let judged = 0;
  let where: Where = { folders: [options.folder] };
  let source = text;

  const scan: Scan = {
    mode: options.mode,
    root: options.root,
    protectedPaths: options.protectedPaths,
    functions,
    downloaded,
    executed,
    refuse(found) {
      finding ??= found;
    },
    isRefused: () => finding !== undefined,
    runText(inner, from, place, parameters = []) {
      if (finding !== undefined) return;
      if (
        inner.includes(UNKNOWN) &&
        (options.mode === "restricted" ||
          inner.trimStart().startsWith(UNKNOWN) ||
          /\b(?:curl|wget|base64|base32|xxd|openssl)\b/u.test(from))
      ) {
        refuse(
          "pipe into a shell",
          from,
          "what the shell would run is known only when it runs",
          "write the commands themselves",
        );
        return;
      }
      if (place.depth >= MAX_DEPTH) {
        refuse("limit", from, `commands stand inside commands more than ${MAX_DEPTH} deep`, "write the command itself");
        return;
      }
      variables.addParameters(parameters.map(markedOf));
      inside(kept(inner).replaceAll(UNKNOWN, "unjudged"), { ...place, depth: place.depth + 1 });
    },
    runWords(words, from, place) {
      if (place.depth >= MAX_DEPTH)
        refuse("limit", from, `commands stand inside commands more than ${MAX_DEPTH} deep`, "write the command itself");
      else judgeWords(words, from, { ...place, depth: place.depth + 1 });
    },
    judgeArithmetic: (expression, from) => judgeArithmetic(scan, variables.valuesOf, expression, from),
    judgeTarget: (name, from) => judgeTarget(scan, variables.valuesOf, name, from),
    fill: variables.fill,
    changeFolder(target, from, place) {
      if (target === "-") {
        where.folders = [...everIn];
        return;
      }
      const path = target ?? "~";
      if (place.repeated && path.includes("..") && options.mode === "restricted") {
        refuse(
          "outside the workspace",
          from,
          "in a loop or a function nobody can tell how far up this leads",
          "name the folder from the workspace's root",
        );
        return;
      }
      judgePath(scan, { text: path, source: from }, place, "read");
      if (finding !== undefined) return;
      const entered = place.folders.map((folder) => {
        const inRoot = guardPath(joined(folder, path), { root: options.root });
        return inRoot.ok ? inRoot.path : joined(folder, path);
      });
      for (const folder of entered) everIn.add(folder);
      if (everIn.size > MAX_FOLDERS) refuse("limit", from, "the command changes folders too often", "run it in parts");
      where.folders = [...new Set([...where.folders, ...entered])];
      pendingFolders = entered;
    },
  };
  /** Working directories of `…` in `cd x && …`, which runs only if the change succeeded. */
  let pendingFolders: string[] | undefined;

  function refuse(danger: Finding["danger"], offending: string, why: string, instead: string): void {
    scan.refuse({ danger, offending, why, instead });
  }

  function shown(node: { readonly pos: number; readonly end: number }): string {
    return plain(source.slice(node.pos, node.end));
  }

  /** Judges a whole text: the command itself, or one that it passes to a shell. */
  function inside(inner: string, place: Place): void {
    const script = parse(inner);
    const outer = source;
    source = inner;
    if (script.errors?.length)
      refuse(
        "syntax",
        plain(inner),
        `it is no complete shell command (${script.errors[0]?.message ?? ""})`,
        "close what is open, and quote special characters",
      );
    else {
      variables.collect(script);
      if (place.depth === 0) findMaps(script);
      const bomb = findForkBomb(script, forEachChild);
      if (bomb !== undefined)
        refuse(
          "fork bomb",
          shown(bomb),
          "it starts copies of itself or jobs without end",
          "start a fixed number of jobs and wait for them",
        );
      visit(script, place);
    }
    source = outer;
  }

  function separately(work: () => void): void {
    const before = where;
    where = { folders: [...before.folders] };
    work();
    where = before;
  }

  function visit(node: SyntaxNode, place: Place): void {
    if (finding !== undefined) return;
    switch (node.type) {
      case "Script": {
        if ("errors" in node && node.errors !== undefined && node.errors.length > 0) {
          refuse(
            "syntax",
            source,
            `it is no complete shell command (${node.errors[0]?.message ?? ""})`,
            "close what is open, and quote special characters",
          );
          return;
        }
        const outer = source;
        if (node.source !== undefined) source = node.source;
        for (const one of node.commands) visit(one, place);
        source = outer;
        return;
      }
      case "Statement":
        if (node.background === true) separately(() => visit(node.command, here(place)));
        else visit(node.command, here(place));
        return;
      case "AndOr":
        node.commands.forEach((command, index) => {
          pendingFolders = undefined;
          const isDirect = command.type === "Command";
          visit(command, here(place));
          if (
            isDirect &&
            pendingFolders !== undefined &&
            node.operators[index] === "&&" &&
            !place.repeated &&
            node.operators.every((one) => one === "&&")
          )
            where.folders = pendingFolders;
          pendingFolders = undefined;
        });
        return;
      case "Pipeline": {
        const from: (readonly string[] | undefined)[] = [];
        node.commands.forEach((command, index) => {
          const input: Input =
            index === 0
              ? place.input
              : { kind: "pipe", from: [...(place.input.kind === "pipe" ? place.input.from : []), ...from] };
          if (node.commands.length > 1) separately(() => visit(command, { ...here(place), input }));
          else visit(command, here(place));
          from.push(plainWords(command));
        });
        return;
      }
      case "Command":
        judgeCommand(node, here(place));
        return;
      case "Redirected": {
        const input = inputOf(node.redirects, place.input);
        for (const one of node.redirects) judgeRedirection(one, here(place));
        visit(node.command, { ...here(place), input });
        return;
      }
      case "Subshell":
        separately(() => visit(node.body, here(place)));
        return;
      case "For":
      case "Select":
        judgeAssignment(scan, node.name.value, undefined, node.name.text);
        for (const word of node.wordlist ?? []) visit(word, place);
        visit(node.body, { ...here(place), repeated: true });
        return;
      case "While":
      case "ArithmeticFor":
        forEachChild(node, (child) => visit(child, { ...here(place), repeated: true }));
        return;
      case "Function":
        visit(node.body, { ...here(place), repeated: true });
        return;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        if (node.script === undefined) return;
        // The output of a command is evaluated like a text in its place.
        if (node.type === "ArithmeticCommandExpansion") {
          const { text: written, script, pos, end } = node;
          const part = { type: "CommandExpansion", text: written, script, pos, end } as const;
          judgeNumber({ text: written, parts: [part], pos, end });
        }
        // The command around >( … ) writes its input.
        separately(() =>
          visit(node.script as SyntaxNode, {
            ...here(place),
            input:
              node.type === "ProcessSubstitution" && node.operator === ">"
                ? { kind: "pipe", from: [undefined] }
                : place.input,
          }),
        );
        return;
      case "Assignment":
        judgeAssignment(
          scan,
          node.name,
          node.value.type === "Word" ? wordText(node.value, () => undefined) : undefined,
          shown(node),
        );
        if (node.index !== undefined && !isMap(node.name, node.pos, place)) judgeNumber(node.index);
        if (node.value.type === "ArrayValue" && !isMap(node.name, node.pos, place))
          for (const { text: element, pos } of node.value.elements) {
            const [, subscript] = /^\[(.*?)\]\+?=/su.exec(element) ?? [];
            if (subscript !== undefined) scan.judgeArithmetic(subscript, shown({ pos, end: pos + element.length }));
          }
        break;
      case "ParameterExpansion":
        judgeParameter(node, place);
        if (node.operation?.type === "Transform" && wordText(node.operation.operand, () => undefined) === "P")
          refuse(
            "hidden command",
            shown(node),
            "@P runs the commands that stand in the variable",
            "use the variable itself",
          );
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          judgeAssignment(
            scan,
            node.parameter,
            wordText(node.operation.operand, () => undefined),
            shown(node),
          );
        break;
      case "ArithmeticExpansion":
        if (node.expression === undefined)
          scan.judgeArithmetic(node.text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/gu, ""), shown(node));
        break;
      case "ArithmeticWord":
        judgeNumber({ ...node, text: node.value });
        break;
      case "ArithmeticBinary":
        if (/^(?:[-+*/%&|^]|<<|>>)?=$/u.test(node.operator) && node.left.type === "ArithmeticWord")
          judgeAssignment(scan, node.left.value, undefined, shown(node));
        // A variable that is only assigned is not evaluated.
        if (node.operator === "=" && node.left.type === "ArithmeticWord" && /^\w+$/u.test(node.left.value)) {
          visit(node.right, place);
          return;
        }
        break;
      case "ArithmeticCommand":
        // If sh is not bash, ((a b)) is a subshell in a subshell.
        if (node.expression === undefined || /^\s*[\w./-]+(?:\s+[\w./~"'-]|\s*$)/u.test(node.body))
          inside(node.body, { ...here(place), repeated: true, depth: place.depth + 1 });
        break;
      case "TestBinary":
      case "TestUnary":
        for (const word of node.type === "TestUnary" ? [node.operand] : [node.left, node.right])
          judgeTestWord(node.operator, word, place);
        break;
    }
    forEachChild(node, (child) => visit(child, place));
  }

  function here(place: Place): Place {
    return { ...place, folders: where.folders };
  }

  function judgeTestWord(operator: string, word: Word, place: Place): void {
    if (/^-(?:eq|ne|lt|le|gt|ge)$/u.test(operator)) judgeNumber(word);
    if (operator === "-v")
      variables.eachBinding([word], (lookup) => scan.judgeTarget(wordText(word, lookup), word.text));
    if (/^-[a-hkprstuwxGLNOS]$|^-(?:nt|ot|ef)$/u.test(operator))
      variables.eachBinding([word], (lookup) => {
        const marked = markedText(word, lookup);
        judgePath(scan, { text: plain(marked), source: plain(word.text) }, placeOf(marked, here(place)), "read");
      });
  }

  /** A text that stored an earlier working directory may mean any directory that was possible so far. */
  function placeOf(marked: string, place: Place): Place {
    return isOfEarlier(marked) ? { ...place, folders: [...new Set([...place.folders, ...everIn])] } : place;
  }

  function judgeNumber(node: Pick<Word, "text" | "parts" | "pos" | "end">): void {
    const { text: written, parts, pos, end } = node;
    const word: Word = { type: "Word", text: written, value: written, parts, pos, end };
    variables.eachBinding([word], (lookup) =>
      scan.judgeArithmetic(plain(arithmeticText(parts, written, lookup)), plain(written)),
    );
  }

  function judgeParameter(node: ParameterExpansionPart, place: Place): void {
    const { parameter, prefix, index, operation } = node;
    const isAll = index !== undefined && /^[@*]$/u.test(index.text);
    if (index !== undefined && !isAll && !isMap(parameter, node.pos, place)) judgeNumber(index);
    if (operation?.type === "Slice")
      for (const one of [operation.offset, operation.length]) if (one !== undefined) judgeNumber(one);
    if (prefix !== "!" || isAll || operation?.type === "Names" || parameter === "#") return;
    // The value names another variable, whose subscript is evaluated.
    for (const value of variables.valuesOf(/^\d+$/u.test(parameter) ? "@" : parameter) ?? [UNKNOWN])
      scan.judgeTarget(value, shown(node));
    if (operation?.type === "Default" && operation.operator.endsWith("=")) scan.fill(undefined);
  }

  /**
   * Whether an earlier `declare -A` made the variable a map: its subscripts are strings that the shell does not
   * evaluate.
   */
  function isMap(name: string, pos: number, place: Place): boolean {
    return place.depth === 0 && source === text && pos > (maps.get(name) ?? Infinity);
  }

  /** Finds the maps that the text certainly declares, at its top level, before it mentions them otherwise. */
  function findMaps(script: ParsedScript): void {
    for (const { command, background } of script.commands) {
      if (command.type !== "Command" || background === true || functions.has("declare")) continue;
      const [flags, ...names] = command.args;
      if (command.name?.text !== "declare" || flags?.text !== "-A") continue;
      for (const one of names) {
        const name = one.type === "Word" ? one.text : one.name;
        if (!new RegExp(`\\b${name.replaceAll(/\W/gu, "")}\\b`, "u").test(text.slice(0, command.pos)))
          maps.set(name, command.pos);
      }
    }
  }

  function judgeCommand(node: Command, place: Place): void {
    const isEndless =
      node.name?.value === "yes" ||
      (node.name?.value === "cat" && node.args.some((one) => /^\/dev\/(?:zero|u?random)$/u.test(one.text)));
    // Substitutions, assignments and redirections run commands or open files even if the command itself does nothing.
    forEachChild(node, (child) => {
      if (child.type !== "Redirect" && child.type !== "HereDoc" && child.type !== "HereString") visit(child, place);
      else {
        judgeRedirection(child, place, isEndless);
        forEachChild(child, (inner) => visit(inner, place));
      }
    });
    if (node.name === undefined || finding !== undefined) return;
    const input = inputOf(node.redirects, place.input);
    const own: Place = { ...place, input };
    const name = node.name;
    const args = node.args;
    const words: Word[] = [
      name,
      ...args.flatMap((one) => (one.type === "Word" ? [one] : one.value.type === "Word" ? [one.value] : [])),
    ];
    const text = shown(node);
    let isFirst = true;
    variables.eachBinding(words, (lookup) => {
      if (finding !== undefined) return;
      const expanded: Argument[] = [];
      for (const word of [name, ...args]) {
        const from = plain(word.text);
        if (word.type === "Word")
          for (const marked of markedWords(word, lookup)) expanded.push({ text: plain(marked), source: from, marked });
        else if (word.value.type === "Word") {
          const marked = `${word.name}=${markedText(word.value, lookup)}`;
          expanded.push({ text: plain(marked), source: from, marked, isAssignment: true });
        }
      }
      if (functions.has(name.value)) variables.addParameters(expanded.slice(1).map(markedOf));
      // A command with other values of its variables is listed only once.
      judgeWords(
        expanded,
        text,
        placeOf(expanded.map(markedOf).join(" "), own),
        isFirst ? (node.redirects.length > 0 ? shorten(text) : undefined) : null,
      );
      isFirst = false;
    });
  }

  /** @param listed Text in the list of commands; undefined: its words; null: not listed. */
  function judgeWords(words: readonly Argument[], from: string, place: Place, listed?: string | null): void {
    if (words.length === 0 || finding !== undefined) return;
    if (++judged > MAX_COMMANDS) {
      refuse("limit", from, `it is more than ${MAX_COMMANDS} commands`, "run it in parts");
      return;
    }
    if (listed !== null) commands.add(listed ?? words.map(asWritten).join(" "));
    judgeCall(scan, words, from, place);
  }

  function judgeRedirection(node: Redirection, place: Place, isEndless = false): void {
    if (node.type === "HereDoc") return;
    if (node.descriptor?.type === "FileDescriptorVariable")
      judgeAssignment(scan, node.descriptor.name, undefined, shown(node));
    const { target } = node;
    if (node.type === "HereString" || target === undefined) return;
    variables.eachBinding([target], (lookup) => {
      const marked = markedText(target, lookup);
      const text = plain(marked);
      if (/^[<>]&$/u.test(node.operator) && /^(?:\d+-?|-)$/u.test(text)) return;
      if (isEndless && node.operator.includes(">") && text !== "/dev/null")
        refuse("disk", shown(node), "it writes until the disk is full", "take a part of it, as with head -c");
      judgePath(
        scan,
        { text, source: shown(node) },
        placeOf(marked, place),
        node.operator === "<" || node.operator === "<&" ? "read" : "write",
      );
    });
  }

  function inputOf(redirects: readonly Redirection[], outer: Input): Input {
    let input = outer;
    for (const one of redirects) {
      if (one.type === "HereString")
        input = { kind: "text", text: one.target === undefined ? "" : markedText(one.target, knownOnly) };
      else if (one.type === "HereDoc") {
        const { body } = one;
        input = {
          kind: "text",
          text:
            body.parts === undefined
              ? body.text
              : markedText(
                  { type: "Word", text: body.text, value: body.text, pos: body.pos, end: body.end, parts: body.parts },
                  knownOnly,
                ),
        };
      } else if (one.operator === "<" || one.operator === "<>") {
        const isStream = one.target?.parts?.some(({ type }) => type === "ProcessSubstitution") === true;
        input = isStream ? { kind: "pipe", from: [undefined] } : OWN_INPUT;
      }
    }
    return input;
  }

  const knownOnly: Lookup = () => undefined;

  function plainWords(node: CommandNode): readonly string[] | undefined {
    if (node.type !== "Command" || node.name === undefined) return undefined;
    const words: string[] = [];
    for (const one of [node.name, ...node.args])
      words.push(...(one.type === "Word" ? markedWords(one, knownOnly) : [`${one.name}=`]));
    return words;
  }

  // A text for another shell can assign a value to a variable that was judged before; all is then judged again from
  // the start.
  for (let round = 0, seen = -1; finding === undefined && seen !== variables.version(); round++) {
    if (round > 3) refuse("limit", text, "its variables depend on each other in too many ways", "write the values out");
    seen = round === 0 ? 0 : variables.version();
    where = { folders: [options.folder] };
    inside(text, { folders: where.folders, input: OWN_INPUT, depth: 0, repeated: false });
  }
  for (const [file, from] of executed) {
    if (downloaded.has(file))
      refuse(
        "pipe into a shell",
        from,
        `it runs ${JSON.stringify(file)}, which it downloads`,
        "download first, and let the owner look at the file",
      );
  }
  return { finding, commands: [...commands] };
}

function asWritten({ text, source }: Argument): string {
  if (text.includes(UNKNOWN) || /\$\(|`/u.test(source)) return shorten(source);
  return /^[\w@%+=:,./~-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
