import { createApprovalRenaming } from "../approvals/index.ts";
import { createArtifactRenaming } from "../artifacts/index.ts";
import { createMemoryRenaming } from "../memory/index.ts";
import { createPeopleRenaming } from "../people/index.ts";
import { createCaptureRenaming, dayWakeKey } from "../proactive/index.ts";
import { type Capitals, type MemoryUsers, type Sessions, createCapitals, sessionWakeKey } from "../session/index.ts";
import { createToolRenaming } from "../tools/index.ts";
import type { Ground } from "./ground.ts";

/** Wires the move of ids to their capitals with each room that names keys after sessions or users. */
export function wireCapitals(
  { store, engine, logger }: Pick<Ground, "store" | "engine" | "logger">,
  sessions: Pick<Sessions, "list" | "scan">,
  users: MemoryUsers,
): Capitals {
  return createCapitals({
    store,
    sessions,
    users,
    logger,
    rooms: [
      createArtifactRenaming({ store }),
      createApprovalRenaming({ store }),
      createToolRenaming({ store }),
      createCaptureRenaming(),
      createMemoryRenaming({ store }),
      createPeopleRenaming({ store }),
    ],
    wake: ({ what, to }) => engine.wake(what === "session" ? sessionWakeKey(to) : dayWakeKey(to)),
    keepsCapitals: users.keepsCapitals,
  });
}
