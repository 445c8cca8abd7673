import { type Mutant, planted } from "./mutant.ts";

const IDENTITY = { threat: 1, promise: "being let in hangs on a stable id alone" };
const ENTRANCE = { threat: 2, promise: "every way to run a tool is one way" };
const APPROVAL = { threat: 10, promise: "an approval is for one call, by who may give it, in its time" };
const GRANTS = { threat: 12, promise: "nobody lets themselves in" };
const KEYS = { threat: 13, promise: "whose something is cannot be confused" };
const LOADING = { threat: 14, promise: "nothing that lies about is loaded, and nothing widens what is allowed" };

const POLICY = "src/policy";
const INBOX = "src/inbox";
const SESSION = "src/session";
const TOOLS = "src/tools";
const HTTP = "src/http";
const APPROVALS = "src/approvals";
const CALL_TEXT = "src/call-text.ts";
const STORE = "src/store";
const ARTIFACTS = "src/artifacts";

const JOBS = { threat: 2, promise: "a job has the rights of whoever made it, and runs once" };

/** Who may what: access, policy, the dispatch point, approvals, keys. */
export const GOVERNANCE: readonly Mutant[] = [
  ...planted({ ...JOBS, test: "test/work/jobs.test.ts" }, [
    ["src/work", "createJobTurns", "peer: peerOf(job, home)", 'peer: { kind: "direct", id: parseUser(user).id }'],
    ["src/work", "rolesNow", "roles.filter((role) => now.includes(role))", "roles"],
    ["src/schedule", "visible", "(!isOwner && job.user !== user)", "false"],
    ["src/schedule", "pausable", 'job.source !== "static"', "true"],
    ["src/schedule", "create", "jobs.count(place.user) >= MAX_JOBS_A_PERSON", "false"],
    ["src/work", "createWorkBudget", "used.dayTokens >= daily", "false"],
    ["src/session", "isAlone", "origin !== undefined", "false"],
    ["src/work", "isTooSoon", "since >= 0 && since < NOT_AGAIN_MS", "false"],
  ]),
  ...planted({ ...JOBS, test: "test/schedule/jobs.test.ts" }, [
    ["src/schedule", "update", "...(roles && { roles: newest.roles.filter((role) => roles.includes(role)) }),", ""],
  ]),
  ...planted({ ...JOBS, test: "test/schedule/runs.test.ts" }, [
    ["src/schedule", "createRuns", "{ id: idOfLine(line) }", "{}"],
    ["src/schedule", "idOfLine", ": `${run}#end`;", ": `${run}#${Math.random()}`;"],
  ]),
  ...planted({ ...JOBS, test: "test/work/scheduler.test.ts" }, [
    ["src/schedule", "idOfLine", 'line["claims"] === true', "false"],
  ]),
  ...planted({ ...JOBS, test: "test/work/job-approval.test.ts" }, [
    ["src/work", "createJobLeave", "if (!job.approvalRequired)", "if (true)"],
    ["src/work", "createJobLeave", "run.agreedTask === job.task", "true"],
    ["src/work", "createJobRuns.again", "if (reply) await results.takeBackAsked(reply);", ""],
    ["src/work", "consent", '&& asked.outcome?.verdict !== "done"', '&& asked.outcome?.verdict === ""'],
    ["src/schedule", "update", "change.approvalRequired === false && !viewer.isOwner", "false"],
  ]),
  ...planted({ ...JOBS, test: "test/retention/retention.test.ts" }, [
    ["src/schedule", "trim", "run !== newest && ", ""],
    ["src/schedule", "trim", "if (isUnderWay) return true;", ""],
    ["src/schedule", "trim", "if (isUnderWay) return true;", "if (isUnderWay) return false;"],
    ["src/schedule", "putBack", "{ id: idOfLine(line) }", "{}"],
    ["src/retention", "createOldSessions", "Math.max(days, REPEATED_WITHIN_DAYS)", "days"],
  ]),
  ...planted({ ...KEYS, test: "test/http/terminal.test.ts" }, [[HTTP, "terminalKeyFor", 'role !== "owner"', "false"]]),
  ...planted({ ...JOBS, test: "test/http/events.test.ts" }, [
    ["src/http", "feed", "isTheirs(user) && eventId > since", "eventId > since"],
    ["src/http", "feed", "isTheirs(payload.user) && tellKept(payload)", "tellKept(payload)"],
    ["src/http", "feed", 'caller.role === "owner" || isTheirs(user)', "true"],
  ]),
  ...planted({ ...KEYS, test: "test/turn/chat-commands.test.ts" }, [
    [INBOX, "createOwnJobs", "users.isTheirs(message, job)", "true"],
    [INBOX, "createOwnJobs", "(!isGroup || job.session === sessionKey)", "true"],
  ]),
  ...planted({ ...KEYS, test: "test/session/memory-users.test.ts" }, [
    [SESSION, "isTheirs", "(key === undefined || roles.includes(OWNER_ROLE))", "true"],
    [SESSION, "isTheirs", "isProgram && person === ownersMemory()", "isProgram"],
  ]),
  ...planted({ ...KEYS, test: "test/http/mcp-people.test.ts" }, [
    [HTTP, "offeredTools", "({ user }) => user === undefined", "() => true"],
    [TOOLS, "schedulerTools", "job.user !== speaker.user && { user: job.user, own: isTheirs(speaker, job) }", "false"],
  ]),
  ...planted({ ...KEYS, test: "test/tools/channel-history.test.ts" }, [
    [TOOLS, "channelHistoryTool", "users.memoryUserOf(message) === person", "person !== undefined"],
    [TOOLS, "channelHistoryTool", 'message.type === "in" &&', 'message.type === "heard" ||'],
    [TOOLS, "channelHistoryTool", "untrusted: true", "untrusted: false"],
  ]),
  ...planted({ ...KEYS, test: "test/session/chat-history.stress.test.ts" }, [
    [SESSION, "messagesOf", "record.of.some((id) => seen.has(id))", "true"],
    [SESSION, "messagesOf", "if (!isSeen(record)) return [];", ""],
  ]),
  ...planted({ ...GRANTS, test: "test/turn/chat-commands.test.ts" }, [
    [INBOX, "isAllowed", "FOR_OWNERS.includes(name)", "false"],
  ]),
  ...planted({ ...IDENTITY, test: "test/security/stable-identity.test.ts" }, [
    [POLICY, "decideAccess", "access.allow?.includes(id)", "access.allow?.some((one) => id.startsWith(one))"],
    [
      POLICY,
      "decideAccess",
      "access.allow?.includes(id)",
      "access.allow?.some((one) => one.toLowerCase() === id.trim().toLowerCase())",
    ],
    [
      POLICY,
      "decideAccess",
      "access.allow?.includes(id)",
      'access.allow?.some((one) => one === id || one === (message.sender.name ?? ""))',
    ],
    [
      POLICY,
      "decideAccess",
      "access.allow?.includes(id)",
      "access.allow?.some((one) => one === id || one === message.peer.id)",
    ],
    [
      POLICY,
      "decideAccess",
      "ownerIds.includes(`${message.channel}:${id}`)",
      "ownerIds.some((one) => one.endsWith(`:${id}`))",
    ],
    [
      POLICY,
      "decideAccess",
      'if (id === "") return { verdict: "refuse", reason: "the sender has no id", tell: false };',
      "",
    ],
    [POLICY, "decideGroup", 'if (message.sender.id === "") return', "if (false) return"],
    [POLICY, "decideAccess", "if (id !== id.trim() || message.peer.id !== message.peer.id.trim())", "if (false)"],
    [
      POLICY,
      "decideGroup",
      'if (mode === "disabled") return { verdict: "refuse", reason: "groups are disabled on this channel", tell: false };',
      "",
    ],
    [
      INBOX,
      "decide",
      "const decision = access.decide(message, channel.access);",
      'const decision = access.decide(message, { ...channel.access, allow: [...(channel.access.allow ?? []), "ada", "bob"] });',
    ],
    [
      SESSION,
      "directKey",
      "const isOwner = ownerIds.includes(`${message.channel}:${message.peer.id}`);",
      "const isOwner = ownerIds.some(isSender);",
    ],
    [
      POLICY,
      "rolesOf",
      "const isOwner = ownerIds.includes(user)",
      "const isOwner = ownerIds.some((one) => user.startsWith(one))",
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/security/one-entrance.test.ts" }, [
    [
      POLICY,
      "decide",
      "return decideChain(subject, (link) => decideLink(tool, link));",
      "return decideLink(tool, subject);",
    ],
    [POLICY, "decideChain", "if (length > MAX_CHAIN)", "if (length > 100 * MAX_CHAIN)"],
    [TOOLS, "admit", "if ((caller.depth ?? 0) > MAX_CALL_DEPTH)", "if ((caller.depth ?? 0) > 60)"],
    [
      TOOLS,
      "admit",
      "if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {",
      "if (!isVisible(tool, visibilityOf(caller))) {",
    ],
    [TOOLS, "admit", "if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {", "if (!decision.allowed) {"],
    [
      TOOLS,
      "createDispatch.runUnlessRefused",
      "if (!tool.dangerous) return execute(",
      "if (!tool.dangerous || !caller.inTurn) return execute(",
    ],
    [
      TOOLS,
      "createDispatch.runUnlessRefused",
      "if (!tool.dangerous) return execute(",
      "if (!tool.dangerous || (caller.depth ?? 0) > 0) return execute(",
    ],
    [TOOLS, "admit", "if (refused !== undefined) {", "if (false) {"],
    [TOOLS, "runIfSame", 'if (!admitted.ok) return "error" in admitted ? { error: admitted.error } : {};', ""],
    [
      TOOLS,
      "callTool",
      "run(name, input, { ...caller, depth: depth + 1 }",
      'run(name, input, { ...caller, speaker: { ...speaker, roles: ["owner"] }, depth: depth + 1 }',
    ],
    [
      TOOLS,
      "subjectOf",
      "return { channel, roles, sessionKey, ...(startedBy && { startedBy }) };",
      "return { channel, roles, sessionKey };",
    ],
    [TOOLS, "savedCaller", "...(startedBy && { startedBy }),", ""],
    [
      TOOLS,
      "createDispatch.visible",
      "(tool) => !decide(tool, subject).allowed || !isGiven(tool, caller)",
      "(tool) => subject === undefined || !isGiven(tool, caller)",
    ],
    [
      POLICY,
      "decideChain",
      "const decision = decide(link); if (!decision.allowed)",
      "const decision = decide(link); if (!decision.allowed && link.startedBy !== undefined)",
    ],
    [POLICY, "decideByProfile", "if (denial) return", "if (denial && policy.allow.length > 0) return"],
    [
      INBOX,
      "accept",
      'const answer = kind === "note" || kind === "reaction" ? null : readApprovalCommand(message.text);',
      "const answer = readApprovalCommand(message.text);",
    ],
    [
      INBOX,
      "accept",
      "if (isPress) return signs.press(message.text, source);",
      'const pressed = await signs.press(message.text, source); if (isPress && pressed.outcome !== "refused") return pressed;',
    ],
    [
      INBOX,
      "accept",
      'if (decision.verdict === "refuse") return admission.refuse',
      'if (decision.verdict === "refuse" && message.kind === undefined) return admission.refuse',
    ],
    [
      INBOX,
      "accept",
      'if (decision.verdict === "refuse") return admission.refuse',
      'if (decision.verdict === "refuse" && !readApprovalCommand(message.text)) return admission.refuse',
    ],
    [
      HTTP,
      "run",
      "messageInput(caller, { text, session }, id)",
      'messageInput({ ...caller, role: "owner" }, { text, session }, id)',
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/tools/dispatch.test.ts" }, [
    [
      TOOLS,
      "createDispatch.guarded",
      "`its guard failed: ${redact(messageOf(error))}`;",
      "`its guard failed: ${redact(messageOf(error))}`.slice(0, 0) || undefined;",
    ],
    [TOOLS, "isVisible", "} catch { return false;", "} catch { return true;"],
  ]),
  ...planted({ ...ENTRANCE, test: "test/policy/decide-tool.test.ts" }, [
    [POLICY, "decideByProfile", "if (denial) return", "if (denial && !findCovering(policy.allow, tool)) return"],
    [
      POLICY,
      "profileFor",
      "if (profile.name === DEFAULT_PROFILE) fallback = profile; else if",
      "if (profile.name === DEFAULT_PROFILE) fallback = profile; if",
    ],
    [
      POLICY,
      "matches",
      "if (roles && !subject.roles?.some((role) => isSaid(role) && roles.includes(role))) return false;",
      "if (roles && subject.roles && !subject.roles.some((role) => isSaid(role) && roles.includes(role))) return false;",
    ],
    [
      POLICY,
      "matches",
      "if (channels && !(isSaid(subject.channel) && channels.includes(subject.channel))) return false;",
      "if (channels && isSaid(subject.channel) && !channels.includes(subject.channel)) return false;",
    ],
    [POLICY, "matches", "return isSaid(sessionKey) && sessions.some(", "return !isSaid(sessionKey) || sessions.some("],
    [
      POLICY,
      "withoutProfile",
      'return { allowed: false, profile: null, reason: "no profile matches, and there is no default" };',
      'return { allowed: true, profile: null, reason: "no profile matches, and there is no default" };',
    ],
    [POLICY, "covers", 'rule.tool === name && name !== ""', "name.startsWith(rule.tool)"],
  ]),
  ...planted({ ...ENTRANCE, test: "test/policy/policy.test.ts" }, [
    [
      POLICY,
      "replace",
      'onChange({ file: from, verdict: "failed", reason: messageOf(error) });',
      'onChange({ file: from, verdict: "failed", reason: messageOf(error) }); current = SHIPPED_POLICY;',
    ],
  ]),
  ...planted({ ...APPROVAL, test: "test/security/approval-confusion.test.ts" }, [
    [
      APPROVALS,
      "isApprover",
      "approvers.includes(user) && chats.approvers().includes(user)",
      'approvers.includes(user) || user.startsWith("memory:")',
    ],
    [APPROVALS, "whyGone", "if (at >= record.expiresAt)", "if (at > record.expiresAt)"],
    [APPROVALS, "decide", "if (!isAnswerable(record, isDenied)) throw alreadyAnswered(record);", ""],
    [APPROVALS, "runOnce", "if ((await bindingHash(claimed.record)) !== claimed.record.hash)", "if (false)"],
    [TOOLS, "isSame", "canonicalJson(now.boundTo) === canonicalJson(record.boundTo)", "true"],
    [
      APPROVALS,
      "createAllowRules.find",
      "if (!isSame || !sameJson(rule.boundTo, asked.boundTo)) continue;",
      "if (!isSame) continue;",
    ],
    [
      APPROVALS,
      "createAllowRules.find",
      "rule.definition === asked.definition && rule.for === holds",
      "rule.definition === asked.definition",
    ],
    [
      APPROVALS,
      "createAllowRules.find",
      "sameJson(rule.input, asked.input)",
      "JSON.stringify(asked.input).startsWith(JSON.stringify(rule.input).slice(0, 12))",
    ],
    [APPROVALS, "replace", "toDocument(record), { expect: kept.version });", "toDocument(record));"],
    [
      "src/codes.ts",
      "newCode",
      "const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));",
      "const byte = 7 + code.length;",
    ],
    [APPROVALS, "requestText", "Math.max(3, longestRun(body) + 1)", "3"],
    [CALL_TEXT, "describe", '.map((field) => field.replaceAll("\\n", "\\n    "))', ""],
    [
      CALL_TEXT,
      "UNSEEN",
      "/(?<!\\\\)(\\\\*)(?:([\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]|(?! )\\p{Zs})|(?=u\\{))/gu",
      "/(?<!\\\\)(\\\\*)(?:([\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\u2800]|(?! )\\p{Zs})|(?=u\\{))/gu",
    ],
    [
      CALL_TEXT,
      "UNSEEN",
      "/(?<!\\\\)(\\\\*)(?:([\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]|(?! )\\p{Zs})|(?=u\\{))/gu",
      "/(?<!\\\\)(\\\\*)(?:([\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]|(?! )\\p{Zs})|(?=u\\{))/gu",
    ],
    [CALL_TEXT, "describeCall", "setIn(describe(input))]", "setIn(describe(input)).slice(0, 3500)]"],
    [
      INBOX,
      "createApprovalAnswers.obey",
      "const isTold = target !== undefined && !(isPress && told.refused);",
      "const isTold = target !== undefined;",
    ],
  ]),
  ...planted({ ...ENTRANCE, test: "test/http/mcp-people.test.ts" }, [
    [INBOX, "submit", "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);", ""],
    [
      INBOX,
      "submit",
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && !input.asOwner) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    [
      INBOX,
      "submit",
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      'if (input.isProgram === true && answer.answer !== "deny") return approvals.refuseProgram(answer, sessionKey, record);',
    ],
    [
      INBOX,
      "submit",
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && input.session === undefined) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    [
      INBOX,
      "submit",
      "if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);",
      "if (input.isProgram === true && answer.code.length < 8) return approvals.refuseProgram(answer, sessionKey, record);",
    ],
    [HTTP, "run", ", isProgram: true }", "}"],
    [
      HTTP,
      "outputOf",
      "tools?.run(name, input, speakerIn(caller))",
      'tools?.run(name, input, speakerIn({ ...caller, role: "owner" }))',
    ],
    [
      TOOLS,
      "isOffered",
      "return dispatch.visible(caller).some((tool) => tool.name === name);",
      "return caller !== undefined;",
    ],
    [
      TOOLS,
      "isOffered",
      "callerOf(speaker, speaker.asOwner === true); return dispatch",
      "callerOf(speaker, true); return dispatch",
    ],
    [
      TOOLS,
      "createHostTools.run",
      "return run(name, input, callerOf(speaker, speaker.asOwner === true));",
      "return run(name, input, callerOf(speaker, true));",
    ],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/elsewhere.test.ts" }, [
    [APPROVALS, "runOnce", "if (!tools.has(tool)) {", "if (false) {"],
    [APPROVALS, "runOnce", "withoutTool.set(id, tool);", ""],
    [APPROVALS, "runOnce", "if (clock.now() >= runBy) {", "if (false) {"],
    [
      APPROVALS,
      "runOnce",
      'begun = await ledger.replace(approved, { state: "running", begunAt: clock.now() });',
      'begun = { ...approved, record: { ...approved.record, state: "running" } };',
    ],
    [
      APPROVALS,
      "endIfCutOff",
      "const isElsewhere = !begunHere.has(id) && begunAt > madeAt",
      "const isElsewhere = false && begunAt > madeAt",
    ],
    [APPROVALS, "endIfCutOff", "begunAt > madeAt && clock.now() < endsAt", "begunAt > madeAt"],
    [
      APPROVALS,
      "isAnswerable",
      'return state === "open" || (isDenied && state === "approved");',
      'return state === "open";',
    ],
    [
      APPROVALS,
      "isAnswerable",
      'return state === "open" || (isDenied && state === "approved");',
      'return state === "open" || state === "approved";',
    ],
    [APPROVALS, "decide", "await takeBackRule(claimed.record);", ""],
    [APPROVALS, "doSettle", "await takeBackRule(kept.record);", ""],
    [
      APPROVALS,
      "withRule",
      'if (answer?.answer !== "always" || hasRule) return kept;',
      'if (answer?.answer !== "always") return kept;',
    ],
    [APPROVALS, "doSettle", 'if (kept.record.state !== "ended") return kept.record;', ""],
    [APPROVALS, "lookAgain", "Math.min(expiresAt, now + inMs)", "expiresAt"],
    [TOOLS, "createAnswerRequest", "if (!record || !(await dispatch.hasSame(record)))", "if (!record)"],
    [
      TOOLS,
      "createAnswerRequest",
      "if (!record || !(await dispatch.hasSame(record)))",
      "if (!record || (dispatch as { find?(name: string): unknown }).find?.(record.tool) === undefined)",
    ],
    [INBOX, "followUp", 'record.state !== "ended"', "false"],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/which-code.test.ts" }, [
    [APPROVALS, "openFor", "(asOwner || isApprover(user, record))", "true"],
    [INBOX, "openFor", "...(isOwner ? await pairingCodes() : [])", "...(await pairingCodes())"],
  ]),
  ...planted({ ...APPROVAL, test: "test/approvals/approvals.test.ts" }, [
    [
      APPROVALS,
      "isApprover",
      "approvers.includes(user) && chats.approvers().includes(user)",
      "approvers.includes(user)",
    ],
    [APPROVALS, "whyGone", "if ((await bindingHash(record)) !== record.hash)", "if (false)"],
    [
      APPROVALS,
      "endIfCutOff",
      'if (!isElsewhere) return end(running, { verdict: "interrupted", at: clock.now() });',
      "if (!isElsewhere) return runOnce(running);",
    ],
    [TOOLS, "isSame", "now.definition === record.definition &&", ""],
    [
      APPROVALS,
      "createAllowRules.find",
      "rule.tool === asked.tool && rule.definition === asked.definition && rule.for === holds",
      "rule.tool === asked.tool && rule.for === holds",
    ],
    [
      APPROVALS,
      "createAllowRules.find",
      "if (fits && (await ruleHash(rest)) === hash) return rule;",
      "if (fits && rest && hash) return rule;",
    ],
    [APPROVALS, "bindingHash", "approvers, expiresAt }));", "approvers }));"],
    [APPROVALS, "bindingHash", "caller: { ...caller },", ""],
  ]),
  ...planted({ ...GRANTS, test: "test/security/nothing-grants-itself.test.ts" }, [
    [POLICY, "decideAccess", "const mode = access.dm ?? DEFAULT_DIRECT_ACCESS;", 'const mode = access.dm ?? "open";'],
    [
      POLICY,
      "decideAccess",
      'if (mode === "open") return { verdict: "let-in"',
      'if (mode === "open" || mode === "pairing") return { verdict: "let-in"',
    ],
    [
      POLICY,
      "decideAccess",
      'if (mode === "open") return { verdict: "let-in"',
      'if (mode !== "allowlist" || access.allow === undefined) return { verdict: "let-in"',
    ],
    [POLICY, "decideAccess", 'if (mode === "disabled")', 'if (mode === "disabled" && !access.allow?.includes(id))'],
    [INBOX, "tellRefused", "toldTo.hit(user).hits > 1 ||", ""],
    [POLICY, "rolesOf", 'if (user === "") return [];', 'if (user === "") return [OWNER_ROLE];'],
    [
      POLICY,
      "sharedRoles",
      "rest.every((roles) => roles.includes(role))",
      "rest.some((roles) => roles.includes(role))",
    ],
  ]),
  ...planted({ ...KEYS, test: "test/security/keys-apart.test.ts" }, [
    [STORE, "storeKey", 'segment.replaceAll("%", "%25").replaceAll("/", "%2F")', 'segment.replaceAll("/", "%2F")'],
    [STORE, "storeKey", 'segment.replaceAll("%", "%25").replaceAll("/", "%2F")', "segment"],
    [
      SESSION,
      "sessionKeyPart",
      "trimmed.replace(/%|:/g, escapeCharacter).replace(/\\p{Lu}/gu, escapeCharacter)",
      "trimmed.replace(/\\p{Lu}/gu, escapeCharacter)",
    ],
    [SESSION, "sessionKeyPart", ".replace(/\\p{Lu}/gu, escapeCharacter)", ".toLowerCase()"],
    [
      SESSION,
      "sessionKeyPart",
      ": trimmed.toLowerCase().replace(/%|:/g, escapeCharacter);",
      ": trimmed.toLowerCase();",
    ],
    [
      SESSION,
      "directKey",
      "return `${prefix}:${channel}:${sessionKeyPart(message.account ?? DEFAULT_ACCOUNT)}:direct:${peer}`;",
      "return `${prefix}:${channel}:direct:${peer}`;",
    ],
    [SESSION, "groupKey", 'return apart ? `${key}:thread:${part(message.thread ?? "")}` : key;', "return key;"],
    [ARTIFACTS, "contentKey", 'storeKey(session, "content", id)', 'storeKey("content", id)'],
    [ARTIFACTS, "removeSession", "`${ROOT}${storeKey(session)}/`", "`${ROOT}${storeKey(session)}`"],
    [
      ARTIFACTS,
      "find",
      "if (!ULID.test(id)) return undefined; return (await load(session)).entries",
      'return (await load("a")).entries',
    ],
    [TOOLS, "complete", "store.remove(key, { expect: found.version })", "Promise.resolve()"],
    [APPROVALS, "bindingHash", "caller: { ...caller },", ""],
    [APPROVALS, "bindingHash", "tool, input, boundTo, definition, caller: {", "tool, boundTo, definition, caller: {"],
    [STORE, "canonicalJson", "`${JSON.stringify(name)}:${canonicalJson(field)}`", "`${name}:${canonicalJson(field)}`"],
    ["src/guard", "add", 'storeKey("rate", name, key)', 'storeKey("rate", name)'],
  ]),
  ...planted({ ...LOADING, test: "test/security/nothing-loads-itself.host.test.ts" }, [
    ["adapters/cli", "ownPaths", "...READ_BY_BUN,", ""],
    [
      TOOLS,
      "LEVELS",
      'const LEVELS: readonly ToolLevel[] = ["static", "dynamic", "mcp"];',
      'const LEVELS: readonly ToolLevel[] = ["dynamic", "static", "mcp"];',
    ],
    [TOOLS, "contextOf", "speaker, user,", "speaker, ...({ registry, decide } as object), user,"],
  ]),
  ...planted(
    {
      threat: 14,
      promise: "nothing an MCP server says widens what is allowed",
      test: "test/tools/mcp/connections.test.ts",
    },
    [
      [TOOLS, "asTool", "const { dangerous = true, groups", "const { dangerous = false, groups"],
      [TOOLS, "asTool", "idempotent: trustAnnotations && repeatable", "idempotent: repeatable"],
      [TOOLS, "describedBy", "withoutMarkers(description.replace(", "(description.replace("],
      [TOOLS, "asTool", "untrusted: true,", ""],
      [TOOLS, "decideDrift", "if (pin?.fingerprint === tool.fingerprint) {", "if (pin !== undefined) {"],
      [TOOLS, "decideDrift", "pin === undefined && trustNewTools", "pin === undefined"],
      [TOOLS, "createServerLink.call", 'if (state !== "connected") {', "if (!connection) {"],
      [
        TOOLS,
        "createAcceptedTools.accept",
        "{ name: tool, fingerprint, ...(found",
        "{ name: tool, fingerprint: heldBack.find((one) => one.definition.name === tool)?.fingerprint ?? fingerprint, ...(found",
      ],
      [
        TOOLS,
        "fingerprintOf",
        "return sha256(canonicalJson({ name, description, inputSchema, annotations }));",
        'return sha256(canonicalJson({ name, inputSchema, annotations: description === "" ? annotations : null }));',
      ],
    ],
  ),
  ...planted({ ...ENTRANCE, test: "test/http/mcp.test.ts" }, [
    [HTTP, "mcpRoutes.handle", 'if (caller.via !== "bearer")', "if (false)"],
    [HTTP, "mcpRoutes.handle", 'if (originOf(request) === "foreign")', "if (false)"],
    [
      HTTP,
      "run",
      "const { text, session, id = newId(clock) } = checked(SendInput, given);",
      "const { text, session, id = newId(clock) } = given as { text: string; session?: string; id?: string };",
    ],
  ]),
  ...planted(
    { threat: 13, promise: "what follows an answer is told to who gave it", test: "test/inbox/follow-ups.test.ts" },
    [[INBOX, "watch", "kept ? kept.push(event) : tell(event)", "tell(event)"]],
  ),
];
