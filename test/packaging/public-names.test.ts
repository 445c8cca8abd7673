import { expect, it } from "vitest";
import * as wakeful from "../../entry.host.ts";

it.each([
  "createAssistant",
  "createGuardedFetch",
  "decideContextAccess",
  "decideTool",
  "defineTool",
  "embeddedEngine",
  "extractFlush",
  "fuse",
  "guardCommand",
  "guardPath",
  "guardUrl",
  "memoryStore",
  "parseConfig",
  "parsePolicy",
  "parseSkill",
  "planCompaction",
  "resolveRoute",
  "splitText",
  "virtualWorkspace",
])("%s is a function that everybody may import", (name) => {
  expect(new Map<string, unknown>(Object.entries(wakeful)).get(name)).toBeTypeOf("function");
});

it("a route is explained with what the door exports", () => {
  const message = {
    channel: "telegram",
    id: "1",
    peer: { kind: "direct", id: "42" },
    sender: { id: "42" },
    text: "",
  } as const;
  expect(wakeful.resolveRoute(message, { agents: [{ id: "main" }], bindings: [], session: {} })).toEqual({
    agentId: "main",
    sessionKey: "agent:main:telegram:direct:42",
    mainSessionKey: "agent:main:main",
    matchedBy: "default",
  });
});
