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
export { keySegments, storeKey } from "./key.ts";
export { memoryStore } from "./memory.ts";
export { decodeValue, encodeValue, type EncodedValue, type ValueKind } from "./value.ts";
