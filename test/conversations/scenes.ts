import { approvals } from "./scenes/approvals.ts";
import { crashes } from "./scenes/crashes.ts";
import { direct } from "./scenes/direct.ts";
import { groups } from "./scenes/groups.ts";
import { http } from "./scenes/http.ts";
import { longOnes } from "./scenes/long-ones.ts";
import { memory } from "./scenes/memory.ts";
import { platforms } from "./scenes/platforms.ts";
import { tools } from "./scenes/tools.ts";
import type { World } from "./world.ts";

/** Each plays a conversation and gives all that was seen of it. */
export const scenes: Readonly<Record<string, () => ReturnType<World["close"]>>> = {
  ...direct,
  ...groups,
  ...tools,
  ...approvals,
  ...longOnes,
  ...memory,
  ...crashes,
  ...http,
  ...platforms,
};
