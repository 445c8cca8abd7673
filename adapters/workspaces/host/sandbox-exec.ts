import { spawnSync } from "node:child_process";
import type { FoundSandbox, Sandbox, SandboxPlace } from "./sandbox.ts";

/** Folders that programs of macOS read at start. */
const SYSTEM_FOLDERS = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library/Apple",
  "/Library/Developer/CommandLineTools",
  "/Library/Preferences/Logging",
  "/opt/homebrew",
  "/private/etc/ssl",
  "/private/var/db/dyld",
  "/private/var/db/timezone",
];
const SYSTEM_FILES = [
  "/",
  "/private/etc/localtime",
  "/private/etc/passwd",
  "/private/etc/group",
  "/private/etc/services",
];
const DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/random",
  "/dev/urandom",
  "/dev/fd",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/tty",
];

/** Seatbelt of macOS through its command. Apple calls the command deprecated and still ships it. */
export function sandboxExec(program = "/usr/bin/sandbox-exec"): FoundSandbox {
  const sandbox: Sandbox = {
    name: "sandbox-exec",
    wrap: (argv, place) => [program, ...sandboxExecArguments(place), ...argv],
  };
  const place = { root: "/usr/share", cwd: "/", readable: [], hidden: [], network: false };
  const [first = program, ...rest] = sandbox.wrap(["/bin/sh", "-c", "exit 0"], place);
  const tried = spawnSync(first, rest, { encoding: "utf8", timeout: 10_000, env: {} });
  if (tried.status === 0) return { ok: true, sandbox };
  const why = tried.error?.message ?? tried.stderr?.trim().split("\n", 1)[0] ?? "";
  return {
    ok: false,
    problem: `sandbox-exec does not work here: ${why || `exit code ${tried.status}`}`,
    remedy: 'use exec.mode "simulated"',
  };
}

/** Paths are passed as parameters, so that no path can contain code in the profile's language. */
export function sandboxExecArguments(place: SandboxPlace): readonly string[] {
  const { root, readable, hidden, network } = place;
  const parameters: string[] = [];
  const subpath = (path: string) => {
    const name = `PATH_${parameters.length}`;
    parameters.push(`${name}=${path}`);
    return `(subpath (param "${name}"))`;
  };
  const literal = (path: string) => `(literal "${path}")`;
  const profile = [
    "(version 1)",
    "(deny default)",
    "(allow process-fork)",
    "(allow process-info* (target same-sandbox))",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    `(allow file-read-metadata (vnode-type DIRECTORY))`,
    `(allow process-exec file-read* ${SYSTEM_FOLDERS.map(subpath).join(" ")})`,
    `(allow file-read* ${SYSTEM_FILES.map(literal).join(" ")})`,
    `(allow file-read* file-write-data file-ioctl ${DEVICES.map(literal).join(" ")})`,
    ...(readable.length > 0 ? [`(allow process-exec file-read* ${readable.map(subpath).join(" ")})`] : []),
    `(allow process-exec file-read* file-write* ${subpath(root)})`,
    // The last matching rule wins.
    ...(hidden.length > 0 ? [`(deny file* ${hidden.map(subpath).join(" ")})`] : []),
    ...(network ? ["(allow network*)", "(allow system-socket)"] : []),
  ].join("\n");
  return [...parameters.flatMap((parameter) => ["-D", parameter]), "-p", profile];
}
