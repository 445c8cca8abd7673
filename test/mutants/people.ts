import { type Mutant, planted } from "./mutant.ts";

const ACCESS = "src/policy/context-access.ts";
const TOOL = "src/tools/built-in/context-tool.ts";
const LIMITS = "src/tools/built-in/context-limits.ts";
const SOURCES = "src/context/people-sources.ts";

/** What the model keeps about people and groups: cross-talk (13), authority (11), paths (8), floods (6). */
export const PEOPLE: readonly Mutant[] = [
  ...planted(
    { threat: 13, promise: "a context file is for those it is about", test: "test/policy/context-access.test.ts" },
    [
      [ACCESS, 'scope === "peer" && peerId === session.peerId && ', 'scope === "peer" && '],
      [ACCESS, "groupId === session.groupId", "true"],
      [ACCESS, "session.aid === undefined || session.aid === aid", "true"],
      [ACCESS, 'session.kind !== "direct"', 'session.kind === "group"'],
    ],
  ),
  ...planted(
    { threat: 11, promise: "only the runtime's true makes an owner", test: "test/policy/context-access.test.ts" },
    [[ACCESS, "(session.owner as unknown) === true", "Boolean(session.owner)"]],
  ),
  ...planted(
    { threat: 13, promise: "nobody's notes are in another's prompt", test: "test/context/people-sources.test.ts" },
    [
      [SOURCES, 'kind === "direct" && roles.includes(OWNER_ROLE)', 'kind === "direct"'],
      [SOURCES, 'kind === "direct" && roles.includes(OWNER_ROLE)', "roles !== undefined"],
      [
        SOURCES,
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
        TOOL,
        'return options.memoryUserOf({ user, channel, peer: { kind: "direct", id: peer.id }, roles, account });',
        "return id;",
      ],
      [TOOL, 'if (peer.kind !== "direct") return { channel, id: peer.id };', ""],
      [TOOL, "const [, ofChannel, id] = GROUP_KEY.exec(sessionKey) ?? [];", "const [ofChannel, id]: string[] = [];"],
    ],
  ),
  ...planted({ threat: 11, promise: "who owns is for the runtime to say", test: "test/tools/context-tool.test.ts" }, [
    [TOOL, "return speaker.roles.includes(OWNER_ROLE);", "return speaker.roles.length > 0;"],
    [TOOL, "aid: context.agentId,", "aid,"],
  ]),
  ...planted({ threat: 8, promise: "an id is never a path", test: "test/tools/context-tool.test.ts" }, [
    [TOOL, 'scope !== "identity" && !isPlainId(wanted)', "false"],
    [TOOL, '!["", ".", ".."].includes', "!['x'].includes"],
  ]),
  ...planted({ threat: 6, promise: "notes are bounded", test: "test/tools/context-tool.test.ts" }, [
    [TOOL, "byteLength(text) > MAX_CONTENT_BYTES", "text.length > MAX_CONTENT_BYTES"],
    [TOOL, "if (!trace.isRead) limits.count(call);", ""],
    [LIMITS, "(calls?.size ?? 0) < WRITES_A_TURN && ", ""],
    [LIMITS, " && recent(identity).length < WRITES_A_MINUTE", ""],
  ]),
  ...planted({ threat: 16, promise: "no call on notes goes unwritten", test: "test/tools/context-tool.test.ts" }, [
    [TOOL, "reason: outcome.error, denied_reason: outcome.error", "reason: outcome.error"],
  ]),
  ...planted(
    { threat: 16, promise: "an edit by hand is never written over", test: "test/people/people-notes.test.ts" },
    [["src/people/people-notes.ts", "{ expect: version }", "{}"]],
  ),
  ...planted({ threat: 13, promise: "notes go with who is forgotten", test: "test/context/people-sources.test.ts" }, [
    ["src/people/people-notes.ts", "kept.clear();", ""],
  ]),
  ...planted({ threat: 15, promise: "what is noted stays in its section", test: "test/people/patch.test.ts" }, [
    [
      "src/people/patch.ts",
      "demoted += `${body.slice(at, from)}###`;",
      "demoted += body.slice(at, from + hashes.length);",
    ],
    ["src/people/patch.ts", 'replace(/\\s+/g, " ")', 'replace(/ +/g, " ")'],
    [
      "src/people/headings.ts",
      'if (marks?.startsWith(fence) && info.trim() === "") fence = undefined;',
      "fence = undefined;",
    ],
  ]),
];
