/** A message whose answer is not complete yet. */
export interface PendingMessage {
  readonly id: string;
  readonly text: string;
  /** The newest record that the page had read of the conversation. Absent: none. */
  readonly after?: number;
  /** How often the same was said behind it before. Absent: never. */
  readonly before?: number;
}

/** What the browser keeps, for each tab and for the next one that is opened: which conversation this is, and the messages whose answers are not complete yet, in their order. */
export interface Kept {
  readonly id: string;
  /** Something was said in it, so the server may have it. */
  readonly begun?: boolean;
  readonly pending?: readonly PendingMessage[];
}

const CONVERSATION = "conversation";
/** What this tab has in the box, which a reload and a new sign-in would empty. */
const DRAFT = "draft";

/** Of whoever is signed in: the next person at this browser finds nothing of the one before. */
const keyOf = (what: string) => `wakeful.${what}${document.body.dataset["user"] ?? ""}`;

/** The conversation of before the reload, or a new one. */
export function readKept(): Kept {
  try {
    const key = keyOf(CONVERSATION);
    const last = localStorage.getItem(key);
    // After a sign-out in any tab there is none.
    const found = JSON.parse((last && sessionStorage.getItem(key)) ?? last ?? "null") as Kept | null;
    // An older page kept one message, which is on the server too.
    if (typeof found?.id === "string") return Array.isArray(found.pending) ? found : { id: found.id, begun: true };
  } catch {
    // Storage may be forbidden or hold something else: the conversation then lasts as long as the page.
  }
  return { id: newId() };
}

/** Storage may be forbidden or full. */
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

/** Once the server has ended the session nothing is kept, and the other tabs, which hear of that, show the sign-in form as well. */
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
  // Not crypto.randomUUID(): that one is missing on pages served without TLS from another machine.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
