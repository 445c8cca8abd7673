import { type Mutant, planted } from "./mutant.ts";

const POLICY = "src/policy";
const CONTEXT = "src/context";
const TOOLS = "src/tools";
const PEOPLE_ROOM = "src/people";
const PERSONA_ROOM = "src/persona";
const WORK = "src/work";
const APPROVALS = "src/approvals";
const HTTP = "src/http";
const GOALS = "src/goals";
const PROACTIVE = "src/proactive";

/** What the model keeps about people and groups: cross-talk (13), authority (11), paths (8), floods (6). */
export const PEOPLE: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a context file is for those it is about", test: "test/policy/context-access.test.ts" },
    [
      [POLICY, "isAllowed", 'scope === "peer" && peerId === session.peerId &&', 'scope === "peer" &&'],
      [POLICY, "isAllowed", "groupId === session.groupId", "true"],
      [POLICY, "decideContextAccess", "session.aid === undefined || session.aid === aid", "true"],
      [POLICY, "isAllowed", 'session.kind !== "direct"', 'session.kind === "group"'],
    ],
  ),
  ...planted(
    { threat: 11, promise: "only the runtime's true makes an owner", test: "test/policy/context-access.test.ts" },
    [[POLICY, "decideContextAccess", "(session.owner as unknown) === true", "Boolean(session.owner)"]],
  ),
  ...planted(
    { threat: 13, promise: "nobody's notes are in another's prompt", test: "test/context/people-sources.test.ts" },
    [
      [CONTEXT, "peopleSources", 'kind === "direct" && roles.includes(OWNER_ROLE)', 'kind === "direct"'],
      [CONTEXT, "peopleSources", 'kind === "direct" && roles.includes(OWNER_ROLE)', "roles !== undefined"],
      [
        CONTEXT,
        "personFile",
        "const id = memoryUserOf({ user, channel, account, peer: { kind, id: peerId }, roles });",
        'const id = "all";',
      ],
    ],
  ),
  ...planted(
    {
      threat: 13,
      promise: "a person, a group and another channel's namesake are told apart",
      test: "test/tools/context-tool.test.ts",
    },
    [
      [
        TOOLS,
        "contextTool.folderOf",
        'return options.memoryUserOf({ user, channel, peer: { kind: "direct", id: peer.id }, roles, account });',
        "return id;",
      ],
      [TOOLS, "groupOf", 'if (peer.kind !== "direct") return { channel, id: peer.id };', ""],
      [
        TOOLS,
        "groupOf",
        "const [, ofChannel, id] = GROUP_KEY.exec(sessionKey) ?? [];",
        "const [ofChannel, id]: string[] = [];",
      ],
    ],
  ),
  ...planted({ threat: 11, promise: "who owns is for the runtime to say", test: "test/tools/context-tool.test.ts" }, [
    [TOOLS, "isOwner", "return speaker.roles.includes(OWNER_ROLE);", "return speaker.roles.length > 0;"],
    [TOOLS, "handle", "aid: context.agentId,", "aid,"],
  ]),
  ...planted({ threat: 8, promise: "an id is never a path", test: "test/tools/context-tool.test.ts" }, [
    [TOOLS, "handle", 'scope !== "identity" && !isPlainId(wanted)', "false"],
    [TOOLS, "isPlainId", '!["", ".", ".."].includes', "!['x'].includes"],
  ]),
  ...planted({ threat: 6, promise: "notes are bounded", test: "test/tools/context-tool.test.ts" }, [
    [TOOLS, "handle", "byteLength(text) > MAX_CONTENT_BYTES", "text.length > MAX_CONTENT_BYTES"],
    [TOOLS, "handle", "if (!trace.isRead) limits.count(call);", ""],
    [TOOLS, "allows", "(calls?.size ?? 0) < WRITES_A_TURN &&", ""],
    [TOOLS, "allows", "&& recent(writer).length < WRITES_A_MINUTE", ""],
  ]),
  ...planted({ threat: 16, promise: "no call on notes goes unwritten", test: "test/tools/context-tool.test.ts" }, [
    [TOOLS, "contextTool.execute", "reason: outcome.error, denied_reason: outcome.error", "reason: outcome.error"],
  ]),
  ...planted(
    { threat: 16, promise: "an edit by hand is never written over", test: "test/people/people-notes.test.ts" },
    [[PEOPLE_ROOM, "editKey", "{ expect: version }", "{}"]],
  ),
  ...planted({ threat: 13, promise: "notes go with who is forgotten", test: "test/context/people-sources.test.ts" }, [
    [PEOPLE_ROOM, "forget", "kept.clear();", ""],
  ]),
  ...planted(
    {
      threat: 13,
      promise: "what the owner wrote of themselves is for the owner alone",
      test: "test/persona/persona.test.ts",
    },
    [
      [CONTEXT, "PARTS", 'kind === "direct" && roles.includes(OWNER_ROLE)', 'kind === "direct"'],
      [CONTEXT, "PARTS", 'kind === "direct" && roles.includes(OWNER_ROLE)', "roles !== undefined"],
      [PERSONA_ROOM, "forget", "person.isOwner &&", ""],
      [PERSONA_ROOM, "readFolder", "redact(saidIn(found.value))", "saidIn(found.value)"],
    ],
  ),
  ...planted(
    {
      threat: 16,
      promise: "a persona is written by the owner alone, and over no edit",
      test: "test/persona/persona.test.ts",
    },
    [
      [PERSONA_ROOM, "write", "store.put(key, text, { expect })", "store.put(key, text)"],
      [HTTP, "agentIn", "agentIds.includes(agent)", "true"],
      [HTTP, "nameIn", "found === undefined", "false"],
    ],
  ),
  ...planted(
    { threat: 13, promise: "a notice is for the person of the turn alone", test: "test/tools/talking-tools.test.ts" },
    [
      [TOOLS, "notifyTool.execute", 'peer.kind !== "direct"', "false"],
      [TOOLS, "notifyTool", "v.strictObject({", "v.looseObject({"],
      [TOOLS, "notifyTool.execute", "id: callId,", "id: said,"],
    ],
  ),
  ...planted(
    { threat: 13, promise: "a heartbeat is silent, and is nobody's to change", test: "test/work/heartbeat.test.ts" },
    [
      [WORK, "tell", "if (job.id === HEARTBEAT_JOB) {", "if (job.id === HEARTBEAT_JOB && reply.silent) {"],
      [
        WORK,
        "runSessionOf",
        "runSessionKey(parseSessionKey(sessionOf(job))?.agentId ?? DEFAULT_AGENT, job.id, planned)",
        'runSessionKey("main", job.id, 0)',
      ],
      [WORK, "noticesIn", 'name === "notify" &&', ""],
      [WORK, "hasWork", "if (said === undefined) return false;", "if (said === undefined) return true;"],
      [WORK, "createTriggers", "new Set([HEARTBEAT_JOB, ", "new Set(["],
      [WORK, "placeOf", 'mode: "isolated"', 'mode: "main"'],
    ],
  ),
  ...planted(
    {
      threat: 13,
      promise: "what comes of a job's run goes to the chat that the job is for",
      test: "test/work/after-runs.test.ts",
    },
    [
      [APPROVALS, "homeOfRequest", "return home ?? {", "return {"],
      [WORK, "homeOf", "chat: chat ?? parseUser(user).id", "chat: parseUser(user).id"],
      [TOOLS, "whereabouts", "target = home?.target", "target"],
      [
        TOOLS,
        "createToolRunner.run",
        "const { sessionKey: home = madeIn } = caller.home ?? {};",
        "const home = madeIn;",
      ],
    ],
  ),
  ...planted(
    {
      threat: 13,
      promise: "the session of a job's run ends when nothing of it is to come",
      test: "test/work/after-runs.test.ts",
    },
    [
      [WORK, "createRunSessions.handle", "if (await isAtWork(sessionKey)) return;", ""],
      [WORK, "createRunSessions.handle", "if (await isWaiting(sessionKey)) return;", "await isWaiting(sessionKey);"],
      ["src/session", "endsBySilence", "&& !isWorkSession(key)", ""],
      [TOOLS, "createLateResults.waitsIn", "if (madeIn === session) return true;", ""],
    ],
  ),
  ...planted(
    {
      threat: 13,
      promise: "who is given everything of theirs is given nothing of another",
      test: "test/erasure/export-person.test.ts",
    },
    [
      [PEOPLE_ROOM, "createPeopleNotes.exportPerson", 'folder === "peers" && isUser(id)', 'folder === "peers"'],
      ["src/notifications", "waitsFor", "isUser(user)", "user !== ''"],
      ["src/notifications", "waitsFor", "isOwner && ", ""],
      [GOALS, "createGoalFiles", 'isUser(goalUserOf(key) ?? "")', "key !== ''"],
      ["src/schedule", "createJobErasure.exportPerson", "if (!isWorkOf(person, begunBy(job))) continue;", ""],
      ["src/erasable", "isWorkOf", "&& isOwners", ""],
      [APPROVALS, "createApprovalErasure.exportPerson", "if (isOfThemAlone(request, person)) yield", "yield"],
      [APPROVALS, "withoutOwner", "approvers: _approvers,", ""],
      [TOOLS, "createToolErasure", 'sessions.has(keySegments(key)[1] ?? "")', "key !== ''"],
      [PERSONA_ROOM, "createPersona.exportPerson", "if (!isOwner) return;", ""],
      ["src/access", "createAccess.exportPerson", "code: _,", ""],
      ["src/access", "createAccess.exportPerson", "by: _by,", ""],
      ["src/erasure", "createPersonExport", "data: redact(data)", "data"],
      [HTTP, "wholeMemoryRoutes", "if (everything && everybody) throw", "if (false) throw"],
    ],
  ),
  ...planted({ threat: 15, promise: "what is noted stays in its section", test: "test/people/patch.test.ts" }, [
    [
      PEOPLE_ROOM,
      "asBody",
      "demoted += `${body.slice(at, from)}###`;",
      "demoted += body.slice(at, from + hashes.length);",
    ],
    [PEOPLE_ROOM, "entryText", 'replace(/\\s+/g, " ")', 'replace(/ +/g, " ")'],
    [
      PEOPLE_ROOM,
      "outlineOf",
      'if (marks?.startsWith(fence) && info.trim() === "") fence = undefined;',
      "fence = undefined;",
    ],
  ]),
  ...planted({ threat: 13, promise: "goals are a person's own", test: "test/proactive/goals/goals.test.ts" }, [
    [TOOLS, "OWN", "!GROUP_KEY.test(sessionKey)", "true"],
    [TOOLS, "okrTools.execute", "goals.read(memoryUserOf(speaker))", 'goals.read("@owner")'],
    [TOOLS, "okrTools.execute", "const userId = memoryUserOf(context.speaker);", 'const userId = "@owner";'],
    [PROACTIVE, "goalContext.workedOn", "const userId = memoryUserOf(task);", 'const userId = "@owner";'],
    [PROACTIVE, "goalContext", 'task.peer.kind === "direct"', 'task.peer.id !== ""'],
  ]),
  ...planted({ threat: 13, promise: "no edit is written over", test: "test/goals/goal-files.test.ts" }, [
    [GOALS, "createGoalFiles.change", "expect: version", ""],
    [GOALS, "createGoalFiles.change", "expect !== undefined && expect !== version", "false"],
  ]),
  ...planted({ threat: 11, promise: "a review is changed by its goal", test: "test/proactive/goals/goals.test.ts" }, [
    ["src/schedule", "createJobService.changeable", 'job.source !== "okr"', "true"],
    [PROACTIVE, "createReviewedGoals.bringOne", "...said, nextRunAt", '...said, status: "active", nextRunAt'],
  ]),
];
