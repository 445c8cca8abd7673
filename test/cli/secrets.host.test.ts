import { describe, expect, it } from "vitest";
import { secretsOf } from "../../adapters/cli/load-assistant.ts";
import { parseConfig } from "../../entry.host.ts";
import { createRedactor } from "../../kit.ts";

describe("the secrets of a configuration", () => {
  const env = {
    BOT: "bot-secret-0001",
    HOOK: "hook-secret-0002",
    KEY: "model-secret-0003",
    DB: "db%20secret%200004",
    OPENAI_API_KEY: "openai-secret-0005",
    WAKEFUL_TOKEN: "token-secret-0006",
  };
  const text = [
    "store: { driver: redis, url: 'redis://app:${DB}@127.0.0.1:6379/0' }",
    "models: [{ provider: openai-compatible, base_url: 'http://127.0.0.1:1/v1', model: m, api_key: '${KEY}' }]",
    "channels:",
    "  telegram: { token: { env: BOT }, secret: { env: HOOK } }",
    "  webhook: { secret: { file: hook.key } }",
    "server: { tokens: [{ token: plain-secret-0008, role: user, user: 'api:1' }] }",
  ].join("\n");
  const config = parseConfig(text, { env, readFile: () => "file-secret-0007\n" });
  const all = secretsOf(config, env);

  it.each([
    ["of a variable that is named", "bot-secret-0001"],
    ["of another one", "hook-secret-0002"],
    ["of a variable inside a text", "model-secret-0003"],
    ["of the store's address", "db%20secret%200004"],
    ["of the store's address, decoded", "db secret 0004"],
    ["of the model's environment", "openai-secret-0005"],
    ["of the command line's environment", "token-secret-0006"],
    ["of a file, without its line break", "file-secret-0007"],
    ["that stands in the file", "plain-secret-0008"],
  ])("have the one %s", (_name, secret) => {
    expect(all).toContain(secret);
    expect(createRedactor(all)(`x ${secret} y`)).toBe("x [redacted] y");
  });

  it("are nothing else", () => {
    expect(secretsOf(parseConfig("store: { driver: redis, url: 'redis://127.0.0.1' }", {}), {})).toEqual([]);
  });
});
