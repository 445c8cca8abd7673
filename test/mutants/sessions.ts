import { type Mutant, planted } from "./mutant.ts";

/** What people do with sessions: class 13, and what leaves the program (5). */
export const SESSIONS: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a list holds the caller's own conversations only", test: "test/http/sessions.test.ts" },
    [
      ["src/session/sessions-api.ts", 'prefix !== "" || !id.includes("/")', "true"],
      ["src/http/sessions.ts", "sessions.conversations({ prefix, ...options })", "sessions.conversations(options)"],
    ],
  ),
  ...planted(
    { threat: 13, promise: "no two chats share a key or a file", test: "test/session/route-files.host.test.ts" },
    [
      ["src/session/session-key.ts", 'cased.startsWith("@")', "false"],
      ["src/session/session-key.ts", "trimmed.toLowerCase().replace(/%|:/g, escapeCharacter)", "trimmed.toLowerCase()"],
      [
        "src/session/session-key.ts",
        "trimmed.replace(/%|:/g, escapeCharacter)",
        "trimmed.replace(/:/g, escapeCharacter)",
      ],
      ["src/session/route.ts", "message.account ?? DEFAULT_ACCOUNT)}:direct", "DEFAULT_ACCOUNT)}:direct"],
      [
        "src/session/route.ts",
        '`${key}:thread:${part(message.thread ?? "")}`',
        '`${key}:${part(message.thread ?? "")}`',
      ],
      ["src/store/key.ts", '.replaceAll("/", "%2F")', ""],
    ],
  ),
  ...planted(
    {
      threat: 11,
      promise: "which model a conversation asks is for the owner to say",
      test: "test/http/sessions.test.ts",
    },
    [["src/http/sessions.ts", 'model !== undefined && caller.role !== "owner"', "false"]],
  ),
  ...planted({ threat: 5, promise: "what is exported holds no secret", test: "test/http/sessions.test.ts" }, [
    ["src/session/sessions-api.ts", "yield redact(record)", "yield record"],
  ]),
  ...planted({ threat: 15, promise: "what was said cannot pass for structure", test: "test/session/export.test.ts" }, [
    ["src/session/export.ts", 'line.replace(/<(?=[a-z/!?])/gi, "&lt;")', "line"],
    ["src/session/export.ts", "/\\r\\n|[^\\P{Cc}\\t]|[\\u2028\\u2029]/u", "/\\n/"],
    ["src/session/export.ts", "if (fence !== undefined) lines.push(fence);", ""],
    ["src/session/export.ts", 'lines.push("", `${opening}${info}`)', "lines.push(`${opening}${info}`)"],
    ["src/session/export.ts", '.replace(/[\\\\`*_[\\]<>#|~&!]/g, "\\\\$&")', ""],
  ]),
  ...planted(
    {
      threat: 13,
      promise: "a session that is removed leaves nothing to the next",
      test: "test/session/summaries.test.ts",
    },
    [["src/session/sessions.ts", ".remove(summariesOf(key))", ".lastSeq(summariesOf(key))"]],
  ),
  ...planted(
    {
      threat: 13,
      promise: "an edit never stands for a summary that tells more",
      test: "test/session/summaries.test.ts",
    },
    [["src/session/session.ts", "record.range.to < session.summary.range.to", "false"]],
  ),
  ...planted(
    {
      threat: 13,
      promise: "no prompt holds what was said in another conversation",
      test: "test/security/canaries.test.ts",
    },
    [
      [
        "src/inbox/inbox.ts",
        "return overheard.hear(sessionKey, id, message)",
        "return overheard.hear(router.route(message).mainSessionKey, id, message)",
      ],
      [
        "src/inbox/inbox.ts",
        "return overheard.note(sessionKey, id, message)",
        "return overheard.note(router.route(message).mainSessionKey, id, message)",
      ],
      ["src/session/sessions.ts", "let pending = loading.get(key);", "let pending = loading.values().next().value;"],
      [
        "src/context/context.ts",
        "const summaries = new WeakMap<CompactRecord, PromptMessage>();",
        `const made = new Map<number, PromptMessage>();
const summaries = {
  get: ({ range }: CompactRecord) => made.get(range.to),
  set: ({ range }: CompactRecord, message: PromptMessage) => made.set(range.to, message),
};`,
      ],
      ["src/context/sources.ts", "let part = made.get(given.text);", "let part = made.values().next().value;"],
      [
        "src/session/route.ts",
        '(session.threads ?? DEFAULT_THREADS) === "apart" && message.thread !== undefined',
        "false",
      ],
      ["src/session/session-key.ts", '(cased.startsWith("@") ? `%40${cased.slice(1)}` : cased)', "cased"],
      ["src/http/speaker.ts", 'caller.role === "owner" ? name : `${plain(caller.user ?? "")}/${name}`', "name"],
    ],
  ),
  ...planted(
    {
      threat: 6,
      promise: "whoever may write cannot flood a conversation",
      test: "test/security/conversation-floods.test.ts",
    },
    [
      ["src/inbox/inbox.ts", "if ((command && !answer) || (answer && !isAnswer)) {", "if (command && !answer) {"],
      [
        "src/inbox/command-limit.ts",
        "if (hits <= MAX_COMMANDS_A_MINUTE) return undefined;",
        "if (hits > 0) return undefined;",
      ],
      [
        "src/inbox/command-limit.ts",
        "if (hits === MAX_COMMANDS_A_MINUTE + 1) {",
        "if (hits > MAX_COMMANDS_A_MINUTE) {",
      ],
      ["src/inbox/overheard.ts", "text: message.text.slice(0, MAX_HEARD_CHARS)", "text: message.text"],
      ["src/inbox/overheard.ts", "if (hits > MAX_HEARD_A_MINUTE) {", "if (false) {"],
      ["src/access/access.ts", "if (hits > MAX_REFUSAL_LINES) return;", ""],
      [
        "src/context/compaction/plan.ts",
        "return kept === 1 && room.tokensOf(1) > room.maxTokens ? 0 : kept;",
        "return kept;",
      ],
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
        "src/session/route.ts",
        "const part = (id: string) => sessionKeyPart(id, { caseSensitive: true });",
        "const part = (id: string) => sessionKeyPart(id);",
      ],
      ["src/inbox/router.ts", "keepsCapitals(message.channel) ? [message.channel] : []", "[]"],
      [
        "src/session/memory-users.ts",
        "keepsCapitals(platform) ? id.trim() : id.trim().toLowerCase()",
        "id.trim().toLowerCase()",
      ],
      ["src/assembly/people.ts", "channels.get(channel) ?? true", "true"],
      [
        "src/erasure/person-words.ts",
        "const exact = exactPartsOf(given.filter(isExact));",
        "const exact = foldedPartsOf(given.filter(isExact));",
      ],
      ["src/erasable/words.ts", 'isExact ? "gu" : "giu"', '"giu"'],
    ],
  ),
  ...planted({ threat: 13, promise: "a move loses nothing", test: "test/store/move-keys.test.ts" }, [
    ["src/store/move-keys.ts", "if (!copy || !isSame(copy.value, value)) throw", "if (!copy) throw"],
    [
      "src/store/move-keys.ts",
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
        "src/session/capitals/capitals.ts",
        'if (spelled.size > 1) kept.push({ what: "session"',
        'if (spelled.size > 2) kept.push({ what: "session"',
      ],
      [
        "src/session/capitals/capitals.ts",
        'if (spelled.size > 1) kept.push({ what: "person"',
        'if (spelled.size > 2) kept.push({ what: "person"',
      ],
    ],
  ),
  ...planted({ threat: 15, promise: "what a person stopped is not done", test: "test/turn/stopped-mark.test.ts" }, [
    [
      "src/context/turn-messages.ts",
      'if (error) messages.push(noteMessage("runtime", error.code === "ABORTED" ? STOPPED : FAILED));',
      "",
    ],
    [
      "src/context/turn-messages.ts",
      'brokeIn ? [noteMessage("runtime", BROKEN_INTO), ...messages] : messages',
      "messages",
    ],
    ["src/turn/audiences.ts", 'mode === "interrupt" && { brokeIn: true }', "false"],
    ["src/turn/steps.ts", "(one.brokeIn ?? other.brokeIn) && { brokeIn: true }", "false"],
    ["src/context/compaction/transcript.ts", '(undone ? UNDONE : "")', '""'],
  ]),
  ...planted(
    {
      threat: 15,
      promise: "what a person stopped is no open task",
      test: "test/context/compaction/read-facts.test.ts",
    },
    [["src/context/compaction/read-facts.ts", 'found?.kind === "task" && spoken.undone ? undefined : found', "found"]],
  ),
];
