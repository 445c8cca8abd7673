import { type Asked, createAccess } from "../../src/access/index.ts";
import { AssistantError } from "../../src/errors.ts";
import type { InboundMessage } from "../../src/message.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { createAudit, createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";

export interface SetUp {
  readonly store?: Store;
  readonly clock?: FakeClock;
  readonly ownerIds?: readonly string[];
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly show?: (asked: Asked) => Promise<void>;
}

/** The room on a store that counts what is written, with everything that it says. */
export async function setUp({
  store = memoryStore(),
  clock = fakeClock(),
  ownerIds = ["telegram:1"],
  show,
  ...rest
}: SetUp = {}) {
  const shown: Asked[] = [];
  const welcomed: Asked[] = [];
  const errors: string[] = [];
  const writes = { documents: 0 };
  const counted: Store = {
    ...store,
    put(key, value, options) {
      writes.documents += 1;
      return store.put(key, value, options);
    },
  };
  const audit = createAudit({ store, clock });
  const metrics = createMetrics();
  const access = createAccess({
    store: counted,
    clock,
    audit,
    metrics,
    logger: { ...silentLogger, error: (message) => void errors.push(message) },
    ownerIds,
    ...rest,
  });
  access.start({
    languageOf: () => "en",
    show: show ?? (async (asked) => void shown.push(asked)),
    welcome: async (asked) => void welcomed.push(asked),
    answered: async () => {},
  });
  await access.recover();
  const lines = async (what = "access") => {
    await audit.settled();
    return audit.read({ what, limit: 2000 });
  };
  const keys = async (prefix = "access/") => {
    const found: string[] = [];
    for await (const { key } of store.list(prefix)) found.push(key);
    return found;
  };
  return { access, store, clock, shown, welcomed, errors, writes, metrics, lines, keys };
}

/** A direct message of this id. */
export function from(id: string, rest: Partial<InboundMessage> = {}): InboundMessage {
  return { channel: "telegram", id: `e-${id}`, peer: { kind: "direct", id }, sender: { id }, text: "hi", ...rest };
}

/** Asks, and gives the code. */
export async function codeOf(
  access: Awaited<ReturnType<typeof setUp>>["access"],
  message: InboundMessage,
): Promise<string> {
  const outcome = await access.request(message);
  if (outcome.verdict !== "asked") throw new Error(`Expected a code, and it was ${outcome.verdict}`);
  return outcome.code;
}

/** The code of the error that it fails with. */
export const codeOfError = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (AssistantError.is(error) ? error.code : `not ours: ${String(error)}`),
  );
