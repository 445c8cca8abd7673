import { createAttention } from "../../src/attention/index.ts";
import { createButtons } from "../../src/buttons/index.ts";
import { createNotifications } from "../../src/notifications/index.ts";
import { createPassOn } from "../../src/notify/index.ts";
import type { TestAssistant } from "./assistant.ts";

const IDLE = { wake: async () => {} };

/** Asks something under a notice of a person whom no channel reaches, as the rooms of the assistant do, on its store. @returns The buttons. */
export async function askUnasked(
  { store, clock, assistant }: Pick<TestAssistant, "store" | "clock" | "assistant">,
  { user, id = "offer", text = "Shall I look at the news each morning?" }: { user: string; id?: string; text?: string },
) {
  const notifications = createNotifications({ store, clock, events: assistant.events });
  const attention = createAttention({ store, engine: IDLE, clock, configOf: () => ({}) });
  const buttons = createButtons({ store, clock });
  const passOn = createPassOn({
    channels: { of: () => undefined },
    enqueue: async () => {},
    isOwner: () => false,
    keep: async () => {},
    tellHost: (message) => notifications.keep({ ...message, kind: "notice" }),
    offer: buttons.offer,
    addNote: async () => {},
  });
  const choices = [
    { id: "yes", label: "Yes" },
    { id: "later", label: "Not now" },
  ];
  const sessionKey = `agent:main:${user}`;
  const notice = { id, type: "pattern", user, channel: user.split(":")[0] ?? "", text, sessionKey, requested: false };
  await attention.take(user, notice);
  await passOn({ ...notice, offer: { kind: "nobody", choices, data: {} } });
  const [kept] = (await notifications.list({ user })).filter((one) => one.id === `notice:${id}`);
  return kept?.buttons ?? [];
}
