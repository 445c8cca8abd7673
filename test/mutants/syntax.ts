import ts from "typescript-6";

// Reads sources as tokens and named declarations. TypeScript 6 is the last release whose parser is a library.

/** One token. `text` is what is compared: a string stands with its value in double quotes, whatever quotes the source has. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A function, method, class or type, a constant of the module, or an import. */
export interface Declaration {
  /** The names from the outermost declaration to this one, as in `createInbox.accept`. An import has the name of its module. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface Source {
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly declarations: readonly Declaration[];
}

export function parseSource(file: string, text: string): Source {
  const root = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const tokens: Token[] = [];
  const declarations: Declaration[] = [];
  collectTokens(root, root, tokens);
  collectDeclarations(root, "", declarations);
  return { file, text, tokens, declarations };
}

/** The tokens of a text that need not be complete, such as `if (depth > 3) return`. */
export function tokenize(text: string): Token[] {
  const { SyntaxKind } = ts;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const tokens: Token[] = [];
  /** One member for each open brace, the innermost last: true for `${`. */
  const braces: boolean[] = [];
  let last = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === SyntaxKind.CloseBraceToken && braces.pop() === true) kind = scanner.reScanTemplateToken(false);
    if (isSlash(kind) && !endsOperand(last)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false);
    if (kind === SyntaxKind.TemplateHead || kind === SyntaxKind.TemplateMiddle) braces.push(true);
    tokens.push({
      text: kind === SyntaxKind.StringLiteral ? JSON.stringify(scanner.getTokenValue()) : scanner.getTokenText(),
      start: scanner.getTokenStart(),
      end: scanner.getTokenEnd(),
    });
    last = kind;
  }
  return tokens;
}

export function isWellFormed(file: string, text: string): boolean {
  return ts.transpileModule(text, { fileName: file, reportDiagnostics: true }).diagnostics?.length === 0;
}

function collectTokens(node: ts.Node, root: ts.SourceFile, tokens: Token[]): void {
  if (ts.isJSDoc(node)) return;
  const children = node.getChildren(root);
  for (const child of children) collectTokens(child, root, tokens);
  const [start, end] = [node.getStart(root), node.end];
  if (children.length > 0 || start === end) return;
  const text = root.text.slice(start, end);
  if (ts.isStringLiteral(node)) tokens.push({ text: JSON.stringify(node.text), start, end });
  else if (!text.startsWith(">")) tokens.push({ text, start, end });
  // Only a parser knows whether `>>` shifts or closes two lists of types. `tokenize` gives single characters, so this does too.
  else for (let at = start; at < end; at++) tokens.push({ text: root.text[at]!, start: at, end: at + 1 });
}

function collectDeclarations(node: ts.Node, outer: string, found: Declaration[]): void {
  const name = nameOf(node, outer === "");
  const path = name === undefined ? outer : joined(outer, name);
  if (name !== undefined && !isGroup(node)) {
    const whole = statementOf(node);
    found.push({ path, start: whole.getStart(), end: whole.end });
  }
  node.forEachChild((child) => collectDeclarations(child, path, found));
}

function nameOf(node: ts.Node, isOutermost: boolean): string | undefined {
  if (ts.isImportDeclaration(node)) return (node.moduleSpecifier as ts.StringLiteral).text;
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (ts.isVariableDeclaration(node)) return isOutermost || isFunction(node) ? node.name.getText() : undefined;
  if (ts.isPropertyAssignment(node)) return isGroup(node) || isFunction(node) ? node.name.getText() : undefined;
  if (ts.isPropertyDeclaration(node)) return isFunction(node) ? node.name.getText() : undefined;
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node);
  return isNamed ? node.name?.getText() : undefined;
}

/** Of `const run = …` the whole statement, unless it declares more than one. */
function statementOf(node: ts.Node): ts.Node {
  const list = ts.isVariableDeclaration(node) ? node.parent : undefined;
  return list && ts.isVariableDeclarationList(list) && list.declarations.length === 1 ? list.parent : node;
}

/** `folders: { remove() {} }`: part of the path to what it holds, but no place of its own. */
function isGroup(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer);
}

function isFunction({ initializer }: { readonly initializer?: ts.Expression | undefined }): boolean {
  return initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
}

function joined(outer: string, name: string): string {
  return outer === "" ? name : `${outer}.${name}`;
}

function isSlash(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken;
}

/** A slash after an operand divides. Anywhere else it begins a regular expression. */
function endsOperand(kind: ts.SyntaxKind): boolean {
  const { CloseParenToken, CloseBracketToken, CloseBraceToken, Identifier, ThisKeyword, TemplateTail } = ts.SyntaxKind;
  if (kind >= ts.SyntaxKind.FirstLiteralToken && kind <= ts.SyntaxKind.LastLiteralToken) return true;
  return [CloseParenToken, CloseBracketToken, CloseBraceToken, Identifier, ThisKeyword, TemplateTail].includes(kind);
}
