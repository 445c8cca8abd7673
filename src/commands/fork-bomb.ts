import type { SyntaxNode } from "unbash";
import type { ShellParser } from "../libraries.ts";

type ForEachChild = ShellParser["forEachChild"];

/**
 * Finds functions that start copies of themselves faster than they end, in a pipeline or in the background, directly
 * or through each other; also endless loops that start background jobs.
 */
export function findForkBomb(script: SyntaxNode, forEachChild: ForEachChild): SyntaxNode | undefined {
  const bodies = new Map<string, SyntaxNode>();
  let loop: SyntaxNode | undefined;
  walk(forEachChild, script, (node) => {
    if (node.type === "Function") bodies.set(node.name.value, node);
    if (node.type === "While" || node.type === "ArithmeticFor") {
      const condition = node.type === "While" ? node.clause : undefined;
      const isEndless =
        node.type === "ArithmeticFor"
          ? node.test === undefined
          : condition?.commands.length === 1 && isConstant(condition, forEachChild);
      if (isEndless && startsJobs(node.body, forEachChild)) loop ??= node;
    }
  });
  if (loop !== undefined) return loop;

  const calls = new Map<string, Set<string>>();
  const copies: (readonly [string, string, SyntaxNode])[] = [];
  for (const [name, body] of bodies) {
    const called = new Set<string>();
    calls.set(name, called);
    walk(forEachChild, body, (node) => {
      for (const one of calledBy(node)) if (bodies.has(one)) called.add(one);
      if (
        (node.type === "Pipeline" && node.commands.length > 1) ||
        (node.type === "Statement" && node.background === true) ||
        node.type === "Coproc" ||
        node.type === "CommandExpansion" ||
        node.type === "ProcessSubstitution"
      ) {
        walk(forEachChild, node, (inner) => {
          for (const one of calledBy(inner)) if (bodies.has(one)) copies.push([name, one, body]);
        });
      }
    });
  }
  return copies.slice(0, 256).find(([from, to]) => reaches(calls, to, from))?.[2];
}

function calledBy(node: SyntaxNode): readonly string[] {
  return node.type === "Command" && node.name !== undefined ? [node.name.value] : [];
}

function reaches(calls: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === to) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(calls.get(next) ?? []));
  }
  return false;
}

function isConstant(condition: SyntaxNode, forEachChild: ForEachChild): boolean {
  let found = false;
  walk(forEachChild, condition, (node) => {
    if (node.type === "Command" && /^(?:true|:|\/bin\/true)$/u.test(node.name?.value ?? "")) found = true;
    if (node.type === "Command" && node.name?.value.startsWith("[") === true && node.suffix.length === 2) found = true;
    if (node.type === "ArithmeticCommand" && /^\s*[1-9]\d*\s*$/u.test(node.body)) found = true;
  });
  return found;
}

function startsJobs(body: SyntaxNode, forEachChild: ForEachChild): boolean {
  let starts = false;
  let waits = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Statement" && node.background === true) {
      starts = true; // a command in the background does not block
      return;
    }
    if (node.type === "Command" && /^(?:wait|sleep|break|read|exit|return)$/u.test(node.name?.value ?? ""))
      waits = true;
    forEachChild(node, visit);
  };
  visit(body);
  return starts && !waits;
}

function walk(forEachChild: ForEachChild, node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  const open: SyntaxNode[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next);
    forEachChild(next, (child) => void open.push(child));
  }
}
