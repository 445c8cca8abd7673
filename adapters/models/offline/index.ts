/**
 * The offline model: a language model of fixed rules, for a first start without a key, for tests and for benchmarks.
 *
 * @module
 */
export { offlineModel, shippedIntents } from "./offline-model.ts";
export type { OfflineModelOptions } from "./offline-model.ts";
export type { Ability, Conversation, Intent, IntentCall, IntentResult, Language, Match, Step, Turn } from "./intent.ts";
export type { Known } from "./remembered/known.ts";
