/** The channel on which the runtime itself calls tools; nobody can write or call from it. */
export const RUNTIME_CHANNEL = "runtime";

/** The channel of automations that call `/hooks`; nobody else may speak as it. */
export const HOOK_CHANNEL = "hook";

/** Channels that stand for the program itself and its owner; nobody else may speak as them. */
export const HOST_CHANNELS: readonly string[] = ["sdk", "cli", "web", RUNTIME_CHANNEL, HOOK_CHANNEL];

/** As whom automations speak. */
export const AUTOMATION = `${HOOK_CHANNEL}:automation`;
