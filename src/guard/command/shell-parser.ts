import { shellParser } from "#shell-parser";
import type { SyntaxNode, parse as parseShell } from "unbash";

/** The script's tree; mistakes are in it. Loads the parser with the first call. */
export function parse(script: string): ReturnType<typeof parseShell> {
  return shellParser().parse(script);
}

/** The one way to see all children: their fields are made when they are read. */
export function forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  shellParser().forEachChild(node, visit);
}
