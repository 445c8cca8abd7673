import { type Mutant, planted } from "./mutant.ts";

const SECRETS = { threat: 5, promise: "no secret is guessed, kept too long or told" };
const DATA = { threat: 15, promise: "what strangers wrote is data" };
const OWN = { threat: 13, promise: "whose something is cannot be confused" };
const SLOW = { threat: 6, promise: "no pattern of a model takes for ever" };
const DISPATCH = "src/tools/dispatch.ts";

/** What leaves: secrets, the prompt's boundaries, patterns, artifacts. */
export const BOUNDARIES: readonly Mutant[] = [
  ...planted({ ...SECRETS, test: "test/telemetry/canary.test.ts" }, [
    [DISPATCH, "redact(outcome.output)", "outcome.output"],
    [DISPATCH, "redact(outcome.error.message)", "outcome.error.message"],
    [DISPATCH, "reply: redact(outcome.reply)", "reply: outcome.reply"],
    ["src/turn/failures.ts", "redact(messageOf(reason))", "messageOf(reason)"],
    ["src/delivery/delivery.ts", "redact(messageOf(error))", "messageOf(error)"],
    ["src/http/problem.ts", "redact(error.message)", "error.message"],
  ]),
  ...planted({ ...SECRETS, test: "test/telemetry/given-in-code.test.ts" }, [
    ["src/assembly/ground.ts", "[...secrets, ...secretsOfObjects(options)]", "secrets"],
    ["src/assembly/ground.ts", "[...secrets, ...secretsOfObjects(options)]", "secretsOfObjects(options)"],
    ["src/assembly/redaction.ts", "[...channels, ", "["],
    ["src/assembly/redaction.ts", "...(search?.providers ?? []), ", ""],
    ["src/assembly/redaction.ts", ", ...metas]", "]"],
    ["src/assembly/redaction.ts", "redactForModel: (value) => forModel(value)", "redactForModel: forModel"],
    ["src/tools/host-tools.ts", "deps.addSecrets(tool.meta?.secrets ?? []);", ""],
    ["src/settings/check-option.ts", "checker.secretGiven?.(result.output)", "undefined"],
    ["src/telemetry/secret-spans.ts", ', secret.trim().replace(SCHEME, "")]', "]"],
    ["adapters/channels/telegram/telegram.ts", "return [token, secret];", "return [token];"],
    ["adapters/channels/webhook/webhook.ts", "return [secret];", "return [];"],
  ]),
  ...planted({ ...SECRETS, test: "test/telemetry/redact.test.ts" }, [
    ["src/telemetry/secret-forms.ts", "[0, 1, 2].flatMap(", "[0].flatMap("],
    ["src/telemetry/secret-forms.ts", "    escapeHtml(secret),\n", ""],
    ["src/telemetry/secret-forms.ts", "    JSON.stringify(asJson).slice(1, -1),\n", ""],
    ["src/telemetry/secret-forms.ts", "    hex.toUpperCase(),\n", ""],
  ]),
  ...planted({ ...DATA, test: "test/guard/markers.test.ts" }, [
    ["src/guard/markers.ts", "backslash || UNSEEN.test(sign)", "backslash"],
    ["src/guard/markers.ts", "\\p{Default_Ignorable_Code_Point}", ""],
    ["src/guard/markers.ts", "backslash || UNSEEN.test(sign)", "UNSEEN.test(sign)"],
    ["src/guard/markers.ts", "next | (ESCAPES.includes(sign) ? escaped : 0)", "next"],
    ["src/guard/markers.ts", "(SLASH.test(sign) ? places & START : 0)", "0"],
    ["src/guard/markers.ts", "BRACKET = /[<＜﹤≮", "BRACKET = /[<"],
    ["src/guard/markers.ts", 'character.normalize("NFKD").toLowerCase()', "character.toLowerCase()"],
    ["src/guard/markers.ts", '...Array.from(ALIKE[letter] ?? ""), ', ""],
    ["src/guard/markers.ts", ", ...framed].map", "].map"],
  ]),
  ...planted({ ...DATA, test: "test/channels/telegram.test.ts" }, [
    [
      "adapters/channels/telegram/update.ts",
      "(signs.some((sign) => sign !== undefined) ? origin : undefined)",
      "undefined",
    ],
    ["adapters/channels/telegram/update.ts", "forward_from_message_id, forward_signature, forward_date];", "];"],
  ]),
  ...planted({ ...DATA, test: "test/context/context.test.ts" }, [
    [
      "src/context/turn-messages.ts",
      "return untrusted ? dataBoundary(`tool ${name}`, safe) : withoutMarkers(safe);",
      "return withoutMarkers(safe);",
    ],
    ["src/context/boundaries.ts", "${withoutMarkers(text)}\\n</wakeful-data>", "${text}\\n</wakeful-data>"],
    ["src/context/boundaries.ts", "${withoutMarkers(text)}\\n</wakeful-note>", "${text}\\n</wakeful-note>"],
    [
      "src/context/boundaries.ts",
      'withoutMarkers(lines.map(oneLine).join("\\n"))',
      'lines.map((line) => withoutMarkers(oneLine(line))).join("\\n")',
    ],
    ["src/context/turn-messages.ts", "line.isRuntime ? line.text : withoutMarkers(line.text)", "line.text"],
    ["src/context/speakers.ts", '.replace(/[:：︰﹕∶()（）\\s]+/gu, " ")', ""],
    ["src/context/speakers.ts", '.replace(/\\r\\n|[\\r\\n\\v\\f\\u0085\\u2028\\u2029]/g, "\\n  ")', ""],
  ]),
  ...planted({ ...DATA, test: "test/context/groups.test.ts" }, [
    ["src/context/speakers.ts", "setIn(withoutMarkers(text))", "withoutMarkers(text)"],
    [
      "src/context/heard.ts",
      "const line = spokenLine(sender, ",
      "const line = ((_: unknown, said: string) => said)(sender, ",
    ],
    [
      "src/context/heard.ts",
      'dataBoundary("messages of the group that were not meant for you", told.join("\\n"))',
      'told.join("\\n")',
    ],
    ["src/context/group-situation.ts", '.replace(/[,，、;]+/g, " ")', ""],
    ["src/context/group-situation.ts", "mentioned === true", "mentioned !== undefined"],
  ]),
  ...planted({ ...DATA, test: "test/context/sources.test.ts" }, [
    [
      "src/context/sources.ts",
      "noteBoundary(oneLine(source), fitting) : withoutMarkers(fitting)",
      "fitting : withoutMarkers(fitting)",
    ],
    ["src/context/sources.ts", ": withoutMarkers(fitting)", ": fitting"],
  ]),
  ...planted({ ...DATA, test: "test/context/prefix.test.ts" }, [
    ["src/context/turn-messages.ts", "content: noteBoundary(source, text) };", "content: text };"],
  ]),
  ...planted({ ...OWN, test: "test/context/sources.test.ts" }, [
    ["src/context/context.ts", "user: isDirect ? user : undefined,", "user,"],
    ["src/context/context.ts", "roles: isDirect ? roles : [],", "roles,"],
  ]),
  ...planted({ ...DATA, test: "test/approvals/approvals.test.ts" }, [
    [
      "src/context/turn-messages.ts",
      "if (message.source !== undefined) return noteBoundary(",
      'if (message.source === "") return noteBoundary(',
    ],
  ]),
  ...planted({ ...OWN, test: "test/artifacts/artifacts.test.ts" }, [
    ["src/artifacts/artifacts.ts", 'storeKey(session, "content", id)', 'storeKey("content", id)'],
  ]),
  ...planted({ ...OWN, test: "test/tools/artifact-tools.test.ts" }, [
    ["src/tools/built-in/artifact-tools.ts", '!roles.includes("owner") ||', ""],
    ["src/tools/built-in/artifact-tools.ts", "|| !isDirect(sessionKey)) return own;", ") return own;"],
    ["src/tools/built-in/artifact-tools.ts", "meta: { ...meta, untrusted: true },", "meta,"],
  ]),
  ...planted({ ...SLOW, test: "test/tools/patterns.test.ts" }, [
    [
      "src/tools/patterns/plain-pattern.ts",
      'if (repetitions > 1) return refused("more than one part is repeated");',
      "",
    ],
    [
      "src/tools/patterns/plain-pattern.ts",
      'if (group !== undefined || /^[)|^$]$/.test(atom)) return refused("a group, a border or nothing is repeated");',
      "",
    ],
    ["src/tools/patterns/line-pattern.ts", "if (pattern.length > MAX_PATTERN)", "if (false)"],
    ["src/tools/patterns/glob.ts", "if (done.length + open.length > MAX_ALTERNATIVES)", "if (false)"],
    ["src/tools/patterns/glob.ts", "if (glob.length > MAX_GLOB)", "if (false)"],
  ]),
];
