import { expect } from "vitest";
import { AssistantError, memoryStore } from "../../../entry.host.ts";
import type { Hostile } from "./hostile.ts";
import { everythingIn, setUp, shelfRegistry } from "./support.ts";

/** An archive is refused for its reason, and the store is as before. */
export async function expectRefused({ archive, reason }: Hostile): Promise<void> {
  const store = memoryStore();
  await store.put("skills/other/SKILL.md", "kept");
  const before = await everythingIn(store);
  const { installer } = setUp([shelfRegistry("shelf", { greet: { archive: archive(), meta: {} } })], store);
  const error = await installer.install({ slug: "greet" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AssistantError);
  expect((error as AssistantError).code).toBe("SKILL_REFUSED");
  expect((error as AssistantError).message).toMatch(reason);
  expect((error as AssistantError).message.length).toBeLessThan(400);
  expect(await everythingIn(store)).toEqual(before);
}
