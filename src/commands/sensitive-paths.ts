/** Why no command may touch a file, or why none may change it. */
export type Sensitivity = { readonly danger: "credentials" | "persistence" | "logs"; readonly what: string };

interface Pattern {
  readonly pattern: RegExp;
  readonly what: string;
}

const CREDENTIALS: readonly Pattern[] = [
  { pattern: /(?:^|\/)\.ssh(?:\/|$)/u, what: "keys and settings of ssh" },
  { pattern: /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*$/u, what: "a private key" },
  { pattern: /\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|key)$/u, what: "a private key or a store of keys" },
  { pattern: /(?:^|\/)\.(?:aws|azure|kube|gnupg|password-store|oci|step|vault-token)(?:\/|$)/u, what: "credentials" },
  { pattern: /(?:^|\/)\.docker\/config\.json$/u, what: "credentials" },
  {
    pattern: /(?:^|\/)\.config\/(?:gcloud|gh|hub|doctl|op|rclone|containers\/auth\.json)(?:\/|$)/u,
    what: "credentials",
  },
  {
    pattern: /(?:^|\/)(?:[._]netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.pypirc|\.htpasswd|\.s3cfg|\.boto)$/u,
    what: "credentials",
  },
  { pattern: /^~\/\.(?:npmrc|yarnrc(?:\.yml)?)$/u, what: "credentials" },
  { pattern: /(?:^|\/)\.(?:cargo|gem|terraform\.d)\/credentials/u, what: "credentials" },
  { pattern: /(?:^|\/)\.local\/share\/(?:keyrings|kwalletd)(?:\/|$)/u, what: "a store of passwords" },
  {
    pattern:
      /(?:^|\/)\.(?:mozilla|thunderbird|config\/(?:google-chrome|chromium|brave[^/]*|microsoft-edge|vivaldi|opera))(?:\/|$)/u,
    what: "a browser's profile",
  },
  {
    pattern:
      /(?:^|\/)library\/(?:keychains|cookies|safari|application support\/(?:google|firefox|bravesoftware|com\.apple))(?:\/|$)/u,
    what: "passwords, or a browser's profile",
  },
  {
    pattern:
      /(?:^|\/)(?:\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli|irb|php)_history|\.(?:lesshst|viminfo|histfile)|fish_history)$/u,
    what: "what somebody typed",
  },
  {
    pattern:
      /^\/etc\/(?:g?shadow-?|sudoers(?:\.d)?|master\.passwd|ssh|ssl\/private|krb5\.keytab|security\/opasswd)(?:\/|$)/u,
    what: "the system's credentials",
  },
  {
    pattern: /^\/proc\/(?:[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|root|cwd|auxv)(?:\/|$)|kcore|sysrq)/u,
    what: "another program's memory or environment",
  },
  { pattern: /^\/dev\/(?:k?mem|port)$/u, what: "the machine's memory" },
  { pattern: /^\/(?:var\/)?run\/secrets(?:\/|$)/u, what: "secrets" },
  { pattern: /(?:^|\/)(?:docker|containerd|podman)\.sock$/u, what: "the containers' control" },
  { pattern: /(?:^|\/)\.wakeful(?:\/|$)/u, what: "the assistant's own data" },
  { pattern: /(?:^|\/)wakeful\.ya?ml$/u, what: "the assistant's own configuration" },
];

const PERSISTENCE: readonly Pattern[] = [
  {
    pattern:
      /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|kshrc|cshrc|tcshrc|inputrc|pam_environment|xinitrc|xsession|xprofile|xsessionrc|login)$/u,
    what: "a file that every new shell or login runs",
  },
  {
    pattern: /(?:^|\/)\.config\/(?:autostart|systemd|fish|environment\.d|upstart)(?:\/|$)/u,
    what: "a file that runs at login",
  },
  {
    pattern: /^~\/\.(?:gitconfig|vimrc|exrc|emacs|emacs\.d|tmux\.conf|config\/git)(?:\/|$)/u,
    what: "a file in which programs are named that run later",
  },
  {
    pattern: /(?:^|\/)\.git\/(?:hooks|config|modules|info\/attributes)(?:\/|$)/u,
    what: "a file in which git finds programs to run",
  },
  { pattern: /(?:^|\/)library\/launch(?:agents|daemons)(?:\/|$)/u, what: "a file that runs at login" },
  {
    pattern:
      /^\/etc\/(?:cron[^/]*|anacrontab|systemd|init\.d|rc[^/]*|profile|profile\.d|environment|bash\.bashrc|ld\.so[^/]*|pam\.d|update-motd\.d|passwd|group|hosts|resolv\.conf|udev|xdg|modules[^/]*)(?:\/|$)/u,
    what: "a file that the system runs or obeys",
  },
  { pattern: /^\/var\/spool\/(?:cron|at)/u, what: "the list of jobs of the system" },
];

const LOGS: readonly Pattern[] = [
  { pattern: /^\/(?:var\/log|var\/run\/utmp|run\/log)(?:\/|$)/u, what: "the system's log" },
];

/** Examples of such paths, to test whether a pattern with * or ? could match one. */
const SAMPLES = [
  "~/.ssh",
  "~/.ssh/id_rsa",
  "~/.ssh/id_ed25519",
  "~/.ssh/authorized_keys",
  "~/.ssh/config",
  "~/.aws",
  "~/.aws/credentials",
  "~/.netrc",
  "~/.bash_history",
  "~/.zsh_history",
  "~/.gnupg/secring.gpg",
  "~/.kube/config",
  "~/.docker/config.json",
  "~/.git-credentials",
  "~/.config/gcloud/credentials.db",
  "~/.npmrc",
  "~/.bashrc",
  "~/.profile",
  "~/.pgpass",
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/proc/1/environ",
  "/proc/self/environ",
  ".wakeful/store",
  "wakeful.yaml",
];

/**
 * Returns a path in the form of the patterns: the home folder as `~`, no double slashes, in lower case because some
 * disks are case-insensitive.
 */
function normalized(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(/\/(?:\.?\/)+/gu, "/")
    .replace(/^(?:\/root|\/home\/[^/]+|\/users\/[^/]+|\/var\/root|~[\w.-]+)(?=\/|$)/u, "~");
}

/** Resolves `a/..`, so that `/usr/../etc/shadow` is recognized. */
export function folded(path: string): string {
  if (!path.includes("/..")) return path;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") {
      if (names.at(-1) !== "" || names.length > 1) names.pop();
    } else names.push(name);
  }
  return names.join("/");
}

/** Returns what is special about a path, judged by its text. */
export function sensitivityOf(path: string): Sensitivity | undefined {
  const plain = folded(normalized(path));
  const direct = lookUp(plain);
  if (direct !== undefined) return direct;
  if (!/[*?[]/u.test(plain)) return undefined;
  const sample = SAMPLES.find((one) => couldMatch(plain, one));
  return sample === undefined ? undefined : lookUp(sample);
}

function lookUp(path: string): Sensitivity | undefined {
  if (/^(?:~|\/|\.\.\/).*(?:^|\/)\.env(?:\.[\w-]+)?$/u.test(path) && !/\.(?:example|sample|template|dist)$/u.test(path))
    return { danger: "credentials", what: "another project's secrets" };
  for (const [danger, patterns] of [
    ["credentials", CREDENTIALS],
    ["persistence", PERSISTENCE],
    ["logs", LOGS],
  ] as const) {
    const found = patterns.find(({ pattern }) => pattern.test(path));
    if (found !== undefined) return { danger, what: found.what };
  }
  return undefined;
}

/**
 * Whether a shell pattern could match a path; brackets count as any character. At least one name must be specific:
 * `*` alone would match everything.
 */
function couldMatch(pattern: string, path: string): boolean {
  const ours = pattern.split("/");
  const theirs = path.split("/");
  if (ours.length !== theirs.length) return false;
  return (
    ours.every((one, index) => matchesName(one.replaceAll(/\[[^\]]*\]/gu, "?"), theirs[index] as string)) &&
    ours.some((one) => /[^*]/u.test(one) && one !== "~" && one !== "")
  );
}

/** Matches one name against a shell pattern, in time proportional to the product of the lengths. */
function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let index = 0; index < name.length;) {
    if (at < pattern.length && (pattern[at] === "?" || (pattern[at] !== "*" && pattern[at] === name[index]))) {
      at++;
      index++;
    } else if (pattern[at] === "*") {
      star = at++;
      retry = index;
    } else if (star !== -1) {
      at = star + 1;
      index = ++retry;
    } else return false;
  }
  return /^\**$/u.test(pattern.slice(at));
}
