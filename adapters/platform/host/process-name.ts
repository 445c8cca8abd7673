import { hostname } from "node:os";
import process from "node:process";

/** `host-1:4211`; the number alone where the program may not read the host's name (Deno without `--allow-sys`). */
export function processName(): string {
  try {
    return `${hostname()}:${process.pid}`;
  } catch {
    return String(process.pid);
  }
}
