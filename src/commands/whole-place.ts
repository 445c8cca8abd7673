import type { Scan } from "./scan.ts";
import { folded } from "./sensitive-paths.ts";

/** Whether a target of `rm -r` or a similar command is a whole place, such as the home folder. */
export function isWholePlace(scan: Scan, text: string): boolean {
  const base = scan.root.replace(/\/+$/u, "");
  const path = folded(text.replaceAll(/\/(?:\.?\/)+/gu, "/").replace(/^\.\/(?=\.\.)|\/\.?$/gu, "")) || "/";
  return (
    /^(?:\/|\/tmp(?:\/\*)?|~(?:\/\.\.)*|\.|(?:\.\.\/)*(?:\.\.|\.\.\/\*)|\/?\*|\.\/\*|~\/\*|\.\*|\.\[.*|\.\?.*|\.\/\.\*)$/u.test(
      path,
    ) ||
    /^(?:\/(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|sbin|srv|sys|usr|var|mnt|media|users|system|library|applications))(?:\/\*|\/[^/]*)?$/iu.test(
      path,
    ) ||
    path === base ||
    path === `${base}/*` ||
    (base !== "" && base.startsWith(`${path}/`))
  );
}
