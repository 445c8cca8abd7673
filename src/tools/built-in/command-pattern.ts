/**
 * What a pattern of the owner is compared with: `git log *` lets `git log` and everything that begins with `git log ` pass, `git status` only itself.
 * Source: docs/approvals.md, "Patterns".
 */

const LONGEST = 200;

/** @returns What is wrong with a pattern. */
export function checkCommandPattern(pattern: string): string | undefined {
  if (pattern.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (pattern.trim() !== pattern || pattern === "") return "it is empty or begins or ends with a blank";
  if (/[^\x20-\x7e]/.test(pattern)) return "it holds a character that a command would not show";
  if (/[;&|<>$`(){}\\'"!=\n]/.test(pattern)) return "only words stand in a pattern, and * at the end";
  const words = pattern.split(" ");
  if (words.some((word, index) => word.includes("*") && !(word === "*" && index === words.length - 1)))
    return "* stands alone and at the end";
  return words[0] === "*" ? "it has to name a program" : undefined;
}

/** What the shell would replace, redirect, group or assign: none of it is judged here, so such a command fits no pattern. */
const NOT_PLAIN = /[<>$`(){}\\\n\r]|(?:^|[\s;&|!])[A-Za-z_]\w*\+?=/;

/**
 * Does a command fit? Every simple command in it has to.
 * @param commands The simple commands as a parser of shell found them, their words resolved; `null` when it refused the command.
 */
export function fitsCommandPattern(command: string, commands: readonly string[] | null, pattern: string): boolean {
  if (commands === null || commands.length === 0 || NOT_PLAIN.test(command)) return false;
  if (checkCommandPattern(pattern) !== undefined) return false;
  const isPrefix = pattern.endsWith(" *");
  const words = isPrefix ? pattern.slice(0, -2) : pattern;
  return commands.every((one) => one === words || (isPrefix && one.startsWith(`${words} `)));
}
