/** The channel on which the runtime itself calls tools; nobody can write or call from it. */
export const RUNTIME_CHANNEL = "runtime";

/** Channels that stand for the program itself and its owner; nobody else may speak as them. */
export const HOST_CHANNELS: readonly string[] = ["sdk", "cli", "web", RUNTIME_CHANNEL];
