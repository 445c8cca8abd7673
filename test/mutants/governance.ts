import { type Mutant, planted } from "./mutant.ts";

const IDENTITY = { threat: 1, promise: "being let in hangs on a stable id alone" };
const ENTRANCE = { threat: 2, promise: "every way to run a tool is one way" };
const APPROVAL = { threat: 10, promise: "an approval is for one call, by who may give it, in its time" };
const GRANTS = { threat: 12, promise: "nobody lets themselves in" };
const KEYS = { threat: 13, promise: "whose something is cannot be confused" };
const LOADING = { threat: 14, promise: "nothing that lies about is loaded, and nothing widens what is allowed" };

const ACCESS = "src/policy/access.ts";
const DECIDE = "src/policy/decide-tool.ts";
const DISPATCH = "src/tools/dispatch.ts";
const INBOX = "src/inbox/inbox.ts";
const ADMISSION = "src/inbox/admission.ts";
const APPROVALS = "src/approvals/approvals.ts";
const RULES = "src/approvals/rules.ts";

/** Who may what: access, policy, the dispatch point, approvals, keys. */
export const GOVERNANCE: readonly Mutant[] = [
  ...planted({ ...IDENTITY, test: "test/security/stable-identity.test.ts" }, [
    [ACCESS, "access.allow?.includes(id)", "access.allow?.some((one) => id.startsWith(one))"],
    [
      ACCESS,
      "access.allow?.includes(id)",
      "access.allow?.some((one) => one.toLowerCase() === id.trim().toLowerCase())",
    ],
    [
      ACCESS,
      "access.allow?.includes(id)",
      'access.allow?.some((one) => one === id || one === (message.sender.name ?? ""))',
    ],
    [ACCESS, "access.allow?.includes(id)", "access.allow?.some((one) => one === id || one === message.peer.id)"],
    [ACCESS, "ownerIds.includes(`${message.channel}:${id}`)", "ownerIds.some((one) => one.endsWith(`:${id}`))"],
    [ACCESS, 'if (id === "") return { verdict: "refuse", reason: "the sender has no id", tell: false };', ""],
    [ACCESS, 'if (message.sender.id === "") return', "if (false) return"],
    [ACCESS, "if (id !== id.trim() || message.peer.id !== message.peer.id.trim())", "if (false)"],
    [
      ACCESS,
      'if (mode === "disabled") return { verdict: "refuse", reason: "groups are disabled on this channel", tell: false };',
      "",
    ],
    [
      ADMISSION,
      "const decision = access.decide(message, channel.access);",
      'const decision = access.decide(message, { ...channel.access, allow: [...(channel.access.allow ?? []), "ada", "bob"] });',
    ],
    [
      "src/session/route.ts",
      "const isOwner = ownerIds.includes(`${message.channel}:${message.peer.id}`);",
      "const isOwner = ownerIds.some(isSender);",
    ],
    [
      "src/policy/roles.ts",
      "const isOwner = ownerIds.includes(user)",
      "const isOwner = ownerIds.some((one) => user.startsWith(one))",
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/security/one-entrance.test.ts" }, [
    [
      "src/policy/policy.ts",
      "return decideChain(subject, (link) => decideLink(tool, link));",
      "return decideLink(tool, subject);",
    ],
    [DECIDE, "if (length > MAX_CHAIN)", "if (length > 100 * MAX_CHAIN)"],
    [DISPATCH, "if ((caller.depth ?? 0) > MAX_CALL_DEPTH)", "if ((caller.depth ?? 0) > 60)"],
    [
      DISPATCH,
      "if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {",
      "if (!isVisible(tool, visibilityOf(caller))) {",
    ],
    [DISPATCH, "if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {", "if (!decision.allowed) {"],
    [DISPATCH, "if (!tool.dangerous) return execute(", "if (!tool.dangerous || !caller.inTurn) return execute("],
    [
      DISPATCH,
      "if (!tool.dangerous) return execute(",
      "if (!tool.dangerous || (caller.depth ?? 0) > 0) return execute(",
    ],
    [DISPATCH, "    if (refused !== undefined) {", "    if (false) {"],
    [DISPATCH, '    if (!admitted.ok) return "error" in admitted ? { error: admitted.error } : {};', ""],
    [
      DISPATCH,
      "run(name, input, { ...caller, depth: depth + 1 }",
      'run(name, input, { ...caller, speaker: { ...speaker, roles: ["owner"] }, depth: depth + 1 }',
    ],
    [
      DISPATCH,
      "return { channel, roles, sessionKey, ...(startedBy && { startedBy }) };",
      "return { channel, roles, sessionKey };",
    ],
    [
      DISPATCH,
      "    ...(startedBy && { startedBy }),\n  };\n}\n\n/** The caller of a call",
      "  };\n}\n\n/** The caller of a call",
    ],
    [
      DISPATCH,
      "return registry.visible(visibilityOf(caller), (tool) => !decide(tool, subject).allowed);",
      "return registry.visible(visibilityOf(caller), () => subject === undefined);",
    ],
    [
      DECIDE,
      "    const decision = decide(link);\n    if (!decision.allowed)",
      "    const decision = decide(link);\n    if (!decision.allowed && link.startedBy !== undefined)",
    ],
    [DECIDE, "  if (denial) return", "  if (denial && policy.allow.length > 0) return"],
    [
      INBOX,
      'const answer = kind === "note" ? null : readApprovalCommand(message.text);',
      "const answer = readApprovalCommand(message.text);",
    ],
    [INBOX, 'if (isPress) return { outcome: "refused", reason: "no such button" };', ""],
    [
      INBOX,
      'if (decision.verdict === "refuse") return admission.refuse',
      'if (decision.verdict === "refuse" && message.kind === undefined) return admission.refuse',
    ],
    [
      INBOX,
      'if (decision.verdict === "refuse") return admission.refuse',
      'if (decision.verdict === "refuse" && !readApprovalCommand(message.text)) return admission.refuse',
    ],
    [
      "src/http/mcp-tools.ts",
      "messageInput(caller, { text, session }, id)",
      'messageInput({ ...caller, role: "owner" }, { text, session }, id)',
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/tools/dispatch.test.ts" }, [
    [
      DISPATCH,
      "its guard failed: ${redact(messageOf(error))}`;",
      "its guard failed: ${redact(messageOf(error))}`.slice(0, 0) || undefined;",
    ],
    ["src/tools/registry.ts", "  } catch {\n    return false;", "  } catch {\n    return true;"],
  ]),
  ...planted({ ...ENTRANCE, test: "test/policy/decide-tool.test.ts" }, [
    [DECIDE, "  if (denial) return", "  if (denial && !findCovering(policy.allow, tool)) return"],
    [
      DECIDE,
      "if (profile.name === DEFAULT_PROFILE) fallback = profile;\n    else if",
      "if (profile.name === DEFAULT_PROFILE) fallback = profile;\n    if",
    ],
    [
      DECIDE,
      "if (roles && !subject.roles?.some((role) => isSaid(role) && roles.includes(role))) return false;",
      "if (roles && subject.roles && !subject.roles.some((role) => isSaid(role) && roles.includes(role))) return false;",
    ],
    [
      DECIDE,
      "if (channels && !(isSaid(subject.channel) && channels.includes(subject.channel))) return false;",
      "if (channels && isSaid(subject.channel) && !channels.includes(subject.channel)) return false;",
    ],
    [DECIDE, "return isSaid(sessionKey) && sessions.some(", "return !isSaid(sessionKey) || sessions.some("],
    [
      DECIDE,
      'return { allowed: false, profile: null, reason: "no profile matches, and there is no default" };',
      'return { allowed: true, profile: null, reason: "no profile matches, and there is no default" };',
    ],
    [DECIDE, 'rule.tool === name && name !== ""', "name.startsWith(rule.tool)"],
  ]),
  ...planted({ ...ENTRANCE, test: "test/policy/policy.test.ts" }, [
    [
      "src/policy/policy.ts",
      'onChange({ file: from, verdict: "failed", reason: messageOf(error) });',
      'onChange({ file: from, verdict: "failed", reason: messageOf(error) });\n        current = SHIPPED_POLICY;',
    ],
  ]),
  ...planted({ ...APPROVAL, test: "test/security/approval-confusion.test.ts" }, [
    [
      APPROVALS,
      "approvers.includes(user) && parts.approvers().includes(user)",
      'approvers.includes(user) || user.startsWith("memory:")',
    ],
    [APPROVALS, "if (at >= record.expiresAt)", "if (at > record.expiresAt)"],
    [APPROVALS, "    if (!isAnswerable(record, isDenied)) throw alreadyAnswered(record);", ""],
    [APPROVALS, "    if ((await bindingHash(claimed.record)) !== claimed.record.hash)", "    if (false)"],
    [DISPATCH, "canonicalJson(now.boundTo) === canonicalJson(record.boundTo)", "true"],
    [RULES, "if (!isSame || !sameJson(rule.boundTo, asked.boundTo)) continue;", "if (!isSame) continue;"],
    [RULES, "rule.definition === asked.definition && rule.for === holds", "rule.definition === asked.definition"],
    [
      RULES,
      "sameJson(rule.input, asked.input)",
      "JSON.stringify(asked.input).startsWith(JSON.stringify(rule.input).slice(0, 12))",
    ],
    ["src/approvals/ledger.ts", "toDocument(record), { expect: kept.version });", "toDocument(record));"],
    [
      "src/codes.ts",
      "const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));",
      "const byte = 7 + code.length;",
    ],
    ["src/approvals/request-text.ts", "Math.max(3, longestRun(body) + 1)", "3"],
    ["src/call-text.ts", '.map((field) => field.replaceAll("\\n", "\\n    "))', ""],
    ["src/call-text.ts", "\\p{Default_Ignorable_Code_Point}", ""],
    ["src/call-text.ts", "\\p{Cc}", ""],
    ["src/call-text.ts", "setIn(describe(input))]", "setIn(describe(input)).slice(0, 3500)]"],
    [
      "src/inbox/approval-answers.ts",
      "const isTold = target !== undefined && !(isPress && told.refused);",
      "const isTold = target !== undefined;",
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/http/mcp-people.test.ts" }, [
    [INBOX, "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);", ""],
    [
      INBOX,
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && !input.asOwner) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    [
      INBOX,
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      'if (input.isProgram === true && answer.answer !== "deny") return approvals.refuseProgram(answer, sessionKey, record);',
    ],
    [
      INBOX,
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && input.session === undefined) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    [
      INBOX,
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && answer.code.length < 8) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    ["src/http/mcp-tools.ts", ", isProgram: true }", " }"],
    [
      "src/http/mcp-tools.ts",
      "checked(RecallInput, given), speakerIn(caller));",
      'checked(RecallInput, given), speakerIn({ ...caller, role: "owner" }));',
    ],
    [
      "src/tools/host-tools.ts",
      "return dispatch.visible(caller).some(({ name }) => name === RECALL);",
      "return caller !== undefined;",
    ],
    [
      "src/tools/host-tools.ts",
      "callerOf(speaker, speaker.asOwner === true);\n      return dispatch",
      "callerOf(speaker, true);\n      return dispatch",
    ],
    [
      "src/tools/host-tools.ts",
      "return run(RECALL, input, callerOf(speaker, speaker.asOwner === true));",
      "return run(RECALL, input, callerOf(speaker, true));",
    ],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/elsewhere.test.ts" }, [
    [APPROVALS, "    if (!parts.hasTool(tool)) {", "    if (false) {"],
    [APPROVALS, "      withoutTool.set(id, tool);\n", ""],
    [APPROVALS, "    if (clock.now() >= runBy) {", "    if (false) {"],
    [
      APPROVALS,
      'begun = await ledger.replace(approved, { state: "running", begunAt: clock.now() });',
      'begun = { ...approved, record: { ...approved.record, state: "running" } };',
    ],
    [
      APPROVALS,
      "const isElsewhere = !begunHere.has(id) && begunAt > madeAt",
      "const isElsewhere = false && begunAt > madeAt",
    ],
    [APPROVALS, "begunAt > madeAt && clock.now() < endsAt", "begunAt > madeAt"],
    [APPROVALS, 'return state === "open" || (isDenied && state === "approved");', 'return state === "open";'],
    [
      APPROVALS,
      'return state === "open" || (isDenied && state === "approved");',
      'return state === "open" || state === "approved";',
    ],
    [APPROVALS, "    await takeBackRule(claimed.record);\n", ""],
    [APPROVALS, "    await takeBackRule(kept.record);\n", ""],
    [
      APPROVALS,
      'if (answer?.answer !== "always" || hasRule) return kept;',
      'if (answer?.answer !== "always") return kept;',
    ],
    [APPROVALS, 'if (kept.record.state !== "ended") return kept.record;', ""],
    [APPROVALS, "Math.min(expiresAt, clock.now() + LOOK_AGAIN_MS)", "expiresAt"],
    ["src/tools/answer-request.ts", "if (!record || !(await dispatch.hasSame(record)))", "if (!record)"],
    [
      "src/tools/answer-request.ts",
      "if (!record || !(await dispatch.hasSame(record)))",
      "if (!record || (dispatch as { find?(name: string): unknown }).find?.(record.tool) === undefined)",
    ],
    ["src/inbox/follow-ups.ts", '    if (record.state !== "ended") return null;\n', ""],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/which-code.test.ts" }, [
    [APPROVALS, "(asOwner || isApprover(user, record))", "true"],
    ["src/inbox/approval-decisions.ts", "...(isOwner ? await pairingCodes() : [])", "...(await pairingCodes())"],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/approvals.test.ts" }, [
    [APPROVALS, "approvers.includes(user) && parts.approvers().includes(user)", "approvers.includes(user)"],
    [APPROVALS, "    if ((await bindingHash(record)) !== record.hash)", "    if (false)"],
    [
      APPROVALS,
      'if (!isElsewhere) return end(running, { verdict: "interrupted", at: clock.now() });',
      "if (!isElsewhere) return runOnce(running);",
    ],
    [DISPATCH, "now.definition === record.definition &&", ""],
    [
      RULES,
      "rule.tool === asked.tool && rule.definition === asked.definition && rule.for === holds",
      "rule.tool === asked.tool && rule.for === holds",
    ],
    [RULES, "if (fits && (await ruleHash(rest)) === hash) return rule;", "if (fits && rest && hash) return rule;"],
    ["src/approvals/binding.ts", "approvers, expiresAt }));", "approvers }));"],
    ["src/approvals/binding.ts", "caller: { ...caller }, ", ""],
  ]),
  ...planted({ ...GRANTS, test: "test/security/nothing-grants-itself.test.ts" }, [
    [ACCESS, "const mode = access.dm ?? DEFAULT_DIRECT_ACCESS;", 'const mode = access.dm ?? "open";'],
    [
      ACCESS,
      'if (mode === "open") return { verdict: "let-in"',
      'if (mode === "open" || mode === "pairing") return { verdict: "let-in"',
    ],
    [
      ACCESS,
      'if (mode === "open") return { verdict: "let-in"',
      'if (mode !== "allowlist" || access.allow === undefined) return { verdict: "let-in"',
    ],
    [ACCESS, '  if (mode === "disabled")\n', '  if (mode === "disabled" && !access.allow?.includes(id))\n'],
    [ADMISSION, "toldTo.hit(user).hits > 1 || ", ""],
    ["src/policy/roles.ts", 'if (user === "") return [];', 'if (user === "") return [OWNER_ROLE];'],
    [
      "src/policy/roles.ts",
      "rest.every((roles) => roles.includes(role))",
      "rest.some((roles) => roles.includes(role))",
    ],
  ]),
  ...planted({ ...KEYS, test: "test/security/keys-apart.test.ts" }, [
    ["src/store/key.ts", 'segment.replaceAll("%", "%25").replaceAll("/", "%2F")', 'segment.replaceAll("/", "%2F")'],
    ["src/store/key.ts", 'segment.replaceAll("%", "%25").replaceAll("/", "%2F")', "segment"],
    [
      "src/session/session-key.ts",
      "trimmed.replace(/%|:/g, escapeCharacter).replace(/\\p{Lu}/gu, escapeCharacter)",
      "trimmed.replace(/\\p{Lu}/gu, escapeCharacter)",
    ],
    ["src/session/session-key.ts", ".replace(/\\p{Lu}/gu, escapeCharacter)", ".toLowerCase()"],
    [
      "src/session/session-key.ts",
      ": trimmed.toLowerCase().replace(/%|:/g, escapeCharacter);",
      ": trimmed.toLowerCase();",
    ],
    [
      "src/session/route.ts",
      "return `${prefix}:${channel}:${sessionKeyPart(message.account ?? DEFAULT_ACCOUNT)}:direct:${peer}`;",
      "return `${prefix}:${channel}:direct:${peer}`;",
    ],
    ["src/session/route.ts", 'return apart ? `${key}:thread:${part(message.thread ?? "")}` : key;', "return key;"],
    ["src/artifacts/artifacts.ts", 'storeKey(session, "content", id)', 'storeKey("content", id)'],
    ["src/artifacts/artifacts.ts", "`${ROOT}${storeKey(session)}/`", "`${ROOT}${storeKey(session)}`"],
    [
      "src/artifacts/artifacts.ts",
      "if (!ULID.test(id)) return undefined;\n    return (await load(session)).entries",
      'return (await load("a")).entries',
    ],
    [
      "src/tools/late-results.ts",
      "    await store.remove(key, { expect: found.version })",
      "    await Promise.resolve()",
    ],
    ["src/approvals/binding.ts", "caller: { ...caller }, ", ""],
    ["src/approvals/binding.ts", "tool, input, boundTo, definition, caller: {", "tool, boundTo, definition, caller: {"],
    ["src/store/canonical-json.ts", "JSON.stringify(name)}:", "name}:"],
    ["src/guard/shared-rate-counter.ts", 'storeKey("rate", name, key)', 'storeKey("rate", name)'],
  ]),
  ...planted({ ...LOADING, test: "test/security/nothing-loads-itself.host.test.ts" }, [
    ["adapters/cli/load-assistant.ts", "    ...READ_BY_BUN,\n", ""],
    [
      "src/tools/registry.ts",
      'const LEVELS: readonly ToolLevel[] = ["static", "dynamic", "mcp"];',
      'const LEVELS: readonly ToolLevel[] = ["dynamic", "static", "mcp"];',
    ],
    [
      DISPATCH,
      "      speaker,\n      user,",
      "      speaker,\n      ...({ registry, decide } as object),\n      user,",
    ],
  ]),
  ...planted(
    {
      threat: 14,
      promise: "nothing an MCP server says widens what is allowed",
      test: "test/tools/mcp/connections.test.ts",
    },
    [
      ["src/tools/mcp/as-tool.ts", "const { dangerous = true, groups", "const { dangerous = false, groups"],
      ["src/tools/mcp/as-tool.ts", "idempotent: trustAnnotations && repeatable", "idempotent: repeatable"],
      ["src/tools/mcp/as-tool.ts", "withoutMarkers(description.replace(", "(description.replace("],
      ["src/tools/mcp/as-tool.ts", "untrusted: true,", ""],
      ["src/tools/mcp/pins.ts", "if (pin?.fingerprint === tool.fingerprint) {", "if (pin !== undefined) {"],
      ["src/tools/mcp/pins.ts", "pin === undefined && trustNewTools", "pin === undefined"],
      [
        "src/tools/mcp/server-link.ts",
        "{ name: tool, fingerprint, ...(found",
        "{ name: tool, fingerprint: heldBack.find((one) => one.definition.name === tool)?.fingerprint ?? fingerprint, ...(found",
      ],
      [
        "src/tools/mcp/fingerprint.ts",
        "return sha256(canonicalJson({ name, description, inputSchema, annotations }));",
        'return sha256(canonicalJson({ name, inputSchema, annotations: description === "" ? annotations : null }));',
      ],
    ],
  ),
  ...planted({ ...ENTRANCE, test: "test/http/mcp.test.ts" }, [
    ["src/http/mcp.ts", 'if (caller.via !== "bearer")', "if (false)"],
    ["src/http/mcp.ts", 'if (originOf(request) === "foreign")', "if (false)"],
    [
      "src/http/mcp-tools.ts",
      "const { text, session, id = newId(clock) } = checked(SendInput, given);",
      "const { text, session, id = newId(clock) } = given as { text: string; session?: string; id?: string };",
    ],
  ]),
  ...planted(
    { threat: 13, promise: "what follows an answer is told to who gave it", test: "test/inbox/follow-ups.test.ts" },
    [["src/inbox/follow-ups.ts", "kept ? kept.push(event) : tell(event)", "tell(event)"]],
  ),
];
