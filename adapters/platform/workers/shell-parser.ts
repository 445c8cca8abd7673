import { forEachChild, parse } from "unbash";
import type { ShellParser } from "../../../kit.ts";

// A separate module, so that a bundle that judges no commands leaves it out and saves 28 KB.
const library: ShellParser = { parse, forEachChild };

export const shellParser = (): ShellParser => library;
