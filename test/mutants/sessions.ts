import { type Mutant, planted } from "./mutant.ts";

const SESSION = "src/session";
const HTTP = "src/http";
const STORE = "src/store";
const INBOX = "src/inbox";
const CONTEXT = "src/context";

/** What people do with sessions: class 13, and what leaves the program (5). */
export const SESSIONS: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a list holds the caller's own conversations only", test: "test/http/sessions.test.ts" },
    [
      [SESSION, "conversations", 'prefix !== "" || !id.includes("/")', "true"],
      [
        HTTP,
        "sessionRoutes.handle",
        "sessions.conversations({ prefix, ...options })",
        "sessions.conversations(options)",
      ],
    ],
  ),
  ...planted(
    { threat: 13, promise: "no two chats share a key or a file", test: "test/session/route-files.host.test.ts" },
    [
      [SESSION, "sessionKeyPart", 'cased.startsWith("@")', "false"],
      [SESSION, "sessionKeyPart", "trimmed.toLowerCase().replace(/%|:/g, escapeCharacter)", "trimmed.toLowerCase()"],
      [SESSION, "sessionKeyPart", "trimmed.replace(/%|:/g, escapeCharacter)", "trimmed.replace(/:/g, escapeCharacter)"],
      [
        SESSION,
        "directKey",
        "`${prefix}:${channel}:${sessionKeyPart(message.account ?? DEFAULT_ACCOUNT)}:direct:${peer}`",
        "`${prefix}:${channel}:${sessionKeyPart(DEFAULT_ACCOUNT)}:direct:${peer}`",
      ],
      [SESSION, "groupKey", '`${key}:thread:${part(message.thread ?? "")}`', '`${key}:${part(message.thread ?? "")}`'],
      [STORE, "storeKey", '.replaceAll("/", "%2F")', ""],
    ],
  ),
  ...planted(
    {
      threat: 11,
      promise: "which model a conversation asks is for the owner to say",
      test: "test/http/sessions.test.ts",
    },
    [[HTTP, "sessionRoutes.handle", 'model !== undefined && caller.role !== "owner"', "false"]],
  ),
  ...planted({ threat: 5, promise: "what is exported holds no secret", test: "test/http/sessions.test.ts" }, [
    [SESSION, "redacted", "yield redact(record)", "yield record"],
  ]),
  ...planted({ threat: 15, promise: "what was said cannot pass for structure", test: "test/session/export.test.ts" }, [
    [SESSION, "quoted", 'line.replace(/<(?=[a-z/!?])/gi, "&lt;")', "line"],
    [SESSION, "LINE_END", "/\\r\\n|[^\\P{Cc}\\t]|[\\u2028\\u2029]/u", "/\\n/"],
    [SESSION, "quoted", "if (fence !== undefined) lines.push(fence);", ""],
    [SESSION, "quoted", 'lines.push("", `${opening}${info}`)', "lines.push(`${opening}${info}`)"],
    [SESSION, "plain", '.replace(/[\\\\`*_[\\]<>#|~&!]/g, "\\\\$&")', ""],
  ]),
  ...planted(
    {
      threat: 13,
      promise: "a session that is removed leaves nothing to the next",
      test: "test/session/summaries.test.ts",
    },
    [[SESSION, "createSessions.remove", ".remove(summariesOf(key))", ".lastSeq(summariesOf(key))"]],
  ),
  ...planted(
    {
      threat: 13,
      promise: "an edit never stands for a summary that tells more",
      test: "test/session/summaries.test.ts",
    },
    [[SESSION, "compact", "record.range.to < session.summary.range.to", "false"]],
  ),
  ...planted(
    {
      threat: 13,
      promise: "no prompt holds what was said in another conversation",
      test: "test/security/canaries.stress.test.ts",
    },
    [
      [
        INBOX,
        "accept",
        "return overheard.hear(sessionKey, id, message)",
        "return overheard.hear(router.route(message).mainSessionKey, id, message)",
      ],
      [
        INBOX,
        "accept",
        "return overheard.note(sessionKey, id, message)",
        "return overheard.note(router.route(message).mainSessionKey, id, message)",
      ],
      [SESSION, "load", "let pending = loading.get(key);", "let pending = loading.values().next().value;"],
      [
        CONTEXT,
        "summaries",
        "const summaries = new WeakMap<CompactRecord, PromptMessage>();",
        "const made = new Map<number, PromptMessage>(); const summaries = { get: ({ range }: CompactRecord) => made.get(range.to), set: ({ range }: CompactRecord, message: PromptMessage) => made.set(range.to, message), };",
      ],
      [
        CONTEXT,
        "createContextSources.read",
        "last?.given === given.text ? last.part : made.get(given.text)",
        "last?.part ?? made.get(given.text)",
      ],
      [
        SESSION,
        "groupKey",
        '(session.threads ?? DEFAULT_THREADS) === "apart" && message.thread !== undefined',
        "false",
      ],
      [SESSION, "sessionKeyPart", '(cased.startsWith("@") ? `%40${cased.slice(1)}` : cased)', "cased"],
      [HTTP, "conversationOf", 'caller.role === "owner" ? name : `${plain(caller.user ?? "")}/${name}`', "name"],
    ],
  ),
  ...planted(
    {
      threat: 6,
      promise: "whoever may write cannot flood a conversation",
      test: "test/security/conversation-floods.stress.test.ts",
    },
    [
      [
        INBOX,
        "accept",
        "if (isSign || (command && !answer) || (answer && !isAnswer)) {",
        "if (isSign || (command && !answer)) {",
      ],
      [
        INBOX,
        "createCommandLimit",
        "if (hits <= MAX_COMMANDS_A_MINUTE) return undefined;",
        "if (hits > 0) return undefined;",
      ],
      [INBOX, "createCommandLimit", "if (hits === MAX_COMMANDS_A_MINUTE + 1) {", "if (hits > MAX_COMMANDS_A_MINUTE) {"],
      [INBOX, "hear", "text: text.slice(0, MAX_HEARD_CHARS)", "text"],
      [INBOX, "hear", "if (hits > MAX_HEARD_A_MINUTE) {", "if (false) {"],
      ["src/access", "noteRefused", "if (hits > MAX_REFUSAL_LINES) return;", ""],
      [CONTEXT, "keptTurns", "return kept === 1 && room.tokensOf(1) > room.maxTokens ? 0 : kept;", "return kept;"],
    ],
  ),
  ...planted(
    {
      threat: 13,
      promise: "ids that differ by capitals are two people",
      test: "test/session/capitals/capitals.test.ts",
    },
    [
      [
        SESSION,
        "namedSessionKey.part",
        "const part = (id: string) => sessionKeyPart(id, { caseSensitive: true });",
        "const part = (id: string) => sessionKeyPart(id);",
      ],
      [INBOX, "route", "keepsCapitals(message.channel) ? [message.channel] : []", "[]"],
      [
        SESSION,
        "createMemoryUsers.plain",
        "keepsCapitals(platform) ? id.trim() : id.trim().toLowerCase()",
        "id.trim().toLowerCase()",
      ],
      ["src", "keepsCapitals", "caseSensitive.get(name) ?? true", "true"],
      [
        "src/erasure",
        "keyPartsOf",
        "const exact = exactPartsOf(given.filter(isExact));",
        "const exact = foldedPartsOf(given.filter(isExact));",
      ],
      ["src/erasable", "replacing", 'isExact ? "gu" : "giu"', '"giu"'],
    ],
  ),
  ...planted({ threat: 13, promise: "a move loses nothing", test: "test/store/move-keys.test.ts" }, [
    [STORE, "copyDocument", "if (!copy || !isSame(copy.value, value)) throw", "if (!copy) throw"],
    [
      STORE,
      "copyLog",
      "value?.seq !== seq || canonicalJson(value.record) !== canonicalJson(respell(record))",
      "value?.seq !== seq",
    ],
  ]),
  ...planted(
    {
      threat: 13,
      promise: "what several spellings wrote is given to none",
      test: "test/session/capitals/data-folders.host.test.ts",
    },
    [
      [
        SESSION,
        "find",
        'if (spelled.size > 1) kept.push({ what: "session"',
        'if (spelled.size > 2) kept.push({ what: "session"',
      ],
      [
        SESSION,
        "find",
        'if (spelled.size > 1) kept.push({ what: "person"',
        'if (spelled.size > 2) kept.push({ what: "person"',
      ],
    ],
  ),
  ...planted({ threat: 15, promise: "what a person stopped is not done", test: "test/turn/stopped-mark.test.ts" }, [
    [
      CONTEXT,
      "turnMessages",
      'if (error) messages.push(noteMessage("runtime", error.code === "ABORTED" ? STOPPED : FAILED));',
      "",
    ],
    [CONTEXT, "joinedMessages", 'brokeIn ? [noteMessage("runtime", BROKEN_INTO), ...messages] : messages', "messages"],
    ["src/turn", "join", 'mode === "interrupt" && { brokeIn: true }', "false"],
    ["src/turn", "both", "(one.brokeIn ?? other.brokeIn) && { brokeIn: true }", "false"],
    [CONTEXT, "transcript", '(undone ? UNDONE : "")', '""'],
  ]),
  ...planted(
    {
      threat: 15,
      promise: "what a person stopped is no open task",
      test: "test/context/compaction/read-facts.test.ts",
    },
    [[CONTEXT, "factsOf", 'found?.kind === "task" && spoken.undone ? undefined : found', "found"]],
  ),
];
