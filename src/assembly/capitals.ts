import { createApprovalRenaming } from "../approvals/index.ts";
import { createArtifactRenaming } from "../artifacts/index.ts";
import { createGoalRenaming } from "../goals/index.ts";
import { createMemoryRenaming } from "../memory/index.ts";
import { createPeopleRenaming } from "../people/index.ts";
import {
  createCaptureRenaming,
  createEvidenceRenaming,
  createFindingsRenaming,
  createLearningRenaming,
  dayWakeKey,
} from "../proactive/index.ts";
import { createActivationRenaming, createSuggestionRenaming } from "../skills/index.ts";
import { type Capitals, type MemoryUsers, type Sessions, createCapitals, sessionWakeKey } from "../session/index.ts";
import { createToolRenaming } from "../tools/index.ts";
import type { Engine } from "../engine/index.ts";
import type { Store } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";

/** Wires the move of ids to their capitals with each room whose keys contain sessions or users. */
export function wireCapitals(
  { store, engine, logger }: { readonly store: Store; readonly engine: Engine; readonly logger: Logger },
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
      createGoalRenaming({ store }),
      createActivationRenaming({ store }),
      createSuggestionRenaming({ store }),
      createLearningRenaming(),
      createEvidenceRenaming({ store }),
      createFindingsRenaming({ store }),
    ],
    wake: ({ what, to }) => engine.wake(what === "session" ? sessionWakeKey(to) : dayWakeKey(to)),
    keepsCapitals: users.keepsCapitals,
  });
}
