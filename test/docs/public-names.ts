import { readFile } from "node:fs/promises";
import ts from "typescript-6";

// Finds what the published entry points export, by the parser alone: relative re-exports are followed to the declaration, types are not computed.

const root = new URL("../../", import.meta.url);

/** An exported name, or a member of one, without a docstring. */
export interface Undocumented {
  /** `src/clock.ts:12`, from the root of the repository. */
  readonly place: string;
  /** `Clock`, or `Clock.now` for a member. */
  readonly name: string;
}

/** The source of each entry point that `package.json` and `deno.json` publish. */
export async function publishedSources(): Promise<string[]> {
  const { exports: npm } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { exports: object };
  const { exports: jsr } = JSON.parse(await readFile(new URL("deno.json", root), "utf8")) as { exports: object };
  const built = leaves(npm).filter((path) => path.endsWith(".js"));
  const sources = built.map((path) => path.replace("./dist/", "").replace(/\.js$/, ".ts"));
  return [...new Set([...sources, ...leaves(jsr).map((path) => path.replace("./", ""))])];
}

/**
 * How many declarations the given files export under some name, and which of them and of their members lack a docstring.
 *
 * @param read Gives the text of a source file. Default: the file in the repository.
 */
export async function docstringsOf(
  files: readonly string[],
  read: (file: string) => Promise<string> = (file) => readFile(new URL(file, root), "utf8"),
): Promise<{ readonly names: number; readonly missing: readonly Undocumented[] }> {
  const sources = new Map<string, Promise<ts.SourceFile>>();
  const open = (file: string) => {
    const parsed =
      sources.get(file) ?? read(file).then((text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    sources.set(file, parsed);
    return parsed;
  };
  const found = new Set<ts.Node>();
  for (const file of files) for (const node of await exportsOf(file, undefined, open)) found.add(node);
  const missing = [...found].flatMap(undocumentedIn);
  return { names: found.size, missing };
}

type Open = (file: string) => Promise<ts.SourceFile>;

/** The declarations that a file exports: of one name, or of every name when none is given. */
async function exportsOf(file: string, wanted: string | undefined, open: Open): Promise<ts.Node[]> {
  const source = await open(file);
  const found: ts.Node[] = [];
  for (const statement of source.statements) {
    if (isExported(statement)) {
      const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
      for (const node of declarationsIn(statement)) {
        if (wanted === undefined || (isDefault ? wanted === "default" : nameOf(node) === wanted)) found.push(node);
      }
    }
    if (!ts.isExportDeclaration(statement)) continue;
    const from = targetOf(statement, file);
    const named = statement.exportClause;
    if (named === undefined) {
      if (from !== undefined) found.push(...(await exportsOf(from, wanted, open)));
    } else if (ts.isNamedExports(named)) {
      for (const { name, propertyName } of named.elements) {
        if (wanted !== undefined && name.text !== wanted) continue;
        const local = (propertyName ?? name).text;
        if (from !== undefined) found.push(...(await exportsOf(from, local, open)));
        else if (statement.moduleSpecifier === undefined) found.push(...(await localNamed(source, local, open)));
      }
    }
  }
  // A name of the file's own hides the same name of an `export *`.
  const own = found.filter((node) => node.getSourceFile() === source);
  return wanted !== undefined && own.length > 0 ? own : found;
}

/** What `export { name }` stands for: a declaration of the file, or what it imports under that name. */
async function localNamed(source: ts.SourceFile, name: string, open: Open): Promise<ts.Node[]> {
  for (const statement of source.statements) {
    const declared = declarationsIn(statement).filter((node) => nameOf(node) === name);
    if (declared.length > 0) return declared;
    if (!ts.isImportDeclaration(statement)) continue;
    const from = targetOf(statement, source.fileName);
    const bindings = statement.importClause?.namedBindings;
    if (from === undefined || bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const imported = bindings.elements.find((element) => element.name.text === name);
    if (imported) return exportsOf(from, (imported.propertyName ?? imported.name).text, open);
  }
  return [];
}

/** The file that a relative import or export names, from the root of the repository. Of a package: nothing. */
function targetOf(statement: ts.ImportDeclaration | ts.ExportDeclaration, file: string): string | undefined {
  const specifier = statement.moduleSpecifier;
  if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return new URL(specifier.text, new URL(file, root)).href.slice(root.href.length);
}

function declarationsIn(statement: ts.Statement): ts.Node[] {
  if (ts.isVariableStatement(statement)) return [...statement.declarationList.declarations];
  const isDeclaration =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isDeclaration ? [statement] : [];
}

function undocumentedIn(node: ts.Node): Undocumented[] {
  const name = nameOf(node) ?? "default";
  const own = isDocumented(node) || overloads(node).some(isDocumented) ? [] : [{ place: placeOf(node), name }];
  return [...own, ...undocumentedMembers(membersOf(node), name)];
}

function undocumentedMembers(members: readonly ts.Node[], owner: string): Undocumented[] {
  return members.flatMap((member) => {
    const name = `${owner}.${nameOf(member)}`;
    const sameName = members.filter((one) => nameOf(one) === nameOf(member));
    const own = sameName.some(isDocumented) ? [] : [{ place: placeOf(member), name }];
    const inner = ts.isPropertySignature(member) && member.type ? spreadMembers(member.type) : [];
    return [...own, ...undocumentedMembers(inner, name)];
  });
}

/** The properties and methods that a caller sees. What is `override` has the sentence of what it overrides. */
function membersOf(node: ts.Node): ts.Node[] {
  if (ts.isInterfaceDeclaration(node)) return node.members.filter(isNamed);
  if (ts.isTypeAliasDeclaration(node)) return literalMembers(node.type);
  if (!ts.isClassDeclaration(node)) return [];
  return node.members.filter(
    (member) =>
      member.name !== undefined &&
      !ts.isPrivateIdentifier(member.name) &&
      !hasModifier(member, ts.SyntaxKind.PrivateKeyword) &&
      !hasModifier(member, ts.SyntaxKind.OverrideKeyword),
  );
}

/** Of an object type inside a member, when it stands on several lines. One on a single line is told by the member's sentence. */
function spreadMembers(type: ts.TypeNode): ts.Node[] {
  return type.getText().includes("\n") ? literalMembers(type) : [];
}

/** Of an object type, and of the object types that an intersection holds. The cases of a union need no sentences of their own. */
function literalMembers(type: ts.TypeNode): ts.Node[] {
  if (ts.isTypeLiteralNode(type)) return type.members.filter(isNamed);
  return ts.isIntersectionTypeNode(type) ? type.types.flatMap(literalMembers) : [];
}

/** A property or method: index and call signatures have no name, the sentence of their type is about them. */
function isNamed(member: ts.TypeElement): boolean {
  return member.name !== undefined;
}

/** The other signatures of an overloaded function. */
function overloads(node: ts.Node): ts.Node[] {
  if (!ts.isFunctionDeclaration(node)) return [];
  return node.getSourceFile().statements.filter((one) => ts.isFunctionDeclaration(one) && nameOf(one) === nameOf(node));
}

/** Says what it is, or what it returns: when it throws and what it takes is not enough. A comment of a module that stands before its first declaration is not the declaration's. */
function isDocumented(node: ts.Node): boolean {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const last = ts.getJSDocCommentsAndTags(holder).filter(ts.isJSDoc).at(-1);
  if (last === undefined || last.tags?.some((tag) => tag.tagName.text === "module")) return false;
  return isSaid(last.comment) || (last.tags ?? []).some((tag) => ts.isJSDocReturnTag(tag) && isSaid(tag.comment));
}

function isSaid(comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): boolean {
  return (ts.getTextOfJSDocComment(comment) ?? "").trim() !== "";
}

function nameOf(node: ts.Node): string | undefined {
  const { name } = node as ts.NamedDeclaration;
  return name?.getText();
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function isExported(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

function leaves(tree: unknown): string[] {
  if (typeof tree === "string") return [tree];
  return typeof tree === "object" && tree !== null ? Object.values(tree).flatMap(leaves) : [];
}
