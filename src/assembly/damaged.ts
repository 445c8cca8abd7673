import { ACCOUNT_DOCUMENTS, OWNER_DOCUMENT } from "../access/index.ts";
import { REQUEST_DOCUMENTS, RULES_DOCUMENT } from "../approvals/index.ts";
import { ATTENTION_DOCUMENTS } from "../attention/index.ts";
import { OFFER_DOCUMENTS } from "../buttons/index.ts";
import { NOTIFICATION_DOCUMENTS } from "../notifications/index.ts";
import { type Store, findDamaged } from "../store/index.ts";
import { SUBAGENT_DOCUMENTS } from "../subagents/index.ts";
import { USAGE_FILES } from "../usage/index.ts";

/**
 * Lists unreadable documents and usage logs that no person writes, one sentence each. Changes nothing.
 *
 * Source: docs/storage-fs-format.md, "Editing by hand".
 */
export function damagedDocuments(store: Pick<Store, "get" | "list" | "read">): Promise<readonly string[]> {
  return findDamaged(store, [
    ACCOUNT_DOCUMENTS,
    OWNER_DOCUMENT,
    REQUEST_DOCUMENTS,
    RULES_DOCUMENT,
    ATTENTION_DOCUMENTS,
    OFFER_DOCUMENTS,
    NOTIFICATION_DOCUMENTS,
    SUBAGENT_DOCUMENTS,
    USAGE_FILES,
  ]);
}
