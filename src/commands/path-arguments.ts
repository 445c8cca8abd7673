import { guardPath } from "../guard/index.ts";
import { type Argument, type Place, type Scan, UNKNOWN } from "./scan.ts";
import { folded, sensitivityOf } from "./sensitive-paths.ts";

/** How a command uses a path. */
export type PathUse = "read" | "write";

/** Devices without content or effect. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|u?random|full|std(?:in|out|err)|fd\/\d+|tty)$/u;
const SYSTEM = /^\/(?:etc|boot|usr|bin|sbin|lib\w*|sys|proc|dev|var|opt|root|system|library|applications)(?:\/|$)/iu;
/** A pattern that the shell could expand to "..". */
const DOTTED_PATTERN = /(?:^|\/)\.(?:\*+|\?\**|\[[^\]]*[^\]a-z0-9-][^\]]*\]\**)(?:\/|$)/iu;

/** Judges a word that is a path, whatever its form. */
export function judgePath(scan: Scan, { text, source }: Argument, place: Place, use: PathUse): void {
  if (scan.isRefused() || text === "" || text === "-" || HARMLESS_DEVICE.test(text)) return;
  const known = text.replaceAll(UNKNOWN, "");
  judgeSpecial(scan, { text: known, source }, place, use);
  if (scan.isRefused() || scan.mode === "open") return;
  if (text.includes(UNKNOWN)) {
    scan.refuse({
      danger: "unjudged expansion",
      offending: source,
      why: "which path this means is known only when it runs",
      instead: "write the path itself, relative to the workspace",
    });
    return;
  }
  if (DOTTED_PATTERN.test(text)) {
    refuseOutside(scan, source, 'the pattern may mean ".."');
    return;
  }
  if (!/^~|\/|^\.\.$/u.test(text)) return; // a plain name in a folder that was judged
  for (const folder of place.folders) {
    const judged = guardPath(asNames(joined(folder, text)), { root: scan.root });
    if (judged.ok) continue;
    refuseOutside(scan, source, judged.reason.replace(/^Cannot use path .*?": /su, ""));
    return;
  }
}

/**
 * Replaces parts of a path that are special only on systems without such a shell: backslashes, and a dot or blank at
 * the end of a name.
 */
function asNames(path: string): string {
  return path
    .replaceAll("\\", "_")
    .split("/")
    .map((name) => (/^\.{1,2}$/u.test(name) ? name : name.replace(/[. ]+$/u, "_")))
    .join("/");
}

/** Joins a path to its folder. */
export function joined(folder: string, path: string): string {
  return /^[/~]/u.test(path) || folder === "." ? path : `${folder}/${path}`;
}

function refuseOutside(scan: Scan, source: string, why: string): void {
  scan.refuse({
    danger: "outside the workspace",
    offending: source,
    why: why.replace(/: write .*$/su, ""),
    instead: "use paths inside the workspace, relative to it",
  });
}

/** Judges files that no command may touch, in any mode. */
function judgeSpecial(scan: Scan, { text, source }: Argument, place: Place, use: PathUse): void {
  if (/^\/dev\/(?:tcp|udp)\//u.test(text)) {
    scan.refuse({
      danger: "exfiltration",
      offending: source,
      why: "it opens a connection to another machine",
      instead: "ask for the page with the tool for web pages",
    });
    return;
  }
  const base = scan.root.replace(/\/+$/u, "");
  for (const folder of place.folders) {
    let path = joined(folder, text);
    const own = scan.protectedPaths.find((one) => isWithin(path, one) || isWithin(`${base}/${path}`, one));
    if (own !== undefined) {
      scan.refuse({
        danger: "credentials",
        offending: source,
        why: "it touches the assistant's own files",
        instead: "leave them alone: settings are changed by the owner",
      });
      return;
    }
    if (base !== "" && (path === base || path.startsWith(`${base}/`))) path = path.slice(base.length + 1) || ".";
    const special = sensitivityOf(path);
    if (special !== undefined && (use === "write" || special.danger === "credentials")) {
      scan.refuse({
        danger: special.danger,
        offending: source,
        why: `it ${use === "write" ? "changes" : "reads"} ${special.what}`,
        instead: "leave such files alone and work with the workspace's own",
      });
      return;
    }
    if (use === "write" && SYSTEM.test(path)) {
      scan.refuse({
        danger: path.startsWith("/dev/") ? "disk" : "persistence",
        offending: source,
        why: path.startsWith("/dev/") ? "it writes to a device" : "it changes the system's own files",
        instead: "write inside the workspace",
      });
      return;
    }
  }
}

function isWithin(given: string, folder: string): boolean {
  const base = folder.replace(/\/+$/u, "");
  const path = folded(given.replaceAll(/\/(?:\.?\/)+/gu, "/"));
  return base !== "" && (path === base || path.startsWith(`${base}/`));
}

/** Paths that do not occur in a program's own syntax. */
const WELL_KNOWN = /[/~](?:etc|home|root|usr|var|tmp|proc|sys|dev|opt|mnt|media|srv|boot|users|private)(?:\/|$)/iu;

/** Judges a word of a program without a rule: every part that could be a path is judged as one. */
export function judgeWord(scan: Scan, word: Argument, place: Place, use: PathUse): void {
  const { text, source } = word;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) {
    if (/^file:/iu.test(text)) judgePath(scan, { text: text.replace(/^file:\/*/iu, "/"), source }, place, use);
    return;
  }
  if (text.startsWith("-")) {
    const value = text.startsWith("--") ? /=(.*)$/su.exec(text)?.[1] : text.slice(2);
    if (value === undefined || value === "") return;
    // Only the program knows where the value starts in -xzf/etc/passwd.
    const inside = text.startsWith("--") ? undefined : WELL_KNOWN.exec(text);
    if (inside !== null && inside !== undefined)
      judgePath(scan, { text: text.slice(inside.index), source }, place, use);
    judgePieces(scan, { text: value, source }, place, use);
    return;
  }
  judgePieces(scan, word, place, use);
}

/** Judges `key=path`, `@path`, `first:second` and plain paths. */
function judgePieces(scan: Scan, { text, source }: Argument, place: Place, use: PathUse): void {
  const pieces = new Set([text]);
  const equals = text.indexOf("=");
  if (equals !== -1) pieces.add(text.slice(equals + 1));
  for (const piece of [...pieces]) {
    if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(piece)) {
      pieces.delete(piece);
      continue;
    }
    if (/^[@<>]/u.test(piece)) pieces.add(piece.slice(1));
    if (piece.includes(":")) for (const part of piece.split(":").slice(0, 32)) pieces.add(part);
  }
  for (const piece of pieces) {
    if (piece.includes(":") && piece.includes("/")) continue; // its parts are judged instead
    judgePath(scan, { text: piece, source }, place, use);
  }
}
