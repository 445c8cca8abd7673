import { type Erasable, NOBODY } from "../erasable/index.ts";
import type { UsageRecorder } from "./usage.ts";

/** What people used: the sums stay, under the name of nobody. */
export function createUsageErasure(usage: Pick<UsageRecorder, "rename">): Erasable {
  return {
    forget: ({ isUser, words }) => usage.rename((user) => user !== NOBODY && isUser(user), NOBODY, words.isNamed),
  };
}
