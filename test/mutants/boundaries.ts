import { type Mutant, planted } from "./mutant.ts";

const SECRETS = { threat: 5, promise: "no secret is guessed, kept too long or told" };
const DATA = { threat: 15, promise: "what strangers wrote is data" };
const SCREEN = { threat: 15, promise: "no text of others commands a terminal" };
const OWN = { threat: 13, promise: "whose something is cannot be confused" };
const SLOW = { threat: 6, promise: "no pattern of a model takes for ever" };
const TOOLS = "src/tools";
const TELEMETRY = "src/telemetry";
const TELEGRAM = "adapters/channels/telegram";
const GUARD = "src/guard";
const CONTEXT = "src/context";
const CLI = "adapters/cli";

/** What leaves: secrets, the prompt's boundaries, patterns, artifacts. */
export const BOUNDARIES: readonly Mutant[] = [
  ...planted({ ...SECRETS, test: "test/telemetry/canary.test.ts" }, [
    [TOOLS, "createToolRunner.run", "redact(outcome.output)", "outcome.output"],
    [TOOLS, "createToolRunner.run", "redact(outcome.error.message)", "outcome.error.message"],
    [TOOLS, "createToolRunner.run", "reply: redact(outcome.reply)", "reply: outcome.reply"],
    ["src/turn", "createFailures", "redact(messageOf(reason))", "messageOf(reason)"],
    ["src/delivery", "tryPart", "redact(messageOf(error))", "messageOf(error)"],
    ["src/http", "problemOf", 'code !== "INTERNAL" && !code.startsWith("STORE_")', "true"],
  ]),
  ...planted({ ...SECRETS, test: "test/telemetry/given-in-code.test.ts" }, [
    ["src", "createAssistant", "[...secrets, ...secretsOfObjects(options)]", "secrets"],
    ["src", "createAssistant", "[...secrets, ...secretsOfObjects(options)]", "secretsOfObjects(options)"],
    [TELEMETRY, "secretsOfObjects", "[...channels,", "["],
    [TELEMETRY, "secretsOfObjects", "...(search?.providers ?? []),", ""],
    [TELEMETRY, "secretsOfObjects", ", ...metas]", "]"],
    [
      TELEMETRY,
      "createRedaction.redactForModel",
      "redactForModel: (value) => forModel(value)",
      "redactForModel: forModel",
    ],
    [TOOLS, "createHostTools.register", "deps.addSecrets(tool?.meta?.secrets ?? []);", ""],
    ["src/settings", "checkLeaf", "checker.secretGiven?.(result.output)", "undefined"],
    [TELEMETRY, "createSecretFinder", ', secret.trim().replace(SCHEME, "")]', "]"],
    [TELEGRAM, "secrets", "[token, secret]", "[token]"],
    ["adapters/channels/webhook", "secrets", "return [secret];", "return [];"],
  ]),
  ...planted({ ...SECRETS, test: "test/cli/chat-server.host.test.ts" }, [
    [CLI, "isBelieved", "(isHere || hostname === new URL(configured).hostname)", "true"],
    [CLI, "isBelieved", "href === `${origin}/` &&", ""],
    [CLI, "isBelieved", 'protocol === "http:" &&', ""],
    [CLI, "announcedUrl", "holder?.host === hostname() ? holder.url : undefined", "holder?.url"],
    [CLI, "ask", 'redirect: "error",', ""],
  ]),
  ...planted({ ...SCREEN, test: "test/cli/workflow-lines.host.test.ts" }, [
    [CLI, "stepLine", "printable(oneLine(aboutStep(step, nowMs)))", "oneLine(aboutStep(step, nowMs))"],
    [CLI, "stepLine", "const id = printable(step.id);", "const { id } = step;"],
    [CLI, "headText", "printable(name)", "name"],
    [CLI, "printEnd", "shown(text, terminal)", "text"],
    [CLI, "fitted", "printable(oneLine(text))", "oneLine(text)"],
  ]),
  ...planted({ ...SECRETS, test: "test/telemetry/redact.test.ts" }, [
    [TELEMETRY, "secretForms", "[0, 1, 2].flatMap(", "[0].flatMap("],
    [TELEMETRY, "secretForms", "escapeHtml(secret),", ""],
    [TELEMETRY, "secretForms", "JSON.stringify(asJson).slice(1, -1),", ""],
    [TELEMETRY, "secretForms", "hex(bytes).toUpperCase(),", ""],
  ]),
  ...planted({ ...DATA, test: "test/guard/markers.test.ts" }, [
    [GUARD, "isMarker", "backslash || UNSEEN.test(sign)", "backslash"],
    [
      GUARD,
      "UNSEEN",
      "/[\\s\\p{C}\\p{M}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc]/u",
      "/[\\s\\p{C}\\p{M}\\p{Z}\\u2800\\ufffc]/u",
    ],
    [GUARD, "isMarker", "backslash || UNSEEN.test(sign)", "UNSEEN.test(sign)"],
    [GUARD, "isMarker", "next | (ESCAPES.includes(sign) ? escaped : 0)", "next"],
    [GUARD, "placesAfter", "(SLASH.test(sign) ? places & START : 0)", "0"],
    [GUARD, "BRACKET", "BRACKET = /[<＜﹤≮‹〈⟨〈《«˂ᐸ❮❰❬⦉⟪≺⪡⧼≪⋖⪪⪦⩹⊰]/gu", "BRACKET = /[<‹〈⟨〈《«˂ᐸ❮❰❬⦉⟪≺⪡⧼≪⋖⪪⪦⩹⊰]/gu"],
    [GUARD, "plain", 'character.normalize("NFKD").toLowerCase()', "character.toLowerCase()"],
    [GUARD, "PLACES", '...Array.from(ALIKE[letter] ?? ""),', ""],
    [GUARD, "PLACES", ", ...framed].map", "].map"],
  ]),
  ...planted({ ...DATA, test: "test/channels/telegram.test.ts" }, [
    [TELEGRAM, "originOf", "(signs.some((sign) => sign !== undefined) ? origin : undefined)", "undefined"],
    [TELEGRAM, "originOf", "forward_from_message_id, forward_signature, forward_date];", "];"],
  ]),
  ...planted({ ...DATA, test: "test/context/context.test.ts" }, [
    [
      CONTEXT,
      "shownText",
      "return untrusted ? dataBoundary(`tool ${name}`, safe) : withoutMarkers(safe);",
      "return withoutMarkers(safe);",
    ],
    [
      CONTEXT,
      "dataBoundary",
      "`<wakeful-data source=${JSON.stringify(withoutMarkers(oneLine(source)))}>\\n${withoutMarkers(text)}\\n</wakeful-data>`",
      "`<wakeful-data source=${JSON.stringify(withoutMarkers(oneLine(source)))}>\\n${text}\\n</wakeful-data>`",
    ],
    [
      CONTEXT,
      "noteBoundary",
      "`<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\\n${withoutMarkers(text)}\\n</wakeful-note>`",
      "`<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\\n${text}\\n</wakeful-note>`",
    ],
    [
      CONTEXT,
      "contextBlock",
      'withoutMarkers(lines.map(oneLine).join("\\n"))',
      'lines.map((line) => withoutMarkers(oneLine(line))).join("\\n")',
    ],
    [CONTEXT, "inputMessages", "line.isRuntime ? line.text : withoutMarkers(line.text)", "line.text"],
    [CONTEXT, "speakerName", '.replace(/[:：︰﹕∶()（）\\s]+/gu, " ")', ""],
    [CONTEXT, "setIn", '.replace(/\\r\\n|[\\r\\n\\v\\f\\u0085\\u2028\\u2029]/g, "\\n  ")', ""],
  ]),
  ...planted({ ...DATA, test: "test/context/groups.test.ts" }, [
    [CONTEXT, "spokenLine", "setIn(withoutMarkers(text))", "withoutMarkers(text)"],
    [
      CONTEXT,
      "heardNote",
      "const line = spokenLine(sender,",
      "const line = ((_: unknown, said: string) => said)(sender,",
    ],
    [
      CONTEXT,
      "heardNote",
      'dataBoundary("messages of the group that were not meant for you", told.join("\\n"))',
      'told.join("\\n")',
    ],
    [CONTEXT, "named", '.replace(/[,，、;]+/g, " ")', ""],
    [CONTEXT, "groupSituation", "mentioned === true", "mentioned !== undefined"],
  ]),
  ...planted({ ...DATA, test: "test/context/sources.test.ts" }, [
    [
      CONTEXT,
      "shownPart",
      "noteBoundary(oneLine(source), fitting) : withoutMarkers(fitting)",
      "fitting : withoutMarkers(fitting)",
    ],
    [CONTEXT, "shownPart", ": withoutMarkers(fitting)", ": fitting"],
  ]),
  ...planted({ ...DATA, test: "test/context/prefix.test.ts" }, [
    [CONTEXT, "noteMessage", "content: noteBoundary(source, text) };", "content: text };"],
  ]),
  ...planted({ ...OWN, test: "test/context/sources.test.ts" }, [
    [CONTEXT, "scopeOf", "user: isDirect ? user : undefined,", "user,"],
    [CONTEXT, "scopeOf", "roles: isDirect ? roles : [],", "roles,"],
  ]),
  ...planted({ ...DATA, test: "test/approvals/approvals.test.ts" }, [
    [
      CONTEXT,
      "spoken",
      "if (message.source !== undefined) return noteBoundary(",
      'if (message.source === "") return noteBoundary(',
    ],
  ]),
  ...planted({ ...OWN, test: "test/artifacts/artifacts.test.ts" }, [
    ["src/artifacts", "contentKey", 'storeKey(session, "content", id)', 'storeKey("content", id)'],
  ]),
  ...planted({ ...OWN, test: "test/tools/artifact-tools.test.ts" }, [
    [TOOLS, "readFor", '!roles.includes("owner") ||', ""],
    [TOOLS, "readFor", "|| !isDirect(sessionKey)) return own;", ") return own;"],
    [TOOLS, "artifactTools", "meta: { ...meta, untrusted: true },", "meta,"],
  ]),
  ...planted({ ...SLOW, test: "test/tools/patterns.test.ts" }, [
    ["src/patterns", "plainPattern", 'if (repetitions > 1) return refused("more than one part is repeated");', ""],
    [
      "src/patterns",
      "plainPattern",
      'if (group !== undefined || border !== undefined) return refused("a group, a border or nothing is repeated");',
      "",
    ],
    [TOOLS, "linePattern", "if (pattern.length > MAX_PATTERN)", "if (false)"],
    [TOOLS, "expandBraces", "if (done.length + open.length > MAX_ALTERNATIVES)", "if (false)"],
    [TOOLS, "compileGlob", "if (glob.length > MAX_GLOB)", "if (false)"],
  ]),
];
