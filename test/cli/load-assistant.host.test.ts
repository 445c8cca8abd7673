import { expect, it } from "vitest";
import { coreOptions } from "../../adapters/cli/load-assistant.ts";
import type { Config } from "../../mod.ts";
import { shared } from "../../src/config/keys.ts";

it("every option that the file and the code share reaches the assistant", () => {
  const config = Object.fromEntries(Object.keys(shared).map((name) => [name, { of: name }]));
  expect(coreOptions(config as unknown as Config)).toEqual(config);
});
