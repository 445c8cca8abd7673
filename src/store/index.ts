export type {
  AppendOptions,
  AppendResult,
  JsonValue,
  LogRecord,
  ReadOptions,
  Store,
  StoreCaps,
  Value,
  Version,
} from "./port.ts";
export { canonicalJson } from "./canonical-json.ts";
export { defined } from "./defined.ts";
export { isLog } from "./is-log.ts";
export { keySegments, storeKey } from "./key.ts";
export { listKeys, removeUnder } from "./list-keys.ts";
export { memoryStore } from "./memory.ts";
export { decodeOrderedKey, encodeOrderedKey, orderedKeyRange } from "./ordered-key.ts";
export { keysUnder, moveKeys, respelling } from "./move-keys.ts";
export type { KeyMove, Renamable, Respell } from "./move-keys.ts";
export type { UnknownObject } from "./read-document.ts";
export { type ReadableRoom, findDamaged } from "./find-damaged.ts";
export {
  allTexts,
  areObjects,
  getIndex,
  isObject,
  readDocument,
  refuseNewer,
  textsIn,
  unreadable,
} from "./read-document.ts";
export { requireCaps, type StoreNeeds } from "./requirements.ts";
export { createTurns, type Turns } from "./turns.ts";
export { type RewriteOptions, finishRewrites, rewriteLog } from "./rewrite-log.ts";
export { isUnstorage } from "./is-unstorage.ts";
export type { UnstorageDriver, UnstorageStorage } from "./is-unstorage.ts";
export { unstorageStore } from "./unstorage.ts";
export type { UnstorageStoreOptions } from "./unstorage.ts";
export { decodeValue, encodeValue, type EncodedValue, type ValueKind } from "./value.ts";
export { openStore } from "./open-store.ts";
