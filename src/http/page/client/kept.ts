/** A message whose answer is not complete yet. */
export interface PendingMessage {
  readonly id: string;
  readonly text: string;
  /** Newest record read before it was sent. Absent: none. */
  readonly after?: number;
  /** Number of equal messages sent after that record. Absent: none. */
  readonly before?: number;
}

/**
 * State that the browser stores for each tab, and for the next new tab: the conversation and its messages without a
 * complete answer, in order.
 */
export interface Kept {
  readonly id: string;
  /** Whether a message was sent, so the server may know the conversation. */
  readonly begun?: boolean;
  readonly pending?: readonly PendingMessage[];
}

const CONVERSATION = "conversation";
/** The text in this tab's box, which must survive a reload and a new sign-in. */
const DRAFT = "draft";

/** Keys contain the user, so that the next person at this browser does not see another's data. */
const keyOf = (what: string) => `wakeful.${what}${document.body.dataset["user"] ?? ""}`;

/** Returns the conversation from before a reload, or a new one. */
export function readKept(): Kept {
  try {
    const key = keyOf(CONVERSATION);
    const last = localStorage.getItem(key);
    // Local storage is empty after a sign-out in any tab; the tab's own copy is then ignored.
    const found = JSON.parse((last && sessionStorage.getItem(key)) ?? last ?? "null") as Kept | null;
    // An older version of the page stored one message, which the server has too.
    if (typeof found?.id === "string") return Array.isArray(found.pending) ? found : { id: found.id, begun: true };
  } catch {
    // Storage may be forbidden or contain other data. The conversation then lasts as long as the page.
  }
  return { id: newId() };
}

/** Ignores errors of storage, which may be forbidden or full. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function writeKept(kept: Kept): void {
  attempt(() =>
    [sessionStorage, localStorage].forEach((storage) => storage.setItem(keyOf(CONVERSATION), JSON.stringify(kept))),
  );
}

export function readDraft(): string {
  return attempt(() => sessionStorage.getItem(keyOf(DRAFT))) ?? "";
}

export function writeDraft(text: string): void {
  attempt(() => sessionStorage.setItem(keyOf(DRAFT), text));
}

/** Removes the stored state after a sign-out. Other tabs notice it and show the sign-in form as well. */
export function forgetAtSignOut(form: HTMLFormElement): void {
  form.addEventListener("submit", () => addEventListener("pagehide", forgetKept));
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== keyOf(CONVERSATION) || newValue !== null) return;
    forgetKept();
    location.reload();
  });
}

function forgetKept(): void {
  for (const what of [CONVERSATION, DRAFT])
    attempt(() => [sessionStorage, localStorage].forEach((storage) => storage.removeItem(keyOf(what))));
}

export function newId(): string {
  // crypto.randomUUID() is missing on pages served without TLS from another machine.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
