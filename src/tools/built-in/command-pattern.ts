/**
 * Matches commands against a pattern of the owner: `git log *` matches `git log` and everything that begins with `git
 * log `; `git status` matches only itself.
 * Source: docs/approvals.md, "Patterns".
 */

const LONGEST = 200;

/** @returns What is wrong with a pattern. */
export function checkCommandPattern(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (pattern.trim() !== pattern || pattern === "") return "it is empty, or begins or ends with a space";
  if (/[^\x20-\x7e]/.test(pattern)) return "it contains a character that a command would not show";
  if (/[;&|<>$`(){}\\'"!=\n]/.test(pattern)) return "a pattern may contain only words, and * at the end";
  const words = pattern.split(" ");
  if (words.some((word, index) => word.includes("*") && !(word === "*" && index === words.length - 1)))
    return "* must be a word of its own at the end";
  return words[0] === "*" ? "it must name a program" : undefined;
}

/**
 * Syntax that the shell would replace, redirect, group or assign. It is not judged here, so such a command fits no
 * pattern.
 */
const NOT_PLAIN = /[<>$`(){}\\\n\r]|(?:^|[\s;&|!])[A-Za-z_]\w*\+?=/;

/**
 * Whether every simple command in a command fits a pattern.
 * @param commands The simple commands that a shell parser found, with their words resolved; `null` if it refused the
 * command.
 */
export function fitsCommandPattern(command: string, commands: readonly string[] | null, pattern: string): boolean {
  if (commands === null || commands.length === 0 || NOT_PLAIN.test(command)) return false;
  if (checkCommandPattern(pattern) !== undefined) return false;
  const isPrefix = pattern.endsWith(" *");
  const words = isPrefix ? pattern.slice(0, -2) : pattern;
  return commands.every((one) => one === words || (isPrefix && one.startsWith(`${words} `)));
}
