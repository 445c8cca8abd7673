import { describe, expect, it } from "vitest";
import { findSandbox } from "../../adapters/workspaces/host/index.ts";
import { WHOLE } from "../support/thorough.ts";
import { MIB, limitsHold, runIn } from "./limits-hold.ts";

const found = findSandbox();

describe.skipIf(!found.ok)(`a command in the sandbox${found.ok ? "" : " — needs a sandbox"}`, () => {
  // How long a limit takes is the same whoever starts the command.
  if (WHOLE) limitsHold("sandboxed", { mode: "sandboxed" });

  it("finds the folder for temporary files bounded", async () => {
    const command =
      "head -c 20000000 /dev/zero > /tmp/x; head -c 20000000 /dev/zero > /dev/shm/x; cat /tmp/x /dev/shm/x | wc -c";
    const result = await runIn({ mode: "sandboxed" }, { diskBytes: 4 * MIB }, command);
    expect(result.stdout.trim()).toBe(String(8 * MIB));
    expect(result.limit).toContain("exec.limits.diskBytes");
  });
});
