import { expect, it } from "vitest";
import { buildClientScript } from "../../.ci/page.ts";
import { CLIENT_SCRIPT } from "../../src/http/page/client-script.ts";

it("client-script.ts is what client.ts builds to: run `node .ci/page.ts` after a change", async () => {
  const built = await buildClientScript();
  expect(CLIENT_SCRIPT === built).toBe(true); // Not toBe(built): a difference of two long lines helps nobody.
});
