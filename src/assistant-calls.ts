import type { Assistant } from "./assistant-types.ts";
import { AssistantError } from "./errors.ts";

/** The functions of a member that answer with a promise, each with the texts that it takes. */
type Takes<Member> = {
  readonly [Name in keyof Member as Member[Name] extends (...given: never) => Promise<unknown> ? Name : never]?: string;
};

/** `id` is a text, `.user` a text in the object that comes next. All else a function checks itself. */
const TAKES: { readonly [Member in keyof Assistant]?: Takes<Assistant[Member]> } = {
  access: { approve: "code", deny: "code", remove: "user" },
  approvals: { answer: "id .answer" },
  goals: { read: ".user", write: ".user" },
  jobs: { create: ".task" },
  skills: { feedback: "name .user", match: ".text", remove: "name", show: "name", write: "text" },
  workflows: { cancel: "id", finished: "id", get: "id" },
};

/** Says what a function takes when a program without types calls it with something else. */
export function checkCalls(assistant: Assistant): Assistant {
  for (const [member, takes] of Object.entries(TAKES)) {
    const own = assistant[member as keyof Assistant] as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const [name, texts] of Object.entries(takes)) {
      const call = own[name];
      own[name] = async (...given) => {
        texts.split(" ").forEach((text, at) => {
          const [first, field = first] = text.split(".");
          const value = first ? given[at] : (given[at] as Record<string, unknown> | undefined)?.[field as string];
          if (typeof value !== "string")
            throw new AssistantError(
              "OPTION_INVALID",
              `Invalid ${field} for ${member}.${name}(): expected a text, got ${JSON.stringify(value)}`,
            );
        });
        return call?.(...given);
      };
    }
  }
  return assistant;
}
