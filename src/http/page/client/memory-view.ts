import type { ScriptTexts } from "../texts.ts";
import { showEditBox } from "./edit-box.ts";
import { askingButton, button, element, find, firstWords, wireView } from "./elements.ts";
import { type Server, createAsk, json, problemText } from "./server.ts";
import type { Counts, MemoryEntry, MemoryHit } from "./wire.ts";

export interface MemoryViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who may read everyone's memory. */
  readonly isOwner: boolean;
}

const ROOT = "api/v1/memory";
/** Alias of the owner's memory. */
const OWNERS = "@owner";
/** Number of days to list; search finds older ones. */
const DAYS_SHOWN = 30;
const PAGE = 20;

/** The view of memory: search, read, edit and archive. Its button is hidden if the server has no memory. */
export function createMemoryView({ server, texts, isOwner }: MemoryViewParts): { start(): Promise<void> } {
  const words = find("memory-words", HTMLInputElement);
  const whose = find("memory-user", HTMLSelectElement);
  const status = find("memory-status", HTMLElement);
  const files = find("memory-files", HTMLElement);
  const found = find("memory-found", HTMLElement);
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;

  const isArchive = () => find("memory-archived", HTMLInputElement).checked;

  /** Builds a path for the chosen user. */
  function at(path: string, query: Readonly<Record<string, string>> = {}): string {
    const user = isOwner && whose.value !== "" ? { user: whose.value } : {};
    const all = new URLSearchParams({ ...query, ...user }).toString();
    return `${ROOT}${path}${all === "" ? "" : `?${all}`}`;
  }

  const ask = createAsk(server, texts, (text) => (status.textContent = text));

  /** As `ask`, but returns the error as a text. */
  async function put(path: string, method: string, body: unknown): Promise<{ wrong?: string; body?: unknown }> {
    try {
      const response = await server.request(path, json(method, body));
      return response.ok ? { body: await response.json() } : { wrong: await problemText(response, texts) };
    } catch {
      return { wrong: texts.unreachable };
    }
  }

  async function show(): Promise<void> {
    const mine = ++generation;
    const text = words.value.trim();
    const hits =
      text === ""
        ? await newest(undefined)
        : { entries: (await ask<{ hits: MemoryHit[] }>(at("", { query: text, limit: String(PAGE) })))?.hits };
    if (mine !== generation || hits.entries === undefined) return;
    found.replaceChildren();
    addRows(hits.entries, hits.next);
    status.textContent =
      hits.entries.length === 0 ? texts.memoryNothing : `${hits.entries.length} ${texts.memoryFound}`;
  }

  async function newest(after: string | undefined): Promise<{ entries: MemoryHit[] | undefined; next?: string }> {
    const query = {
      limit: String(PAGE),
      ...(isArchive() && { archived: "true" }),
      ...(after !== undefined && { after }),
    };
    const page = await ask<{ entries: MemoryEntry[]; next_after?: string }>(at("/entries", query));
    return {
      entries: page?.entries.map((entry) => ({ entry })),
      ...(page?.next_after !== undefined && { next: page.next_after }),
    };
  }

  function addRows(hits: readonly MemoryHit[], next: string | undefined): void {
    found.append(...hits.map(row));
    if (next === undefined) return;
    const more = button(texts.memoryMore, async () => {
      more.disabled = true;
      const page = await newest(next);
      more.remove();
      if (page.entries) addRows(page.entries, page.next);
    });
    found.append(more);
  }

  /** A row for an entry: collapsed its first words, open all of it and why it was found. */
  function row(hit: MemoryHit): HTMLElement {
    let { entry } = hit;
    const line = element("span", { text: firstWords(entry.content, 120) });
    const when = element("time", { text: new Date(entry.created_at).toLocaleDateString() });
    when.dateTime = entry.created_at;
    const body = element("div", { class: "body" });
    const view = element("details", { class: "entry" }, [element("summary", {}, [when, " ", line]), body]);
    // A line of a file has no entry; the file is edited instead.
    const isLine = hit.layer === "long_term" || hit.layer === "daily";
    const own = (path = "") => at(`/entries/${encodeURIComponent(entry.id)}${path}`);
    showEntry();
    return view;

    function showEntry(): void {
      line.textContent = firstWords(entry.content, 120);
      const keywords = entry.keywords.length === 0 ? [] : [["", entry.keywords.join(", ")] as const];
      const facts = element(
        "dl",
        {},
        [
          ...why(hit),
          [texts.memoryType, typeof entry.slots["type"] === "string" ? entry.slots["type"] : "–"] as const,
          ...keywords.map(([, text]) => [texts.memoryKeywords, text] as const),
        ].flatMap(([name, text]) => [element("dt", { text: name }), element("dd", { text })]),
      );
      const actions = isLine
        ? []
        : [
            button(texts.edit, () =>
              edit(body, entry.content, showAgain, async (content) => {
                const change = { content, if_updated_at: entry.updated_at };
                const { wrong, body: now } = await put(own(), "PATCH", change);
                if (wrong === undefined) entry = now as MemoryEntry;
                return wrong;
              }),
            ),
            button(isArchive() ? texts.memoryRestore : texts.memoryArchive, () =>
              act(isArchive() ? "/restore" : "/archive"),
            ),
            askingButton(texts.remove, texts.removeSure, () => void act("")),
          ];
      body.replaceChildren(element("p", { text: entry.content }), facts, element("div", { class: "answers" }, actions));
    }

    /** Shows the entry after an edit. Reads it again if the edit was cancelled, since it may have changed. */
    async function showAgain(isSaved: boolean): Promise<void> {
      showEntry();
      const now = isSaved ? undefined : await ask<MemoryEntry>(own());
      if (!now || body.querySelector("textarea")) return;
      entry = now;
      const hadFocus = body.contains(document.activeElement);
      showEntry();
      if (hadFocus) body.querySelector("button")?.focus();
    }

    async function act(path: "" | "/archive" | "/restore"): Promise<void> {
      const method = path === "" ? "DELETE" : "POST";
      if ((await ask(own(path), { method })) === undefined) return;
      const next = view.nextElementSibling ?? view.previousElementSibling;
      view.remove();
      (next?.querySelector<HTMLElement>("summary") ?? words).focus();
      status.textContent =
        path === "" ? texts.memoryRemoved : path === "/archive" ? texts.memoryArchived : texts.memoryRestored;
    }
  }

  function why({ layer, score, signals }: MemoryHit): (readonly [string, string])[] {
    if (layer === undefined) return [];
    const named = Object.entries(signals ?? {}).map(
      ([name, value]) => `${texts[SIGNALS[name] ?? "memoryWhy"]} ${value.toFixed(2)}`,
    );
    const where = texts[LAYERS[layer] ?? "memoryWhy"];
    return [
      [texts.memoryWhy, [where, `${texts.memoryScore} ${(score ?? 0).toFixed(2)}`, ...named].join(" · ")] as const,
    ];
  }

  /** Replaces the content with a text box. `save` returns the error. */
  function edit(
    body: HTMLElement,
    text: string,
    done: (isSaved: boolean) => void | Promise<void>,
    save: (text: string) => Promise<string | undefined>,
  ): void {
    showEditBox(body, {
      texts,
      text,
      label: texts.memoryText,
      save,
      onDone(isSaved) {
        if (isSaved) status.textContent = texts.memorySaved;
        void done(isSaved);
        body.querySelector("button")?.focus();
      },
    });
  }

  async function showFiles(): Promise<void> {
    const mine = generation;
    const listed = await ask<{ files: string[] }>(at("/files"));
    if (!listed || mine !== generation) return;
    const names = ["MEMORY.md", ...listed.files.filter((name) => name !== "MEMORY.md").slice(0, DAYS_SHOWN)];
    files.replaceChildren(...names.map(fileRow));
  }

  /** A row for a file, read when opened. */
  function fileRow(name: string): HTMLElement {
    const body = element("div", { class: "body" });
    const view = element("details", { class: "entry" }, [element("summary", { text: name }), body]);
    view.addEventListener("toggle", () => {
      // Keep an edit in progress.
      if (view.open && !body.querySelector("textarea")) void read();
    });
    return view;

    async function read(): Promise<void> {
      const response = await server.request(at(`/files/${name}`)).catch(() => undefined);
      if (!response || (!response.ok && response.status !== 404)) {
        status.textContent = response ? await problemText(response, texts) : texts.unreachable;
        return;
      }
      const file = response.ok ? ((await response.json()) as { text: string; version: string }) : undefined;
      let text = file?.text ?? "";
      let version = file?.version ?? null;
      const showText = () => {
        const shown =
          text.trim() === "" ? element("p", { class: "muted", text: texts.memoryEmpty }) : element("pre", { text });
        if (shown instanceof HTMLPreElement) shown.tabIndex = 0;
        const change = button(texts.edit, () =>
          edit(body, text, showAgain, async (given) => {
            const { wrong, body: now } = await put(at(`/files/${name}`), "PUT", { text: given, version });
            if (wrong !== undefined) return wrong;
            ({ text, version } = now as { text: string; version: string });
            return undefined;
          }),
        );
        const hadFocus = body.contains(document.activeElement);
        body.replaceChildren(shown, element("div", { class: "answers" }, [change]));
        if (hadFocus) change.focus();
      };
      const showAgain = (isSaved: boolean) => {
        showText();
        // The file may have changed in the meantime.
        if (!isSaved) void read();
      };
      if (!body.querySelector("textarea")) showText();
    }
  }

  async function refresh(): Promise<void> {
    await show();
    await showFiles();
  }

  async function showUsers(): Promise<void> {
    if (!isOwner) return;
    const listed = await ask<{ users: Counts[] }>(`${ROOT}/users`);
    const chosen = whose.value;
    const users = listed?.users ?? [];
    const own = users.find(({ user }) => user === OWNERS) ?? { user: OWNERS, entries: 0 };
    const options = [own, ...users.filter((one) => one !== own)].map((one) => {
      const option = element("option", { text: `${one === own ? texts.memoryOwn : one.user} (${one.entries})` });
      option.value = one === own ? "" : one.user;
      return option;
    });
    whose.replaceChildren(...options);
    whose.value = chosen;
    find("memory-whose", HTMLElement).hidden = false;
  }

  wireView("memory", () => {
    words.focus();
    // Keep an edit in progress.
    if (!words.closest("dialog")?.querySelector("textarea")) void showUsers().then(refresh);
  });
  find("memory-search", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void show();
  });
  whose.addEventListener("change", () => void refresh());
  find("memory-archived", HTMLInputElement).addEventListener("change", () => {
    words.value = "";
    void show();
  });

  return {
    /** Contract: never throws. */
    async start() {
      // If the request fails, the button stays; the opened view shows the error.
      const response = await server.request(`${ROOT}/counts`).catch(() => undefined);
      find("memory", HTMLElement).hidden = response?.status === 404;
    },
  };
}

const LAYERS: Readonly<Record<string, Exclude<keyof ScriptTexts, "problems">>> = {
  long_term: "memoryLongTerm",
  daily: "memoryDaily",
  entry: "memoryEntry",
  archive: "memoryInArchive",
};

const SIGNALS: Readonly<Record<string, Exclude<keyof ScriptTexts, "problems">>> = {
  keyword: "memoryKeyword",
  semantic: "memorySemantic",
  neighbours: "memoryNeighbours",
  proximity: "memoryProximity",
  feedback: "memoryFeedback",
};
