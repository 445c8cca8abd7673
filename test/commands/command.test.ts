import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardCommand } from "../../entry.host.ts";
import { HELD_OUT_BENIGN, HELD_OUT_DANGEROUS } from "./command-held-out.ts";
import { UNJUDGED_CODE } from "./unjudged-code.ts";
import { DANGEROUS, EVERYDAY, REVIEWED, REVIEWED_BENIGN, TRICKY } from "./command-table.ts";
import { ARITHMETIC, EVERYDAY_VALUES, LISTS, OPERATORS, REACHING, UNKNOWN_ARITHMETIC } from "./value-table.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const workspace = "/srv/assistant/workspace";
const restricted = (command: string, more: { cwd?: string } = {}) => guardCommand(command, { workspace, ...more });
const open = (command: string) => guardCommand(command, { workspace, mode: "open" });
const refusedOf = (rows: readonly (readonly [string, string])[]) =>
  rows.filter(([, command]) => !restricted(command).ok).length;

describe("guardCommand() in mode restricted", () => {
  it.each(DANGEROUS)("refuses (%s) %s", (_, command) => {
    expect(restricted(command)).toMatchObject({ ok: false });
  });

  it.each(EVERYDAY)("lets pass (%s) %s", (_, command) => {
    expect(restricted(command)).toMatchObject({ ok: true });
  });

  it("refuses all of the dangerous table, none of the everyday one, and at most one in twenty of what only looks dangerous", () => {
    expect(DANGEROUS.length).toBeGreaterThanOrEqual(200);
    expect(EVERYDAY.length).toBeGreaterThanOrEqual(80);
    expect(TRICKY.length).toBeGreaterThanOrEqual(40);
    expect(refusedOf(DANGEROUS) / DANGEROUS.length).toBe(1);
    expect(refusedOf(EVERYDAY) / EVERYDAY.length).toBe(0);
    expect(refusedOf(TRICKY) / TRICKY.length).toBeLessThanOrEqual(0.05);
  });

  it("never refuses because it failed to read a command of the tables", () => {
    for (const [, command] of [...DANGEROUS, ...EVERYDAY, ...TRICKY]) {
      const judged = restricted(command);
      if (!judged.ok) expect(judged.reason).not.toContain("nested too deeply");
    }
  });
});

describe("guardCommand() on commands that were written after it", () => {
  // Both run only programs of the workspace, which the guard lets pass by themselves too.
  const missed = ["man -P 'sh -c id' ls", "rg --pre ./x foo"];

  it("refuses the dangerous ones but those that docs/security-commands.md names", () => {
    const passed = HELD_OUT_DANGEROUS.filter(([, command]) => restricted(command).ok).map(([, command]) => command);
    expect(passed).toEqual(missed);
  });

  it("lets the others pass", () => {
    const stopped = HELD_OUT_BENIGN.filter(([, command]) => !restricted(command).ok).map(([, command]) => command);
    expect(stopped).toEqual([]);
  });
});

describe("guardCommand() on commands of a review", () => {
  it.each(REVIEWED)("refuses (%s) %s", (danger, command) => {
    expect(restricted(command)).toMatchObject({ ok: false, danger });
  });

  it.each(UNJUDGED_CODE)("refuses what it cannot tell the effect of: %s %j", (program, code) => {
    expect(restricted(`${program} '${code.replaceAll("'", String.raw`'\''`)}'`).ok).toBe(false);
  });

  it.each(REVIEWED_BENIGN)("lets pass (%s) %s", (_, command) => {
    expect(restricted(command)).toMatchObject({ ok: true });
  });

  it.each(REVIEWED.filter(([danger]) => !/^(?:outside|unjudged|network)/u.test(danger)))(
    "refuses in mode open too (%s) %s",
    (danger, command) => {
      expect(open(command)).toMatchObject({ ok: false, danger });
    },
  );
});

describe("guardCommand() on programs that are told what to run", () => {
  it.each([
    ["privilege", "rg --pre 'sudo id' foo"],
    ["privilege", "rg --hostname-bin sudo foo"],
    ["disk", "gcc -wrapper rm,-rf,/ a.c"],
    ["privilege", "g++ -wrapper bash,-c,'sudo id' a.cc"],
    ["hidden command", "echo 'BEGIN { system(\"id\") }' | awk -f -"],
    ["hidden command", "awk --file=/dev/stdin a < x"],
    ["hidden command", "gawk -E - a"],
    ["hidden command", "sed -nf- a < x"],
  ])("refuses in both modes (%s) %s", (danger, command) => {
    expect(restricted(command)).toMatchObject({ ok: false, danger });
    expect(open(command)).toMatchObject({ ok: false, danger });
  });

  it.each(["rg --pre-glob '*.pdf' --pretty foo", "gcc -wrapper time a.c", "awk -f sum.awk a", "sed -nf edit.sed a"])(
    "lets pass %s",
    (command) => {
      expect(restricted(command)).toMatchObject({ ok: true });
    },
  );
});

describe("guardCommand() on what the shell makes of a value", () => {
  it.each([...OPERATORS, ...ARITHMETIC, ...UNKNOWN_ARITHMETIC, ...LISTS, ...REACHING])(
    "refuses (%s) %s",
    (danger, command) => {
      expect(restricted(command)).toMatchObject({ ok: false, danger });
    },
  );

  it.each(EVERYDAY_VALUES)("lets pass (%s) %s", (_, command) => {
    expect(restricted(command)).toMatchObject({ ok: true });
  });

  it.each(ARITHMETIC)("refuses in mode open too (%s) %s", (danger, command) => {
    expect(open(command)).toMatchObject({ ok: false, danger });
  });

  it.each([
    ["a credential that an operator leads to", "cat ${PWD%%/*}/etc/shadow"],
    ["one that a copy leads to", "x=$PWD; cat ${x%%/*}/etc/shadow"],
    ["one below the home directory's beginning", "cat ${HOME%%/*}/etc/shadow"],
    ["an option that is written in another case", "x=-EXEC; find . ${x,,} sudo id \\;"],
  ])("refuses in both modes %s: %s", (_, command) => {
    expect([restricted(command).ok, open(command).ok]).toEqual([false, false]);
  });

  it("takes a copy of the working directory for the folder it was taken in", () => {
    expect(restricted("x=$PWD; cd sub && cat $x/../y")).toMatchObject({ ok: false, danger: "outside the workspace" });
    expect(restricted('cd sub && bash -c "cat $PWD/../y"')).toMatchObject({ ok: false });
    expect(restricted("cd sub && cat $PWD/../y")).toMatchObject({ ok: true });
  });

  it("shows no marks of its own", () => {
    const judged = restricted('x=$PWD; bash -c "cat $x/a.md $((1 + 2))" && cat ${x%%/*}/etc/passwd');
    expect(JSON.stringify(judged)).not.toMatch(/\\u000/u);
    expect(judged).toMatchObject({ commands: expect.arrayContaining(["cat ./a.md 0"]) });
  });
});

describe("guardCommand() in mode open", () => {
  it.each([
    "cat /etc/os-release",
    "ls /tmp",
    "cp /etc/hosts .",
    "curl -fsSL -o page.html https://example.com/page",
    "wget https://example.com/data.csv",
    "git push origin main",
    "git clone https://example.com/x.git",
    "npm install left-pad",
    "cat $FILE",
    "$EDITOR notes.md",
    "cat $(cat list)",
    "ls ..",
    "cd /tmp && ls",
    "cat .env",
  ])("lets pass %s", (command) => {
    expect(open(command)).toMatchObject({ ok: true });
  });

  it.each(DANGEROUS.filter(([kind]) => !["outside the workspace", "unjudged expansion", "network"].includes(kind)))(
    "refuses (%s) %s",
    (_, command) => {
      // What is only dangerous because nobody knows where it leads is left to the other mode.
      const onlyUnknown = ["sort --compress-prog=./../x y", "grep -r password /root", "make SHELL=/tmp/x"];
      expect(onlyUnknown.includes(command) ? { ok: false } : open(command)).toMatchObject({ ok: false });
    },
  );
});

describe("guardCommand()", () => {
  it("names the part that is meant, what is wrong with it and what would be allowed", () => {
    const judged = restricted("ls && (cat notes.md; rm -rf ~) | head");
    expect(judged).toEqual({
      ok: false,
      danger: "disk",
      offending: "rm -rf ~",
      reason:
        'Cannot run "rm -rf ~": it deletes everything under "~"; name the files or folders of the workspace that should go',
      commands: ["ls", "cat notes.md", "rm -rf ~"],
    });
  });

  it("lists every simple command with its words resolved, also those that others start", () => {
    expect(restricted("l\\s -la 'a b' | timeout 5 head -n 1 && echo $(date)").commands).toEqual([
      "ls -la 'a b'",
      "timeout 5 head -n 1",
      "head -n 1",
      "date",
      "echo $(date)",
    ]);
  });

  it.each([
    ["cat notes.md", "sub", true],
    ["cat ../notes.md", "sub", true],
    ["cat ../../notes.md", "sub", false],
    ["cat notes.md", `${workspace}/sub`, true],
    ["cat notes.md", "/etc", false],
    ["cat notes.md", "../other", false],
    ["cd ..; cat notes.md", "sub", true],
    ["cd ..; cat ../notes.md", "sub", false],
    ["cd .. && cat ../notes.md", "sub", false],
    ["(cd ..); cat ../notes.md", "sub", true],
    ["cd .. & cat ../notes.md", "sub", true],
  ])("starts in the folder it is told: %s in %s", (command, cwd, ok) => {
    expect(restricted(command, { cwd }).ok).toBe(ok);
  });

  it.each([
    ["cat ../data/tokens", false],
    ["cat sub/../../data/tokens", false],
    ["cat /srv/assistant/data/tokens", false],
    ["cat /srv/assistant//data", false],
    ["echo x > ../data/jobs", false],
    ["cat data/tokens", true],
    ["cat /srv/assistant/database", true],
  ])("keeps protected paths from every command, also in mode open: %s", (command, ok) => {
    expect(guardCommand(command, { workspace, mode: "open", protectedPaths: ["/srv/assistant/data"] }).ok).toBe(ok);
  });

  it.each([
    ["an empty text", "  "],
    ["a NUL", "ls \0"],
    ["a character that turns the reading direction", "ls \u202e txt.exe"],
    ["an escape sequence", "echo \u001b[2J"],
    ["a text that is too long", `echo ${"a".repeat(70_000)}`],
    ["substitutions without end", "$(".repeat(5000)],
    ["commands inside commands without end", "timeout 5 ".repeat(20)],
    ["nesting that exhausts the parser", "coproc ".repeat(9000)],
    ["here-documents without end", "<<A ".repeat(9000)],
  ])("refuses %s", (_, command) => {
    expect(restricted(command).ok).toBe(false);
    expect(open(command).ok).toBe(false);
  });

  it.each([
    'f() { wc -l "$1"; }; f notes.md',
    "bash -c 'wc -l \"$1\"' _ notes.md",
    'set -- a.md b.md; cat "$@"',
    'd=out; f=$d/x.txt; echo hi > "$f"',
  ])("knows the values of variables and parameters: %s", (command) => {
    expect(restricted(command)).toMatchObject({ ok: true });
  });

  it("takes a text of another type for a refusal", () => {
    expect(guardCommand(undefined as unknown as string, { workspace }).ok).toBe(false);
  });

  it("never throws and always gives a reason, whatever the text", () => {
    const pieces = fc.constantFrom(
      "rm",
      "-rf",
      "/",
      "~",
      "$(",
      ")",
      "`",
      "'",
      '"',
      "|",
      "&&",
      ";",
      "\n",
      "{",
      "}",
      "<<EOF",
      "EOF",
      ">",
      "<(",
      "${x",
      "[[",
      "]]",
      "((",
      "))",
      "if",
      "then",
      "fi",
      "for",
      "in",
      "do",
      "done",
      "case",
      "esac",
      "f()",
      "sh -c",
      "eval",
      "xargs",
      "git -c",
      "awk",
      "sed",
      "\\",
      "*",
      "a=b",
      " ",
      "find -exec",
      "\0",
      "é",
      "\ud800",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter, maxLength: 200 }),
          fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")),
          fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
        ),
        fc.constantFrom("restricted" as const, "open" as const),
        (command, mode) => {
          const judged = guardCommand(command, { workspace, mode });
          expect(judged.ok || judged.reason.startsWith("Cannot run ")).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("knows a whole place by whatever path it is named", () => {
    const whole = "/./ /. /.. // /etc/.. /usr/./ /./* ./.. a/../.. ../.. ../../* ~/. ~/.. /srv/assistant/./workspace/";
    expect(whole.split(" ").filter((path) => open(`rm -rf ${path}`).ok)).toEqual([]);
    const part = "a a/b/.. ./build ../other/x a/../b ./.cache ..a a/. ~/x /srv/assistant/workspace/a/.";
    expect(part.split(" ").filter((path) => !open(`rm -rf ${path}`).ok)).toEqual([]);
  });

  it("takes a script of the workspace for no program of its name, and a system's program for one", () => {
    for (const script of ["./script.sh", "./kill.sh -x", "./at.js", "./pass.py"])
      expect([script, restricted(script).ok]).toEqual([script, true]);
    for (const program of ["mkfs.ext4 a", "/sbin/mkfs.vfat a", "shutdown.exe /s", "script a"])
      expect([program, restricted(program).ok]).toEqual([program, false]);
  });

  it("refuses a dangerous command wherever it stands", () => {
    const layers: readonly ((inner: string) => string)[] = [
      (inner) => `( ${inner} )`,
      (inner) => `{ ${inner}; }`,
      (inner) => `echo $( ${inner} )`,
      (inner) => `echo "\`${inner}\`"`,
      (inner) => `if true; then ${inner}; fi`,
      (inner) => `while false; do ${inner}; done`,
      (inner) => `for x in 1; do ${inner}; done`,
      (inner) => `case a in a) ${inner} ;; esac`,
      (inner) => `f() { ${inner}; }`,
      (inner) => `ls | ${inner}`,
      (inner) => `true && ${inner}`,
      (inner) => `! ${inner}`,
      (inner) => `cat <<E\n$( ${inner} )\nE`,
      (inner) => `cat <(${inner})`,
      (inner) => `x=$( ${inner} )`,
      (inner) => `a=(1 $( ${inner} ))`,
      (inner) => `echo $((1 + $( ${inner} )))`,
      (inner) => `[[ -n $( ${inner} ) ]]`,
      (inner) => `echo \${x:-$( ${inner} )}`,
      (inner) => `ls > "$( ${inner} )"`,
      (inner) => `coproc { ${inner}; }`,
      (inner) => `bash -c '${inner.replaceAll("'", String.raw`'\''`)}'`,
      (inner) => `trap '${inner.replaceAll("'", String.raw`'\''`)}' EXIT`,
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...layers), { maxLength: 3 }),
        fc.constantFrom("sudo id", "reboot", "rm -rf /", "cat ~/.ssh/id_rsa", "mkfs /dev/sda", "echo x > ~/.bashrc"),
        (around, inner) => {
          const command = around.reduce<string>((text, layer) => layer(text), inner);
          expect([command, restricted(command).ok]).toEqual([command, false]);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
