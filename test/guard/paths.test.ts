import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardPath } from "../../src/guard/paths.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const root = "/srv/assistant/workspace";
const long = (length: number) => "a".repeat(length);

describe("guardPath() accepts", () => {
  it.each([
    ["notes.md", "notes.md"],
    ["notes/today.md", "notes/today.md"],
    ["./notes.md", "notes.md"],
    ["././notes//today.md", "notes/today.md"],
    ["notes/./today.md", "notes/today.md"],
    ["notes/", "notes"],
    ["notes///", "notes"],
    [".", "."],
    ["./", "."],
    ["./.", "."],
    ["a/..", "."],
    ["a/../b.txt", "b.txt"],
    ["a/b/../../c.txt", "c.txt"],
    ["a/b/../c/./d", "a/c/d"],
    [root, "."],
    [`${root}/`, "."],
    [`${root}/a/b.txt`, "a/b.txt"],
    [`${root}//a/b.txt`, "a/b.txt"],
    [`${root}/a/../b.txt`, "b.txt"],
    [".env", ".env"],
    [".config/settings.json", ".config/settings.json"],
    ["..a", "..a"],
    ["a..b", "a..b"],
    ["...a/b", "...a/b"],
    ["archive.tar.gz", "archive.tar.gz"],
    ["my notes.md", "my notes.md"],
    [" leading.md", " leading.md"],
    ["backup~", "backup~"],
    ["a/~b", "a/~b"],
    ["100%.txt", "100%.txt"],
    ["50%25 off.txt", "50%25 off.txt"],
    ["report%20final.md", "report%20final.md"],
    ["100% sure/b", "100% sure/b"],
    ["%zz", "%zz"],
    ["a&b=c?d#e", "a&b=c?d#e"],
    ["-rf", "-rf"],
    ["--help", "--help"],
    ["$5.txt", "$5.txt"],
    ["$home", "$home"],
    ["price $HOME.txt", "price $HOME.txt"],
    ["a/$HOME", "a/$HOME"],
    ["笔记/今天.md", "笔记/今天.md"],
    ["año.md", "año.md"],
    ["an\u0303o.md", "an\u0303o.md"],
    ["👩‍💻.md", "👩‍💻.md"],
    ["می‌خواهم.md", "می‌خواهم.md"],
    ["½ cup.md", "½ cup.md"],
    ["console.log", "console.log"],
    ["nullable.ts", "nullable.ts"],
    ["com.example.app", "com.example.app"],
    ["com10", "com10"],
    ["auxiliary/conduct.md", "auxiliary/conduct.md"],
    ["dev/notes", "dev/notes"],
    ["proc/self", "proc/self"],
    ["etc/passwd", "etc/passwd"],
    [long(255), long(255)],
    ["constructor", "constructor"],
    ["__proto__", "__proto__"],
  ])("%j as %j", (input, path) => {
    expect(guardPath(input, { root })).toEqual({ ok: true, path });
  });
});

describe("guardPath() refuses", () => {
  it.each([
    // Out of the workspace.
    ["..", "leads out"],
    ["../", "leads out"],
    ["../secrets.txt", "leads out"],
    ["../../../../etc/passwd", "leads out"],
    ["a/../../b", "leads out"],
    ["a/../../workspace/b", "leads out"],
    ["./../b", "leads out"],
    [".//..//b", "leads out"],
    ["a/b/../../../c", "leads out"],
    [`${root}/../other`, "leads out"],
    [`${root}/a/../../workspace/b`, "leads out"],
    [`${root}/..`, "leads out"],
    // Absolute, and not under the root.
    ["/", "absolute"],
    ["/etc/passwd", "absolute"],
    ["/srv/assistant", "absolute"],
    ["/srv/assistant/workspace2/a", "absolute"],
    [`${root}.bak`, "absolute"],
    [`${root}-evil/a`, "absolute"],
    ["/srv/assistant/./workspace/a", "absolute"],
    ["/SRV/assistant/workspace/a", "absolute"],
    ["/srv/assistant/Workspace/a", "absolute"],
    ["/root/.ssh/id_rsa", "absolute"],
    ["/home/user/../../etc/shadow", "absolute"],
    // Devices and the system's own files.
    ["/dev/null", "device"],
    ["/dev/tcp/127.0.0.1/80", "device"],
    ["/proc/self/environ", "device"],
    ["/proc/1/root/etc/passwd", "device"],
    ["/sys/kernel", "device"],
    ["CON", "device"],
    ["con", "device"],
    ["NUL", "device"],
    ["nul.txt", "device"],
    ["Nul.tar.gz", "device"],
    ["AUX.h", "device"],
    ["prn", "device"],
    ["COM1", "device"],
    ["com9.log", "device"],
    ["COM¹", "device"],
    ["LPT1", "device"],
    ["lpt³.txt", "device"],
    ["CONIN$", "device"],
    ["conout$", "device"],
    ["CLOCK$", "device"],
    ["a/b/con", "device"],
    ["nul .txt", "device"],
    ["ｎｕｌ", "device"],
    // Other machines, drives, URLs.
    ["//server/share/a", "another machine"],
    ["\\\\server\\share", "another machine"],
    ["\\\\?\\C:\\a", "another machine"],
    ["\\\\.\\pipe\\a", "another machine"],
    ["C:\\Windows\\win.ini", "drive letter"],
    ["c:/windows/win.ini", "drive letter"],
    ["C:", "drive letter"],
    ["C:notes.txt", "drive letter"],
    ["Z:a", "drive letter"],
    ["file:///etc/passwd", "URL"],
    ["FILE://localhost/etc/passwd", "URL"],
    ["https://example.com/a", "URL"],
    ["a:b", "drive letter"],
    ["notes.txt:stream", "colon"],
    ["notes.txt::$DATA", "colon"],
    ["a/b:c", "colon"],
    ["./C:/a", "colon"],
    // Backslashes.
    ["..\\secrets.txt", "backslash"],
    ["a\\..\\..\\b", "backslash"],
    ["\\etc\\passwd", "backslash"],
    ["a\\b", "backslash"],
    ["a/..\\../b", "backslash"],
    // Percent-escapes and overlong forms.
    ["%2e%2e%2fetc%2fpasswd", "percent"],
    ["%2e%2e/etc/passwd", "percent"],
    ["%2E%2E/x", "percent"],
    [".%2e/x", "percent"],
    ["%2e./x", "dot or a space"],
    ["..%2fx", "percent"],
    ["a%2fb", "percent"],
    ["a%2Fb", "percent"],
    ["a%5cb", "percent"],
    ["..%5c..%5cx", "percent"],
    ["%252e%252e%252fx", "percent"],
    ["%25252e%25252e/x", "percent"],
    ["%c0%ae%c0%ae/x", "percent"],
    ["..%c0%afx", "percent"],
    ["..%c1%9cx", "percent"],
    ["%e0%80%ae%e0%80%ae/x", "percent"],
    ["..%e0%80%afx", "percent"],
    ["..%f0%80%80%afx", "percent"],
    ["%u002e%u002e/x", "percent"],
    ["..%u2215x", "percent"],
    ["..%uff0fx", "percent"],
    ["a%00.txt", "percent"],
    ["a%0a.txt", "percent"],
    ["C%3a/x", "percent"],
    ["%7e/x", "percent"],
    ["a/%2e%2e/%2e%2e/b", "percent"],
    // Characters that look like dots and slashes.
    ["\u2025/x", "look like"],
    ["\u2024\u2024/x", "look like"],
    ["\uff0e\uff0e/x", "look like"],
    ["a\uff0fb", "look like"],
    ["a\u2215b", "look like"],
    ["a\u2044b", "look like"],
    ["..\uff3cb", "look like"],
    ["a\ufe68b", "look like"],
    [".\u200d.\u200d/x", "look like"],
    // Control, invisible and broken characters.
    ["a\0.txt", "NUL"],
    ["notes.txt\0.png", "NUL"],
    ["a\nb", "control"],
    ["notes.md\n", "control"],
    ["a\rb", "control"],
    ["a\tb", "control"],
    ["a\u001bb", "control"],
    ["a\u007fb", "control"],
    ["a\u0085b", "control"],
    ["a\u2028b", "control"],
    ["gpj.\u202etxt", "control"],
    ["a\u200bb", "control"],
    ["\ufeffnotes.md", "control"],
    ["a\uffffb", "control"],
    ["a\ufdd0b", "control"],
    ["a\ud800b", "half of a character"],
    ["\udc00", "half of a character"],
    // Trailing dots and spaces.
    ["notes.txt.", "dot or a space"],
    ["notes.txt ", "dot or a space"],
    ["notes.txt. .", "dot or a space"],
    ["a /b", "dot or a space"],
    ["a./b", "dot or a space"],
    [".. /x", "dot or a space"],
    [" ../x", "dot or a space"],
    [" /etc/passwd", "dot or a space"],
    ["...", "dot or a space"],
    ["..../x", "dot or a space"],
    ["a\u00a0/b", "dot or a space"],
    ["a\u3000", "dot or a space"],
    // The home folder and variables.
    ["~", "~"],
    ["~/.ssh/id_rsa", "~"],
    ["~root/x", "~"],
    ["./~/x", "~"],
    ["a/../~/x", "~"],
    ["～/x", "~"],
    ["$HOME/.ssh/id_rsa", "environment variable"],
    ["${HOME}/x", "environment variable"],
    ["%APPDATA%/x", "environment variable"],
    // Too long, or nothing.
    [long(256), "longer than 255"],
    [`a/${"é".repeat(128)}`, "longer than 255"],
    [`${long(200)}/${long(200)}/${long(200)}/${long(200)}/${long(200)}/${long(200)}`, "longer than 1024"],
    ["a/".repeat(5000), "longer than 1024"],
    ["", "empty"],
    ["   ", "empty"],
  ])("%j: %s", (input, reason) => {
    const guarded = guardPath(input, { root });
    expect(guarded.ok).toBe(false);
    expect((guarded as { reason: string }).reason).toContain(reason);
  });

  it.each([undefined, null, 42, {}, ["a"], Symbol("a")])("what is no text: %s", (input) => {
    expect(guardPath(input)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("must be a string") as string,
    });
  });

  it("with a reason that quotes what was written, cut when it is long", () => {
    expect(guardPath("../a")).toEqual({
      ok: false,
      reason: 'Cannot use path "../a": it leads out of the workspace',
    });
    const guarded = guardPath(`../${long(900)}`) as { reason: string };
    expect(guarded.reason.length).toBeLessThan(200);
  });

  it("an absolute path under the root when it knows no root", () => {
    expect(guardPath(`${root}/a`).ok).toBe(false);
  });
});

describe("guardPath() with a root of its own kind", () => {
  it.each([
    { title: "a root with a slash at its end", root: "/srv/w/", input: "/srv/w/a", path: "a" },
    { title: "a drive", root: "C:\\Users\\me\\w", input: "C:\\Users\\me\\w\\notes\\a.md", path: "notes/a.md" },
    { title: "a root under /dev", root: "/dev/shm/w", input: "/dev/shm/w/a", path: "a" },
    { title: "a relative path that spells the root", root: "/srv/w", input: "srv/w/a", path: "srv/w/a" },
  ])("takes $title", ({ root, input, path }) => {
    expect(guardPath(input, { root })).toEqual({ ok: true, path });
  });

  it.each([
    { title: "a way out of a drive's root", root: "C:\\w", input: "C:\\w\\..\\x" },
    { title: "a drive's root in another case", root: "C:\\w", input: "c:\\W\\x" },
    { title: "anything absolute under the root of all", root: "/", input: "/etc/passwd" },
  ])("refuses $title", ({ root, input }) => {
    expect(guardPath(input, { root }).ok).toBe(false);
  });
});

describe("guardPath() with the names of POSIX", () => {
  const posix = { root, names: "posix" } as const;

  it.each([
    ["12:30 meeting.md", "12:30 meeting.md"],
    ["a:b", "a:b"],
    ["C:/notes", "C:/notes"],
    ["~x.txt", "~x.txt"],
    ["~", "~"],
    ["~/x", "~/x"],
    ["$HOME/x", "$HOME/x"],
    ["%APPDATA%/x", "%APPDATA%/x"],
    ["notes.txt.", "notes.txt."],
    ["notes ", "notes "],
    [" ", " "],
    ["...", "..."],
    [" ../x", " ../x"],
    ["a\\b", "a\\b"],
    ["..\\x", "..\\x"],
    ["CON", "CON"],
    ["aux.txt", "aux.txt"],
    ["*?[x]{y,z}'\"`<>|&;", "*?[x]{y,z}'\"`<>|&;"],
    ["a\nb", "a\nb"],
    ["a\tb\u001b\u007f", "a\tb\u001b\u007f"],
    ["gpj.\u202etxt", "gpj.\u202etxt"],
    ["a\uffffb", "a\uffffb"],
    ["a\uff0fb", "a\uff0fb"],
    ["año", "año"],
    ["an\u0303o", "an\u0303o"],
    ["100%.md", "100%.md"],
    ["50% off.txt", "50% off.txt"],
    ["a%2eb", "a%2eb"],
    ["a%20b%3a%0a", "a%20b%3a%0a"],
    ["%20", "%20"],
    ["%2525", "%2525"],
    [`${"a/".repeat(400)}b`, `${"a/".repeat(400)}b`],
    [`${root}/a\\b`, "a\\b"],
    ["a//b/./c/../d/", "a/b/d"],
  ])("accepts %j as %j", (input, path) => {
    expect(guardPath(input, posix)).toEqual({ ok: true, path });
  });

  it.each([
    ["", "empty"],
    ["..", "leads out"],
    ["a/../../b", "leads out"],
    ["./../~", "leads out"],
    ["/", "absolute"],
    ["/etc/passwd", "absolute"],
    ["//server/share", "absolute"],
    [`${root}2/a`, "absolute"],
    [`${root}\\a`, "absolute"],
    ["/dev/null", "device"],
    ["/proc/self/environ", "device"],
    ["file:///etc/passwd", "URL"],
    ["a\0b", "NUL"],
    ["a\ud800b", "half of a character"],
    ["%2e%2e", "percent"],
    ["%2e%2e/x", "percent"],
    [".%2E/x", "percent"],
    ["%2e", "percent"],
    ["..%20", "percent"],
    ["a%2fb", "percent"],
    ["a%2Fb", "percent"],
    ["a%5cb", "percent"],
    ["a%00b", "percent"],
    ["%252e%252e%252fx", "percent"],
    ["%c0%ae%c0%ae/x", "percent"],
    ["..%e0%80%afx", "percent"],
    ["%u002e%u002e/x", "percent"],
    ["..%uff0fx", "percent"],
    [`a/${long(256)}`, "longer than 255"],
    ["a/".repeat(600), "longer than 1024"],
  ])("refuses %j: %s", (input, reason) => {
    expect(guardPath(input, posix)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) as string });
  });

  it("takes longer paths where the system has them", () => {
    const path = `${"a/".repeat(1000)}b`;
    expect(guardPath(path, { ...posix, maxPathBytes: 4095 })).toEqual({ ok: true, path });
    expect(guardPath("a/".repeat(2048), { ...posix, maxPathBytes: 4095 }).ok).toBe(false);
  });
});

describe("guardPath() never lets a path escape", () => {
  const pieces = fc.constantFrom(
    ...Array.from("abc./\\:~%$ \0\n\u202e\u200d\uff0e\uff0f\u2024\ud800é"),
    "..",
    "../",
    "/..",
    "%2e",
    "%2f",
    "%5c",
    "%25",
    "%c0%ae",
    "%u002f",
    "con",
    "C:",
    root,
    "/etc",
    "//",
  );
  const paths = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { maxLength: 6 }).map((parts) => parts.join("/")),
  );

  it.each(["posix", "portable"] as const)("and what it accepts as %s is clean and accepted again as it is", (names) => {
    fc.assert(
      fc.property(paths, (input) => {
        const guarded = guardPath(input, { root, names });
        if (!guarded.ok) {
          expect(guarded.reason).toMatch(/^Cannot use path ".*": [^\n]+[^.]$/su);
          return;
        }
        const { path } = guarded;
        expect(guardPath(path, { root, names })).toEqual({ ok: true, path });
        if (path === ".") return;
        for (const name of path.split("/")) {
          for (const reading of decoded(name)) expect(reading).not.toMatch(/^\.{0,2}$|[/\0]/u);
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  it("and what it accepts is clean, inside by every reading, and accepted again as it is", () => {
    fc.assert(
      fc.property(paths, (input) => {
        const guarded = guardPath(input, { root });
        if (!guarded.ok) {
          expect(guarded.reason).toMatch(/^Cannot use path ".*": [^\n]+[^.]$/su);
          return;
        }
        const { path } = guarded;
        expect(guardPath(path, { root })).toEqual({ ok: true, path });
        expect(path).not.toMatch(/^\/|\\|\0|\n|^~/u);
        for (const name of path.split("/"))
          expect(name === ".." || (name === "." && path !== ".") || name === "").toBe(false);
        for (const reading of readings(path)) {
          expect(normalised(`${root}/${reading}`).startsWith(`${root}/`) || reading === ".").toBe(true);
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  /** The path as it is and as somebody who decodes once more, or reads compatibility characters, would take it. */
  function readings(path: string): string[] {
    const all = [path, path.normalize("NFKC")];
    for (let text = path, round = 0; round < 4; round++) {
      try {
        text = decodeURIComponent(text);
      } catch {
        break;
      }
      all.push(text, text.replaceAll("\\", "/"), text.normalize("NFKC"));
    }
    return all;
  }

  /** The name as it is and as programs read it that decode percent signs, up to three times. */
  function decoded(name: string): string[] {
    const all = [name];
    for (let text = name, round = 0; round < 3; round++) {
      try {
        text = decodeURIComponent(text);
      } catch {
        break;
      }
      all.push(text);
    }
    return all;
  }

  function normalised(path: string): string {
    const names: string[] = [];
    for (const name of path.split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return `/${names.join("/")}`;
  }
});
