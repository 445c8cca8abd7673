import { type Mutant, planted } from "./mutant.ts";

const TEXT = {
  threat: 9,
  promise: "the guard over commands sees what bash would run",
  test: "test/guard/command.test.ts",
};
const SANDBOX = { threat: 9, promise: "in the sandbox a command has no effect outside of the workspace" };
const FILES = { threat: 8, promise: "nothing outside the workspace is read or written" };
const LISTED = { threat: 8, promise: "nothing is left out of a list in silence" };
const IDS = { threat: 8, promise: "an id is never a path", test: "test/security/ids-as-files.host.test.ts" };
const OWN = { threat: 16, promise: "the assistant cannot change what it is" };
const CODE = { threat: 17, promise: "no text becomes code", test: "test/security/no-evaluation.node.test.ts" };
const GUARD = "src/guard/command";
const HOST = "adapters/workspaces/host";

/** Commands, paths, and the assistant's own files. */
export const COMMANDS: readonly Mutant[] = [
  ...planted(TEXT, [
    [
      `${GUARD}/judge-call.ts`,
      "if (denied !== undefined && !scan.functions.has(program.text)) {",
      'if (denied !== undefined && source === "") {',
    ],
    [`${GUARD}/judge-call.ts`, "if (SYSTEM_PROGRAM.test(text)) return true;", "return true;"],
    [`${GUARD}/judge-call.ts`, "else if (isWrapper(name)) left = judgeWrapper(scan, call);", ""],
    [`${GUARD}/judge-call.ts`, "if (SHELLS.has(name)) left = judgeShell(scan, call);\n  else if", "if"],
    [`${GUARD}/judge-call.ts`, "if (text.includes(UNKNOWN) || /", "if (/"],
    [`${GUARD}/judge-call.ts`, "NETWORK_PROGRAMS.has(name) ||", ""],
    [
      `${GUARD}/environment.ts`,
      "} else if (HIJACKING.has(upper) || HIJACKING_FAMILY.test(upper)) {",
      "} else if (HIJACKING.has(upper)) {",
    ],
    [
      `${GUARD}/environment.ts`,
      "} else if (HIJACKING.has(upper) || HIJACKING_FAMILY.test(upper)) {",
      "} else if (HIJACKING_FAMILY.test(upper)) {",
    ],
    [`${GUARD}/environment.ts`, "if (HISTORY.test(upper)) {", "if (false) {"],
    [
      `${GUARD}/shells.ts`,
      "if (first !== undefined) scan.runText(markedOf(first), first.source, call.place, others.slice(1));",
      "",
    ],
    [
      `${GUARD}/shells.ts`,
      "if (printed === undefined || printed.includes(UNKNOWN) || /[\\\\%]/u.test(printed)) {",
      "if (false) {",
    ],
    [
      `${GUARD}/shells.ts`,
      "if (codeNames.includes(name)) {\n      hasCode = true;\n      judgeCode(",
      "if (codeNames.includes(name)) {\n      hasCode = true;\n      void (",
    ],
    [`${GUARD}/wrappers.ts`, "if (start !== -1) scan.runWords(rest.slice(start), call.source, call.place);", ""],
    [`${GUARD}/wrappers.ts`, "  judgeNames(scan, assignments);\n", ""],
    [
      `${GUARD}/finding-files.ts`,
      "if (/^-(?:exec|execdir|ok|okdir)$/u.test(text)) {",
      "if (/^-(?:execdir|ok|okdir)$/u.test(text)) {",
    ],
    [
      `${GUARD}/sed-script.ts`,
      '} else if (character === "e") {\n      runs = true;',
      '} else if (character === "e") {\n      runs ||= false;',
    ],
    [`${GUARD}/sed-script.ts`, 'if (script[at] === "e") runs = true;', ""],
    [`${GUARD}/git.ts`, "if (/^ext::|^(?:fd|transport)::/iu.test(text))", "if (/^ext::never/iu.test(text))"],
    [`${GUARD}/walk.ts`, '      case "ProcessSubstitution":\n', ""],
    [`${GUARD}/walk.ts`, '      case "CommandExpansion":\n', '      case "CommandExpansion":\n        return;\n'],
    [`${GUARD}/walk.ts`, "        for (const one of node.redirects) judgeRedirection(one, here(place));\n", ""],
    [`${GUARD}/walk.ts`, 'node.operator === "<" || node.operator === "<&" ? "read" : "write",', '"read",'],
    [`${GUARD}/walk.ts`, "if (bomb !== undefined)", 'if (bomb !== undefined && source === "")'],
    [
      `${GUARD}/path-arguments.ts`,
      'special !== undefined && (use === "write" || special.danger === "credentials")',
      'special !== undefined && use === "write"',
    ],
    [`${GUARD}/path-arguments.ts`, "if (judged.ok) continue;", "continue;"],
    [`${GUARD}/path-arguments.ts`, "if (own !== undefined) {", "if (false) {"],
    [`${GUARD}/path-arguments.ts`, "if (DOTTED_PATTERN.test(text)) {", "if (false) {"],
    [`${GUARD}/path-arguments.ts`, "if (text.includes(UNKNOWN)) {", "if (false) {"],
    [`${GUARD}/guard-command.ts`, "if (DECEIVING.test(command))", "if (false)"],
    [`${GUARD}/words.ts`, "value.includes(STAND_IN) ||", ""],
    [`${GUARD}/words.ts`, ' || value.startsWith("~")', ""],
    [`${GUARD}/words.ts`, "if (pattern.includes(UNKNOWN) || pattern.includes(STAND_IN)) return UNKNOWN;", ""],
    [`${GUARD}/words.ts`, "pattern !== operation.operand.text", "false"],
    [`${GUARD}/words.ts`, "return operator.length === 2 ? changed", "return false ? changed"],
    [
      `${GUARD}/words.ts`,
      "if (pattern.length > known.length && !isEnding(value, operator, pattern)) return UNKNOWN;",
      "",
    ],
    [`${GUARD}/words.ts`, "if (!isTold && (isInFolder || !isEnding(value, operator, mark))) return UNKNOWN;", ""],
    [`${GUARD}/words.ts`, "if (mark.length !== 1 || /[?[\\]\\\\]/u.test(mark)) return UNKNOWN;", ""],
    [`${GUARD}/scan.ts`, "`${STAND_IN}${EARLIER}.`", "`${STAND_IN}.`"],
    [`${GUARD}/scan.ts`, 'isBelow ? "*" : `${STAND_IN}./found`', '"*"'],
    [`${GUARD}/variables.ts`, "isOpen: SET_BY_SHELL.has(name)", "isOpen: false"],
    [`${GUARD}/variables.ts`, "return SET_BY_SHELL.has(name) || isAnyOpen ? undefined : [];", "return [];"],
    [`${GUARD}/variables.ts`, "values.add(kept(text));", "values.add(plain(text));"],
    [`${GUARD}/walk.ts`, "inside(kept(inner)", "inside(plain(inner)"],
    [
      `${GUARD}/walk.ts`,
      "variables.addParameters(parameters.map(markedOf));",
      "variables.addParameters(parameters.map(({ text }) => text));",
    ],
    [`${GUARD}/walk.ts`, "        judgeNumber({ ...node, text: node.value });\n", ""],
    [
      `${GUARD}/walk.ts`,
      "for (const one of [operation.offset, operation.length]) if (one !== undefined) judgeNumber(one);",
      "void 0;",
    ],
    [`${GUARD}/walk.ts`, "judgeNumber({ text: written, parts: [part], pos, end });", "void part;"],
    [
      `${GUARD}/walk.ts`,
      "if (index !== undefined && !isAll && !isMap(parameter, node.pos, place)) judgeNumber(index);",
      "",
    ],
    [
      `${GUARD}/walk.ts`,
      "if (node.index !== undefined && !isMap(node.name, node.pos, place)) judgeNumber(node.index);",
      "",
    ],
    [
      `${GUARD}/walk.ts`,
      "if (subscript !== undefined) scan.judgeArithmetic(subscript,",
      'if (false) scan.judgeArithmetic(subscript ?? "",',
    ],
    [`${GUARD}/walk.ts`, "if (/^-(?:eq|ne|lt|le|gt|ge)$/u.test(operator)) judgeNumber(word);", ""],
    [
      `${GUARD}/walk.ts`,
      "return place.depth === 0 && source === text && pos > (maps.get(name) ?? Infinity);",
      "return true;",
    ],
    [`${GUARD}/arithmetic.ts`, 'if (text.includes(UNKNOWN)) return "unknown";', ""],
    [
      `${GUARD}/arithmetic.ts`,
      'if (values === undefined || values.some((one) => /[*?]/u.test(one))) return "unknown";',
      "if (values === undefined) continue;",
    ],
    [`${GUARD}/arithmetic.ts`, "if (problem !== undefined) return problem;", ""],
    [`${GUARD}/variable-builtins.ts`, "for (const one of targets) fill(scan, one);", ""],
    [`${GUARD}/variable-builtins.ts`, "if (isChanging || (equals !== -1 && word.isAssignment !== true))", "if (false)"],
    [`${GUARD}/variable-builtins.ts`, 'scan.fill(/^\\w+$/u.test(value ?? "") ? value : undefined);', ""],
    [`${GUARD}/variable-builtins.ts`, "for (const { text, source } of words) scan.judgeArithmetic(text, source);", ""],
    [`${GUARD}/file-lists.ts`, "areJudgedPaths(input.from) && lister", "lister"],
    [`${GUARD}/file-lists.ts`, "if (isUnpacking && !isSafe", "if (false && !isSafe"],
    [`${GUARD}/file-lists.ts`, "if (isListed && !scan.isRefused()) judgeList(scan, call, true);", ""],
    [`${GUARD}/archives.ts`, "if (lists.length > 0 || isOldStyle)", "if (false)"],
    [`${GUARD}/archives.ts`, "isVerbatim ? undefined : /^(?:find|fd|fdfind)$/u", "undefined"],
    [`${GUARD}/judge-call.ts`, "    more.length === 0 &&\n", ""],
    [`${GUARD}/judge-call.ts`, "isLocal && /^", "/^"],
  ]),
  ...planted({ ...SANDBOX, test: "test/exec/host.host.test.ts" }, [
    [`${HOST}/bubblewrap.ts`, '"--unshare-user", "--unshare-pid",', '"--unshare-user",'],
    [`${HOST}/bubblewrap.ts`, '...(network ? [] : ["--unshare-net"]),', ""],
    [`${HOST}/bubblewrap.ts`, '"--cap-drop", "ALL",', ""],
    [`${HOST}/bubblewrap.ts`, '"--die-with-parent", "--new-session",', '"--die-with-parent",'],
    [`${HOST}/bubblewrap.ts`, '"--remount-ro", "/proc",', ""],
    [`${HOST}/bubblewrap.ts`, '...(abilities.nestedNamespaces ? [] : ["--disable-userns"]),', ""],
    [`${HOST}/bubblewrap.ts`, '...(abilities.asRoot ? ["--uid", "1000", "--gid", "1000"] : []),', ""],
    [`${HOST}/sandbox-exec.ts`, '"(deny default)",', '"(allow default)",'],
    [
      `${HOST}/command-runner.ts`,
      'const guardMode = mode === "host" ? "restricted" : "open";',
      'const guardMode = "open" as const;',
    ],
    [
      `${HOST}/command-environment.ts`,
      "    ...Object.fromEntries(passed),\n",
      "    ...(options.parent as Record<string, string>),\n",
    ],
    [`${HOST}/run-process.ts`, 'process.kill(-child.pid, "SIGKILL");', 'process.kill(child.pid, "SIGKILL");'],
    [`${HOST}/run-process.ts`, "    timedOut = true;\n    killGroup();", "    timedOut = true;"],
  ]),
  ...planted({ threat: 9, promise: "a command uses no more than its limits", test: "test/exec/limits.host.test.ts" }, [
    [`${HOST}/system-limits.ts`, "`ulimit -f ${Math.floor(limits.fileBytes / BLOCK_BYTES)} 2>/dev/null`,", ""],
    [`${HOST}/system-limits.ts`, '["fileBytes", /\\bFile too large\\b/u],', ""],
    [`${HOST}/system-limits.ts`, "(limits.memoryBytes * DATA_FACTOR) / 1024", "2 ** 32"],
    [`${HOST}/watch-limits.ts`, 'if (family.length > limits.processes) await over("processes");\n      else if', "if"],
    [`${HOST}/watch-limits.ts`, "sumOf(processes.proportionalBytes) > limits.memoryBytes", "false"],
    [`${HOST}/watch-limits.ts`, 'if (added > limits.diskBytes) await over("diskBytes");', ""],
    [`${HOST}/watch-limits.ts`, "used - usedBefore +", "used +"],
    [`${HOST}/watch-limits.ts`, "...processes.namelessFiles(row)", ""],
    [`${HOST}/processes.ts`, "pid === leader || group === leader", "pid === leader"],
    [`${HOST}/processes.ts`, "waiting.push(...(children.get(row.pid) ?? []));", ""],
    [`${HOST}/run-process.ts`, 'for (const pid of family) signalTo(pid, "SIGKILL");', ""],
    [`${HOST}/watch-limits.ts`, 'for (const pid of pids) signalTo(pid, "SIGSTOP");', "return [];"],
    [`${HOST}/bubblewrap.ts`, "...sized(Math.min(temporaryBytes, MAX_TMP_BYTES)),", "...sized(MAX_TMP_BYTES),"],
    [
      `${HOST}/command-runner.ts`,
      "const timeoutMs = Math.min(askedMs, limits.seconds * 1000);",
      "const timeoutMs = askedMs;",
    ],
    ["src/tools/exec-limits.ts", "if (!Number.isSafeInteger(value) || value < min || value > max)", "if (false)"],
  ]),
  ...planted({ threat: 9, promise: "a command uses no more than its limits", test: "test/exec/simulated.test.ts" }, [
    ["src/tools/shell/simulated-runner.ts", "Math.min(askedMs, limits.seconds * 1000)", "askedMs"],
    [
      "src/tools/shell/simulated-runner.ts",
      "new library.InMemoryFs({}, { maxTotalBytes: maxWrittenBytes })",
      "new library.InMemoryFs()",
    ],
    ["src/tools/shell/workspace-files.ts", "if (writtenBytes + bytes.byteLength > maxWrittenBytes) {", "if (false) {"],
  ]),
  ...planted({ ...SANDBOX, test: "test/security/sandbox-or-nothing.host.test.ts" }, [
    [`${HOST}/command-runner.ts`, 'if (mode === "sandboxed" && found?.ok !== true)', "if (false)"],
    [`${HOST}/run-process.ts`, "if (stdout.totalBytes + stderr.totalBytes <= MAX_PRODUCED_BYTES) return;", "return;"],
  ]),
  ...planted({ ...FILES, test: "test/workspaces/host.host.test.ts" }, [
    [
      `${HOST}/locate.ts`,
      "if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))",
      "if (!real.startsWith(root))",
    ],
    [`${HOST}/locate.ts`, 'if (present === "link")', "if (false)"],
    [
      `${HOST}/host-workspace.ts`,
      'if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);\n    const { path } = guarded;',
      "const path = guarded.ok ? guarded.path : input;",
    ],
  ]),
  ...planted({ ...FILES, test: "test/workspaces/names.host.test.ts" }, [
    [`${HOST}/path-rules.ts`, 'platform === "win32"', "false"],
    [`${HOST}/locate.ts`, 'if (differsInCaseOnly(spelled, wanted.join("/")) && !', "if (false && !"],
    [`${HOST}/hidden-paths.ts`, '.replaceAll(/(?<=[^/\\\\. ])[. ]+(?=[/\\\\]|$)/gu, "")', ""],
    [`${HOST}/hidden-paths.ts`, '.replaceAll(/\\p{Default_Ignorable_Code_Point}/gu, "")', ""],
  ]),
  ...planted({ ...LISTED, test: "test/workspaces/names.host.test.ts" }, [
    [`${HOST}/host-workspace.ts`, 'location.why === "outside" ? "linkOutside" : "brokenLink"', '"brokenLink"'],
    [`${HOST}/host-workspace.ts`, 'return name.includes("\\ufffd") ? "notUtf8Name" : null;', "return null;"],
    [
      `${HOST}/host-workspace.ts`,
      'if (typeof found === "string") leftOut.push(found);',
      'if (typeof found === "string") continue;',
    ],
  ]),
  ...planted({ ...LISTED, test: "test/tools/names.test.ts" }, [
    ["src/tools/built-in/search-tools.ts", '      leftOut.add("unreadable");\n', ""],
  ]),
  ...planted({ ...FILES, test: "test/tools/names.test.ts" }, [
    ["src/tools/built-in/in-workspace.ts", "if (!ELSEWHERE.test(path)) return path;", "return path;"],
  ]),
  ...planted({ ...FILES, test: "test/workspaces/virtual.test.ts" }, [
    [
      "src/tools/virtual-workspace.ts",
      'if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);\n    return guarded.path;',
      "return guarded.ok ? guarded.path : input;",
    ],
  ]),
  ...planted({ ...FILES, test: "test/workspaces/races.host.test.ts" }, [
    [`${HOST}/open-folder.ts`, "if (anchor.target !== realPath) throw new FolderMoved();", ""],
    [`${HOST}/open-folder.ts`, "if (held.ino !== named.ino || held.dev !== named.dev) throw new FolderMoved();", ""],
  ]),
  ...planted({ ...FILES, test: "test/guard/paths.test.ts" }, [
    [
      "src/guard/paths.ts",
      "if (names.pop() === undefined) return refuse",
      "if (names.pop() === undefined && false) return refuse",
    ],
    [
      "src/guard/paths.ts",
      "const problemOfOne = isPosix ? problemOfPosixName(segment) : problemOfPortableName(segment, names.length === 0);",
      "const problemOfOne = undefined as string | undefined;",
    ],
    [
      "src/guard/paths.ts",
      '(hidden.includes(".") && isDots(hidden)) || SLASH_LOOKALIKE.test(decoded) || /[/\\\\\\0]/u.test(hidden)',
      "false",
    ],
    ["src/guard/paths.ts", 'names: accepted = "portable",', 'names: accepted = "posix",'],
    [
      "src/guard/paths.ts",
      "  return problemOfPlace(path);\n}\n\nfunction problemOfPortablePath",
      "  return undefined;\n}\n\nfunction problemOfPortablePath",
    ],
  ]),
  ...planted(IDS, [
    ["adapters/storage/fs/file-name.ts", "withoutObstacles(escapeUnits(segment))", "segment"],
    ["src/store/key.ts", 'segment.replaceAll("%", "%25").replaceAll("/", "%2F")', 'segment.replaceAll("/", "%2F")'],
    ["src/artifacts/artifacts.ts", "`${ROOT}${storeKey(session)}/`", "`${ROOT}`"],
  ]),
  ...planted({ ...OWN, test: "test/security/persistence.host.test.ts" }, [
    [`${HOST}/host-workspace.ts`, "if (await own.covers(location.real, location.missing)) throw fail(HIDDEN);", ""],
    [`${HOST}/host-workspace.ts`, 'if (await own.covers(folder.path, [name])) return "protected";', ""],
    [`${HOST}/hidden-paths.ts`, ".toUpperCase()\n    .toLowerCase()", ""],
    [`${HOST}/hidden-paths.ts`, "if (isWithin(realRoot, real))", "if (false)"],
    [
      "adapters/cli/load-assistant.ts",
      "hostWorkspace({ root: folder, hidden, exec: { mode, limits } })",
      "hostWorkspace({ root: folder, exec: { mode, limits } })",
    ],
    ["adapters/cli/load-assistant.ts", "    DEFAULT_CONFIG,\n", ""],
    ["adapters/cli/load-assistant.ts", "    policyPath(settings, cwd),\n", ""],
    ["adapters/cli/load-assistant.ts", "    ...secretFiles,\n", ""],
    ["adapters/cli/settings.ts", "secretFiles.push(secretFile);", ""],
  ]),
  ...planted({ ...OWN, test: "test/workspaces/hidden.host.test.ts" }, [
    [
      `${HOST}/hidden-paths.ts`,
      "isWithin(target, path) || isWithin(target, await realWhereItIs(calls, path))",
      "isWithin(target, path)",
    ],
    [`${HOST}/hidden-paths.ts`, "    if (link !== undefined)\n", "    if (false)\n"],
    [
      `${HOST}/host-workspace.ts`,
      "if (await own.covers(above.real, [name])) throw fail(HIDDEN);\n        return inFolder",
      "return inFolder",
    ],
    [`${HOST}/host-workspace.ts`, 'if (await own.covers(location.real)) return "protected";', ""],
    [`${HOST}/bubblewrap.ts`, "    ...holdFoldersAbove(hidden, root),\n", ""],
  ]),
  ...planted({ ...OWN, test: "test/exec/host.host.test.ts" }, [
    [
      `${HOST}/bubblewrap.ts`,
      'if (statSync(path).isDirectory()) return ["--tmpfs", path, "--remount-ro", path];',
      "return [];",
    ],
  ]),
  ...planted(CODE, [
    [`${HOST}/run-process.ts`, "    windowsHide: true,\n", "    windowsHide: true,\n    shell: true,\n"],
    [
      `${HOST}/run-process.ts`,
      'import { spawn } from "node:child_process";',
      'import { exec, spawn } from "node:child_process";\nvoid exec;',
    ],
    [
      "src/tools/patterns/plain-pattern.ts",
      "const expression = new RegExp(",
      "const expression = (0, eval)(`1`) && new RegExp(",
    ],
  ]),
];
