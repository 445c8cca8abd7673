import { describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import { validateOptions } from "../../src/config/index.ts";

function refusal(options: object): string {
  try {
    validateOptions(options);
  } catch (error) {
    if (AssistantError.is(error, "OPTION_INVALID")) return error.message;
    throw error;
  }
  return "";
}

describe("validateOptions()", () => {
  it("takes what is made by code as it is", () => {
    const options = {
      model: {},
      store: {},
      engine: {},
      channels: [],
      tools: {},
      workspace: {},
      clock: {},
      logger: {},
      secrets: ["s"],
    };
    expect(validateOptions(options)).toEqual({ warnings: [] });
  });

  it("takes data with the names of the SDK", () => {
    const options = {
      queue: { debounceMs: 0, maxConcurrent: 0 },
      session: { dmScope: "main" },
      agents: [{ id: "a", model: {} }],
      timezone: undefined,
      server: {
        publicUrl: "https://bot.example.com/below",
        hosts: ["Bot.example.com", "bücher.example", "lan-box", "127.0.0.1", "[::1]"],
      },
    };
    expect(validateOptions(options).warnings).toEqual([]);
  });

  it.each([
    [{ queue: { cap: 0 } }, "queue.cap: expected a whole number of 1 or more, got 0"],
    [{ queue: { debounce_ms: 1 } }, 'Unknown option queue.debounce_ms: did you mean "debounceMs"?'],
    [
      { server: { publicUrl: "bot.example.com" } },
      'server.publicUrl: expected an http:// or https:// address, got "bot.example.com"',
    ],
    ...["https://bot.example.com", "bot.example.com:8787", "bot.example.com/x", "a, b", "::1", ""].map(
      (host): [object, string] => [
        { server: { hosts: ["localhost", host] } },
        `server.hosts[1]: expected a host name without https://, port or path, for example bot.example.com, got ${JSON.stringify(host)}`,
      ],
    ),
    [{ modle: {} }, 'Unknown option modle: did you mean "model"?'],
    [
      { session: { dmScope: "per-user" } },
      'session.dmScope: expected "main", "per-peer", "per-channel-peer" or "per-account-channel-peer", got "per-user" (did you mean "per-peer"?)',
    ],
    [
      { owner: { ids: "telegram:42" } },
      'owner.ids: expected a list, each entry a user as "channel:id", for example "telegram:42", got "telegram:42"',
    ],
    [{ server: { token: "" } }, "server.token: expected a secret: { env: NAME }, { file: path } or text, got text"],
    [
      { session: { identityLinks: { ada: ["telegram:1"], bob: ["slack:U1", "telegram:1"] } } },
      "session.identityLinks.bob: telegram:1 is an account of ada already",
    ],
    [
      { session: { identityLinks: { Ada: ["telegram:1"], ada: ["slack:U1"] } } },
      "session.identityLinks.ada: another person has this name",
    ],
    [{ queue: null }, "queue: expected a group of options, got nothing"],
    [{ agents: [] }, "agents: expected at least one agent"],
  ])("refuses %j", (options, message) => {
    expect(refusal(options)).toBe(`Invalid options of createAssistant: ${message}`);
  });

  it.each(["guard"])("refuses %s, which would be a lie about safety", (name) => {
    expect(refusal({ [name]: {} })).toContain(`${name} is not in this version`);
  });

  it("accepts options of later rooms with one warning by name", () => {
    const { warnings } = validateOptions({ nodes: {} });
    expect(warnings).toEqual(["nodes is not in this version and has no effect"]);
  });

  it("names every wrong option at once", () => {
    expect(refusal({ queue: { cap: "x" }, timezone: "Mars" }).split("; ")).toHaveLength(2);
  });
});
