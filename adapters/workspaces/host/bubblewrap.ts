import { spawnSync } from "node:child_process";
import { lstatSync, readlinkSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { FoundSandbox, Sandbox, SandboxPlace } from "./sandbox.ts";

/** Most bytes that the two in-memory folders may hold. */
const MAX_TMP_BYTES = 256 * 1024 * 1024;
const MAX_SHM_BYTES = 64 * 1024 * 1024;

/** Folders of programs and libraries. One that is a link into another is recreated as that link. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** The parts of /etc that programs need. Not all of it: for a sandbox run as root, that would include /etc/shadow. */
const SYSTEM_SETTINGS = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates",
  "ca-certificates.conf",
  "fonts",
  "group",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "passwd",
  "pki/tls/certs",
  "protocols",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => `/etc/${name}`);
const NETWORK_SETTINGS = ["/etc/hosts", "/etc/resolv.conf"];
/** Where NixOS and Guix keep their programs. */
const OTHER_SYSTEMS = ["/nix/store", "/gnu/store", "/run/current-system"];

/** Finds bubblewrap, if it is installed and may create namespaces here. */
export function bubblewrap(program = "bwrap"): FoundSandbox {
  const version = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 5000 });
  if (version.error !== undefined || version.status !== 0)
    return {
      ok: false,
      problem: "bubblewrap (bwrap) is not installed",
      remedy: "apt install bubblewrap, or dnf install bubblewrap, or apk add bubblewrap",
    };
  const number = /(\d+)\.(\d+)/u.exec(version.stdout) ?? [];
  const [major, minor] = [Number(number[1] ?? 0), Number(number[2] ?? 0)];
  const sandbox: Sandbox = {
    name: version.stdout.trim(),
    temporaryFolder: "/tmp",
    wrap: (argv, place) => [
      program,
      ...bubblewrapArguments(place, {
        asRoot: process.getuid?.() === 0,
        sizes: major > 0 || minor >= 7,
        nestedNamespaces: !(major > 0 || minor >= 8),
      }),
      "--",
      ...argv,
    ],
  };
  const place = { root: "/usr", cwd: "/usr", readable: [], hidden: [], network: false };
  // The test run mounts the workspace writable and writes nothing.
  const [first = program, ...rest] = sandbox.wrap(["/bin/sh", "-c", "exit 0"], place);
  const tried = spawnSync(first, rest, { encoding: "utf8", timeout: 10_000, env: {} });
  if (tried.status === 0) return { ok: true, sandbox };
  return {
    ok: false,
    problem: `bubblewrap does not work here: ${firstLine(tried.stderr) ?? tried.error?.message ?? `exit code ${tried.status}`}`,
    remedy:
      "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu an AppArmor profile for bwrap), or, in a container, give it the right to create them",
  };
}

export interface BubblewrapAbilities {
  /** Without this, commands would believe that they are root. */
  readonly asRoot: boolean;
  /** Whether it can limit in-memory folders (0.7). */
  readonly sizes: boolean;
  /** Whether commands could create nested namespaces: only before 0.8. */
  readonly nestedNamespaces: boolean;
}

/**
 * The arguments before `--`. Later mounts cover earlier ones, so the workspace comes after the system, and hidden paths
 * come last.
 */
export function bubblewrapArguments(place: SandboxPlace, abilities: BubblewrapAbilities): readonly string[] {
  const { root, cwd, readable, hidden, network, temporaryBytes = MAX_TMP_BYTES } = place;
  const sized = (bytes: number) => (abilities.sizes ? ["--size", String(bytes)] : []);
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network ? [] : ["--unshare-net"]),
    ...(abilities.nestedNamespaces ? [] : ["--disable-userns"]),
    ...(abilities.asRoot ? ["--uid", "1000", "--gid", "1000"] : []),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"],
    ...["--ro-bind", "/usr", "/usr"],
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...[...SYSTEM_SETTINGS, ...OTHER_SYSTEMS, ...(network ? NETWORK_SETTINGS : [])].flatMap(readOnly),
    // Read-only: in a sandbox that root starts, root could otherwise write the kernel's settings under /proc/sys,
    // core_pattern too.
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...sized(Math.min(temporaryBytes, MAX_SHM_BYTES)),
    ...["--tmpfs", "/dev/shm"],
    ...sized(Math.min(temporaryBytes, MAX_TMP_BYTES)),
    ...["--perms", "1777", "--tmpfs", "/tmp"],
    ...["--symlink", "../tmp", "/var/tmp"],
    ...readable.flatMap(readOnly),
    ...["--bind", root, root],
    ...holdFoldersAbove(hidden, root),
    ...hidden.filter((path) => [root, ...readable].some((shown) => isUnder(path, shown))).flatMap(cover),
    // The folders above these mounts are in memory. Read-only, so that no command fills it.
    ...["--remount-ro", "/", "--chdir", cwd],
  ];
}

function readOnly(path: string): readonly string[] {
  return ["--ro-bind-try", path, path];
}

function systemFolder(path: string): readonly string[] {
  try {
    return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : readOnly(path);
  } catch {
    return [];
  }
}

/**
 * Bind-mounts the folders between the root and a hidden path onto themselves: a mount cannot be renamed, so commands
 * cannot replace them.
 */
function holdFoldersAbove(hidden: readonly string[], root: string): readonly string[] {
  const folders = new Set<string>();
  for (const path of hidden) {
    if (path === root || !isUnder(path, root)) continue;
    for (let above = dirname(path); above !== root; above = dirname(above)) folders.add(above);
  }
  return [...folders].toSorted().flatMap((path) => (isFolder(path) ? ["--bind", path, path] : []));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Covers a folder with an empty folder, a file with nothing. A path that does not exist is left alone, since a cover
 * would create it.
 */
function cover(path: string): readonly string[] {
  try {
    if (statSync(path).isDirectory()) return ["--tmpfs", path, "--remount-ro", path];
    return ["--ro-bind", "/dev/null", path];
  } catch {
    return [];
  }
}

export function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function firstLine(text: string | null | undefined): string | undefined {
  return text?.trim().split("\n", 1)[0] || undefined;
}
