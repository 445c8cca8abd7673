import { type Erasable, NOBODY } from "../erasable/index.ts";
import type { UsageRecorder } from "./usage.ts";

/** Anonymizes a person's usage: the sums stay, under the name `NOBODY`. */
export function createUsageErasure(usage: Pick<UsageRecorder, "rename">): Erasable {
  return {
    forget: ({ isUser, words }) => usage.rename((user) => user !== NOBODY && isUser(user), NOBODY, words.isNamed),
  };
}
