import type { Argument, Scan } from "./scan.ts";

/** Variables that decide which program runs, what it loads or connects to, or where it finds its own files. */
const HIJACKING = new Set(
  (
    "PATH IFS ENV BASH_ENV PROMPT_COMMAND PS0 PS1 PS2 PS4 SHELL SHELLOPTS BASHOPTS BASH_LOADABLES_PATH CDPATH HOME EXECIGNORE INPUTRC TERMINFO FIGNORE " +
    "PAGER MANPAGER EDITOR VISUAL FCEDIT BROWSER LESSOPEN LESSCLOSE LESS SUDO_ASKPASS SSH_ASKPASS SSH_AUTH_SOCK RSYNC_RSH CVS_RSH SVN_SSH TAR_OPTIONS " +
    "GIT_SSH GIT_SSH_COMMAND GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR " +
    "GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_ALLOW_PROTOCOL " +
    "NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED BUN_OPTIONS DENO_DIR " +
    "PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PYTHONEXECUTABLE " +
    "PERL5OPT PERL5LIB PERL5DB PERLLIB PERL5SHELL RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_PATH LUA_CPATH R_PROFILE R_PROFILE_USER " +
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS MAKEFLAGS GNUMAKEFLAGS MFLAGS MAKEFILES RUSTC RUSTC_WRAPPER RUSTFLAGS CARGO_HOME " +
    "GOFLAGS GOPROXY GOPATH CURL_HOME WGETRC SYSTEM_WGETRC XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME HOSTALIASES RES_OPTIONS LOCALDOMAIN GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES AWKPATH AWKLIBPATH " +
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE SSLKEYLOGFILE DOCKER_HOST DOCKER_CONFIG KUBECONFIG GNUPGHOME PSQLRC PGPASSFILE EXINIT VIMINIT VIM"
  ).split(" "),
);
const HIJACKING_FAMILY =
  /^(?:LD_|DYLD_|BASH_FUNC_|GIT_CONFIG|GIT_TRACE|NPM_CONFIG_|PIP_|UV_|YARN_|PNPM_|AWS_|GOOGLE_|AZURE_|COREPACK_|MALLOC_|CARGO_.*(?:RUNNER|WRAPPER|LINKER))/u;
const HISTORY = /^HIST(?:FILE|SIZE|FILESIZE|CONTROL|IGNORE|TIMEFORMAT)$/u;
/** Variables of makefiles and scripts that name a program to start; a plain program name is normal. */
const PROGRAM_VARIABLES = new Set(["CC", "CXX", "LD", "AR", "AS", "CPP", "RM", "MAKE", "AWK", "SED", "PYTHON", "NODE"]);

/** Judges one assignment. `value` is undefined if the text does not show it, or if the variable is unset. */
export function judgeAssignment(scan: Scan, variable: string, value: string | undefined, source: string): void {
  const name = variable.replace(/\[.*$/su, "");
  const upper = name.toUpperCase();
  if (HISTORY.test(upper)) {
    scan.refuse({
      danger: "logs",
      offending: source,
      why: `${name} decides what the shell's history keeps`,
      instead: "leave the history as it is",
    });
  } else if (HIJACKING.has(upper) || HIJACKING_FAMILY.test(upper)) {
    scan.refuse({
      danger: "environment",
      offending: source,
      why: `${name} decides which programs run or what they load`,
      instead: "name the program or the file in the command itself",
    });
  } else if (PROGRAM_VARIABLES.has(upper) && value !== undefined && !/^[\w.+-]*$/u.test(value)) {
    scan.refuse({
      danger: "environment",
      offending: source,
      why: `${name} names a program that other programs start`,
      instead: `set ${name} to a plain program name, as ${name}=clang`,
    });
  }
}

/** Judges words of the form `NAME=value` or `NAME`, as arguments of export, declare, read and env. */
export function judgeNames(scan: Scan, words: readonly Argument[]): void {
  for (const { text, source } of words) {
    const found = /^([A-Za-z_]\w*(?:\[[^=]*\])?)\+?(=?)/u.exec(text);
    if (found === null) continue;
    const [whole, name = "", equals] = found;
    judgeAssignment(scan, name, equals === "=" ? text.slice(whole.length) : undefined, source);
  }
}
