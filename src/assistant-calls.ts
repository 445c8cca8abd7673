import type { Assistant } from "./assistant-types.ts";
import { wrongCall } from "./errors.ts";

/** The functions of a member that return a promise, with their parameters. */
type Takes<Member> = {
  readonly [Name in keyof Member as Member[Name] extends (...given: never) => Promise<unknown> ? Name : never]?: string;
};

/**
 * The type of each parameter in turn: `id` is a text, `ids[]` a list, `.user.id` an object with these texts (`.user?`
 * if optional), `.` an object. Nothing stands for a parameter that is optional or that its room checks. Each function
 * checks everything else itself.
 */
const TAKES: { readonly [Member in keyof Assistant]?: Takes<Assistant[Member]> } = {
  access: { approve: "code", deny: "code", remove: "user" },
  approvals: { answer: "id .answer", list: "" },
  artifacts: { list: ".session", read: ".session.id", remove: ".session.id", write: ".session.name.user?.mediaType?" },
  attention: {
    explain: ".type .user?",
    less: ".type.user?",
    mute: ".user?",
    notify: ".",
    press: ".user.button",
    view: ".user?",
  },
  goals: { read: ".user", write: ".user" },
  jobs: {
    create: ".task.user?",
    get: "id",
    list: ".user?",
    pause: "id",
    remove: "id",
    resume: "id",
    run: "id",
    runs: "id",
    update: "id",
  },
  memory: {
    archive: " ids[]",
    export: ".",
    get: " id",
    importFiles: "files[] .userId",
    remove: " ids[]",
    restore: " ids[]",
    tidy: "",
    update: " id .",
  },
  proactive: { answer: ".user.finding.answer", feedback: ".user.type", findings: ".user" },
  sessions: { configure: "key .", conversations: "", editSummary: "key text", export: "key", list: "", show: "key" },
  skills: {
    accept: "id .user",
    decline: "id .user",
    enable: "name",
    feedback: "name .user",
    find: "query",
    install: ".",
    list: ".user?",
    match: ".text.user?",
    remove: "name",
    show: "name",
    suggestions: ".user?",
    update: "name",
    verify: "name",
    write: "text",
  },
  tools: { complete: "callId", run: "name  .user?" },
  workflows: {
    cancel: "id",
    definition: "name",
    definitions: "",
    finished: "id",
    get: "id",
    list: "",
    remove: "name",
    resume: "id",
    retry: "id step",
    run: " .user?.session?.id?",
    save: "",
    signal: "id event",
  },
};

/**
 * Makes a wrong call from a program without types fail with a message about what the function takes. Options that are
 * `null` count as missing.
 */
export function checkCalls(assistant: Assistant): Assistant {
  for (const [member, takes] of Object.entries(TAKES)) {
    const own = assistant[member as keyof Assistant] as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const [name, texts] of Object.entries(takes)) {
      const call = own[name];
      own[name] = async (...values) => {
        const given = values.map((value) => value ?? undefined);
        texts.split(" ").forEach((text, at) => {
          const [first, ...fields] = text.split(".");
          if (fields.length > 0) given[at] ??= {};
          for (const field of first ? [first] : fields) {
            const key = field.replace("?", "");
            const value = first || !key ? given[at] : (given[at] as Record<string, unknown>)[key];
            if (field !== key && (value ?? undefined) === undefined) continue;
            if (!key && typeof value !== "object") throw wrongCall("input", `${member}.${name}`, "an object", value);
            if (field.endsWith("[]") ? !Array.isArray(value) : key && typeof value !== "string")
              throw wrongCall(key, `${member}.${name}`, field.endsWith("[]") ? "a list" : "a text", value);
          }
        });
        return call?.(...given);
      };
    }
  }
  return assistant;
}
