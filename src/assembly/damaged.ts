import { parseAccount, parseOwner } from "../access/index.ts";
import { parseApproval, readRules } from "../approvals/index.ts";
import { readAttention } from "../attention/index.ts";
import { readOffer } from "../buttons/index.ts";
import { readKept } from "../notifications/index.ts";
import { type Store, findDamaged } from "../store/index.ts";
import { readSubagent } from "../subagents/index.ts";
import { readSums } from "../usage/index.ts";

/**
 * What cannot be read of the documents and usage logs that no person writes, a sentence each. Changes nothing.
 *
 * Source: docs/storage-fs-format.md, "Editing by hand".
 */
export function damagedDocuments(store: Pick<Store, "get" | "list" | "read">): Promise<readonly string[]> {
  return findDamaged(store, [
    ["access/accounts/", parseAccount],
    ["access/owner", parseOwner],
    ["approvals/requests/", parseApproval],
    ["approvals/rules", readRules],
    ["attention/", readAttention],
    ["buttons/", readOffer],
    ["notifications/", readKept],
    ["subagents/sa-", readSubagent],
    ["usage/", readSums],
  ]);
}
