/**
 * For authors of adapters and for tests of programs that embed the assistant: contract suites, a fake clock, a scripted
 * model, an in-memory channel.
 *
 * @module
 */
export { channelContract } from "./channel-contract.ts";
export { engineContract } from "./engine-contract.ts";
export { fakeClock } from "./fake-clock.ts";
export type { FakeClock } from "./fake-clock.ts";
export { inMemoryChannel } from "./in-memory-channel.ts";
export type { InMemoryChannel, InMemoryChannelOptions } from "./in-memory-channel.ts";
export { memoryStoreContract } from "./memory-store-contract.ts";
export { calls, delayed, fails, hangs, says, scriptedModel, streams } from "./scripted-model.ts";
export type { Script, ScriptedModel, ScriptedStep } from "./scripted-model.ts";
export { storeContract } from "./store-contract.ts";
export type { OpenedStore, StoreContractOptions } from "./store-contract.ts";
export type { TestApi } from "./test-api.ts";
export { workspaceContract } from "./workspace-contract.ts";
export { commandContract } from "./command-contract.ts";
export type { OpenedCommands } from "./command-contract.ts";
export { platformContract } from "./platform-contract.ts";
export type { OpenedOrigin } from "./platform-contract.ts";
export { skillSourceContract } from "./skill-source-contract.ts";
export { skillRegistryContract } from "./skill-registry-contract.ts";
export { scorerContract } from "./scorer-contract.ts";
