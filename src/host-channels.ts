/** The channel on which the runtime itself calls tools. No person can write or call from it. */
export const RUNTIME_CHANNEL = "runtime";

/** The channel of automations that call `/hooks`. No other caller may use it. */
export const HOOK_CHANNEL = "hook";

/** Channels of the program itself and its owner. No other caller may use them. */
export const HOST_CHANNELS: readonly string[] = ["sdk", "cli", "web", RUNTIME_CHANNEL, HOOK_CHANNEL];

/** The user that automations speak as. */
export const AUTOMATION = `${HOOK_CHANNEL}:automation`;
