import { describe, expect, it } from "vitest";
import { guardCommand } from "../../entry.host.ts";
import { checkCommandPattern, fitsCommandPattern } from "../../src/tools/built-in/command-pattern.ts";

function fits(command: string, pattern: string): boolean {
  const verdict = guardCommand(command, { workspace: "/ws", mode: "open" });
  return fitsCommandPattern(command, verdict.ok ? verdict.commands : null, pattern);
}

describe("a pattern for commands", () => {
  it.each([
    ["git log", "git log *"],
    ["git log -3 --stat", "git log *"],
    ["git log --format=%h", "git log *"],
    ["git  log   -1", "git log *"],
    ["git log && git log -1", "git log *"],
    ["git log -1 | git log", "git log *"],
    ["git status", "git status"],
    ["git log 'a b'", "git log *"],
  ])("lets %j pass by %j", (command, pattern) => {
    expect(fits(command, pattern)).toBe(true);
  });

  it.each([
    ["git logs", "git log *"],
    ["git push", "git log *"],
    ["git status -s", "git status"],
    ["git log; rm -r x", "git log *"],
    ["git log && ls", "git log *"],
    ["git log | sh", "git log *"],
    ["git log > out.txt", "git log *"],
    ["git log $(id)", "git log *"],
    ["git log `id`", "git log *"],
    ["git log $X", "git log *"],
    ["PAGER=x git log", "git log *"],
    ["git log; x=1", "git log *"],
    ["(git log)", "git log *"],
    ["git log\nls", "git log *"],
    ["g\\it log", "git log *"],
    ["env git log", "git log *"],
    ["git log <(id)", "git log *"],
    ['git log "', "git log *"],
    ["", "git log *"],
    ["git log", "*"],
    ["git log", "git*"],
    ["git log", "git * log"],
  ])("does not let %j pass by %j", (command, pattern) => {
    expect(fits(command, pattern)).toBe(false);
  });

  it.each(["", " ", "*", "git*", "git * log", "git log;", "git log > x", "a=b", "gït", "x".repeat(201), " git log"])(
    "says what is wrong with %j",
    (pattern) => {
      expect(checkCommandPattern(pattern)).toEqual(expect.any(String));
    },
  );

  it.each(["git log *", "ls", "npm run build"])("takes %j", (pattern) => {
    expect(checkCommandPattern(pattern)).toBeUndefined();
  });
});
