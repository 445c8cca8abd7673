import type { ScriptTexts } from "../texts.ts";
import { nameIn, showEditBox } from "./edit-box.ts";
import { askingButton, button, element, find, showInOrder, wireView } from "./elements.ts";
import { type Server, createAsk, json, problemText } from "./server.ts";
import { createSkillRegistryView } from "./skill-registry-view.ts";
import { localTime } from "./times.ts";
import type { SkillDetailEntry, SkillEntry, SkillStatsEntry, SuggestionEntry } from "./wire.ts";

export interface SkillsViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who may write, install and remove skills. */
  readonly isOwner: boolean;
}

const ROOT = "api/v1/skills";
const NEW_SKILL = `---
name: my-skill
description: What it does and when to use it
triggers:
  intent_patterns: ["my skill"]
---

# My skill

1. What to do first.
`;

/** A skill in the list. */
interface Row {
  readonly view: HTMLDetailsElement;
  show(skill: SkillEntry, stats: SkillStatsEntry | undefined): void;
  /** Reads the text again if the row is open. */
  refresh(): void;
}

/**
 * The view of skills: descriptions, feedback and suggestions; for the owner also writing and installing. Its button is
 * hidden if the server has no skills.
 */
export function createSkillsView({ server, texts, isOwner }: SkillsViewParts): { start(): Promise<void> } {
  const status = find("skills-status", HTMLElement);
  const suggested = find("skills-suggested", HTMLElement);
  const suggestions = find("skills-suggestions", HTMLUListElement);
  const hint = find("skills-hint", HTMLElement);
  const list = find("skills-list", HTMLElement);
  const newBody = find("skills-new", HTMLElement);
  const close = find("skills-close", HTMLButtonElement);
  const rows = new Map<string, Row>();
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;

  const ask = createAsk(server, texts, (text) => (status.textContent = text), ROOT);

  async function load(): Promise<void> {
    const mine = ++generation;
    const [skills, stats, waiting] = await Promise.all([
      ask<{ skills: SkillEntry[] }>(""),
      ask<{ stats: SkillStatsEntry[] }>("/stats"),
      ask<{ suggestions: SuggestionEntry[] }>("/suggestions"),
    ]);
    if (mine !== generation) return;
    if (skills) showSkills(skills.skills, stats?.stats ?? []);
    showSuggestions((waiting?.suggestions ?? []).filter(({ state }) => state === "open"));
  }

  /** Rows stay in place while the list is the same, and keep their open state and focus. */
  function showSkills(skills: readonly SkillEntry[], stats: readonly SkillStatsEntry[]): void {
    const names = new Set(skills.map(({ name }) => name));
    for (const name of rows.keys()) if (!names.has(name)) rows.delete(name);
    const views = skills.map((skill) => {
      const row = rows.get(skill.name) ?? createRow(skill.name);
      rows.set(skill.name, row);
      row.show(
        skill,
        stats.find(({ name }) => name === skill.name),
      );
      return row.view;
    });
    hint.textContent = skills.length === 0 ? texts.skillsNone : "";
    showInOrder(list, views);
  }

  function createRow(name: string): Row {
    const state = element("span", { class: "state" });
    const about = element("p");
    const facts = element("dl");
    const text = element("div");
    const answers = element("div", { class: "answers" });
    const body = element("div", { class: "body" }, [about, facts, text, answers]);
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", name);
    const view = element("details", { class: "entry" }, [
      element("summary", {}, [element("strong", { text: name }), " ", state]),
      body,
    ]);
    view.addEventListener("toggle", () => void readText());
    let skill: SkillEntry | undefined;
    let stats: SkillStatsEntry | undefined;
    const path = (more = "") => `/${encodeURIComponent(name)}${more}`;

    async function readText(): Promise<void> {
      if (!view.open) return;
      const detail = await ask<SkillDetailEntry>(path());
      if (!detail) return;
      ({ stats } = detail);
      showFacts(detail);
      const shown = element("pre", { text: detail.text });
      shown.tabIndex = 0;
      text.replaceChildren(element("h4", { text: texts.skillText }), shown);
      showAnswers(detail);
    }

    function showFacts(detail?: SkillDetailEntry): void {
      if (!skill) return;
      facts.replaceChildren(
        ...factsOf(skill, stats, detail).flatMap(([term, said]) => [
          element("dt", { text: term }),
          element("dd", { text: said }),
        ]),
      );
    }

    function showAnswers(detail: SkillDetailEntry): void {
      const isOwn = detail.place === "workspace";
      const came = detail.stats.activations > 0;
      const owners = [
        detail.disabled === true ? button(texts.skillEnable, () => void act("/enable", texts.skillEnabled)) : undefined,
        button(isOwn ? texts.edit : texts.skillCopy, () => edit(detail)),
        detail.origin ? button(texts.skillVerify, () => void verify()) : undefined,
        detail.origin ? button(texts.skillUpdate, () => void update()) : undefined,
        isOwn ? askingButton(texts.remove, texts.removeSure, () => void remove()) : undefined,
      ];
      const all = [
        ...(came ? [feedbackButton(true), feedbackButton(false)] : []),
        ...(isOwner ? owners : []).filter((one) => one !== undefined),
      ];
      const focused = document.activeElement;
      const label = focused && answers.contains(focused) ? focused.textContent : undefined;
      answers.replaceChildren(...all);
      // The buttons were replaced, so restore the focus.
      if (label !== undefined) (all.find((one) => one.textContent === label) ?? all[0])?.focus();
    }

    function feedbackButton(helpful: boolean): HTMLButtonElement {
      const label = helpful ? `👍 ${texts.skillHelped}` : `👎 ${texts.skillNoHelp}`;
      return button(label, async () => {
        const now = await ask<SkillStatsEntry>(path("/feedback"), json("POST", { helpful }));
        if (!now) return;
        stats = now;
        status.textContent = texts.skillThanks;
        await load();
      });
    }

    async function act(more: string, said: string): Promise<void> {
      if ((await ask(path(more), json("POST", {}))) === undefined) return;
      status.textContent = said;
      await load();
      await readText();
    }

    async function verify(): Promise<void> {
      type Verified = { ok: boolean; changed: string[]; missing: string[]; added: string[] };
      const found = await ask<Verified>(path("/verify"), json("POST", {}));
      if (!found) return;
      const files = [
        ...found.changed,
        ...found.missing.map((file) => `−${file}`),
        ...found.added.map((file) => `+${file}`),
      ];
      status.textContent = `${name}: ${found.ok ? texts.skillVerified : texts.skillDiffers.replace("{files}", files.join(", "))}`;
    }

    async function update(): Promise<void> {
      const done = await ask<{ installed: { version: string } | null }>(path("/update"), json("POST", {}));
      if (!done) return;
      status.textContent = `${name}: ${done.installed?.version ?? texts.skillNewest}`;
      await load();
      await readText();
    }

    function edit(detail: SkillDetailEntry): void {
      const shown = [about, facts, text, answers];
      showEditBox(body, {
        texts,
        text: detail.text,
        label: texts.skillText,
        save: (changed) => write(changed, name),
        onDone(isSaved) {
          body.replaceChildren(...shown);
          answers.querySelector("button")?.focus();
          if (!isSaved) return;
          status.textContent = texts.skillSaved;
          void load().then(readText);
        },
      });
    }

    async function remove(): Promise<void> {
      if ((await ask(path(), { method: "DELETE" })) === undefined) return;
      const next = view.nextElementSibling ?? view.previousElementSibling;
      (next?.querySelector<HTMLElement>("summary") ?? close).focus();
      status.textContent = texts.skillRemoved;
      await load();
    }

    return {
      view,
      refresh: () => void readText(),
      show(given, known) {
        [skill, stats] = [given, known];
        const isOffered = given.missing.length === 0;
        const what = isOffered ? placeOf(given) : given.disabled === true ? texts.skillWaits : texts.skillNotOffered;
        state.textContent = stats && stats.activations > 0 ? `${what} · ${cameText(stats)}` : what;
        view.classList.toggle("failed", !isOffered);
        about.textContent = given.description;
        showFacts();
      },
    };
  }

  function factsOf(
    skill: SkillEntry,
    stats: SkillStatsEntry | undefined,
    detail: SkillDetailEntry | undefined,
  ): readonly (readonly [string, string])[] {
    const { origin, missing, people } = skill;
    const from = origin ? `${origin.registry} ${origin.slug} ${origin.version}` : skill.source;
    const place = from === undefined || from === skill.place ? placeOf(skill) : `${placeOf(skill)} · ${from}`;
    const last = stats?.last_at === undefined ? "" : ` · ${localTime(stats.last_at)}`;
    return [
      [texts.skillFrom, place],
      [texts.skillComes, skill.has_triggers ? texts.skillByItself : texts.skillWhenAsked],
      ...(missing.length > 0 ? [[texts.skillWhyNot, missing.join("; ")] as const] : []),
      ...(people ? [[texts.skillFor, people.join(", ")] as const] : []),
      [texts.skillCame, `${stats && stats.activations > 0 ? cameText(stats) : texts.skillNever}${last}`],
      ...(detail && detail.files.length > 0 ? [[texts.skillFiles, detail.files.join(", ")] as const] : []),
    ];
  }

  function placeOf({ place }: SkillEntry): string {
    return {
      workspace: texts.skillWorkspace,
      given: texts.skillGiven,
      global: texts.skillGlobal,
      "built-in": texts.skillBuiltIn,
    }[place];
  }

  function cameText({ activations, helpful, not_helpful: notHelpful }: SkillStatsEntry): string {
    const came = texts.skillTimes.replace("{count}", String(activations));
    const said = helpful + notHelpful;
    if (said === 0) return came;
    return `${came}, ${texts.skillHelpfulOf.replace("{helpful}", String(helpful)).replace("{said}", String(said))}`;
  }

  /**
   * Saves a skill. Refuses the name of another skill, which it would replace.
   * @returns The errors in the text, one per line.
   */
  async function write(text: string, before?: string): Promise<string | undefined> {
    const name = nameIn(text);
    if (name !== before && rows.has(name)) return texts.nameTaken.replace("{name}", name);
    try {
      const response = await server.request(ROOT, json("POST", { text }));
      return response.ok ? undefined : await mistakesIn(response);
    } catch {
      return texts.unreachable;
    }
  }

  async function mistakesIn(response: Response): Promise<string> {
    const { issues = [] } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { issues?: readonly { line: number; field?: string; message: string }[] };
    if (issues.length === 0) return problemText(response, texts);
    return issues
      .map(({ line, field, message }) =>
        texts.skillLine.replace("{line}", String(line)).replace("{what}", field ? `${field}: ${message}` : message),
      )
      .join("\n");
  }

  function showSuggestions(open: readonly SuggestionEntry[]): void {
    suggested.hidden = open.length === 0;
    suggestions.replaceChildren(
      ...open.map(({ id, name, description, tool_sequence: tools, occurrences }) => {
        const answer = async (said: "accept" | "decline") => {
          const done = await ask<{ skill?: string }>(
            `/suggestions/${encodeURIComponent(id)}`,
            json("POST", { answer: said }),
          );
          if (!done) return;
          status.textContent = done.skill ? texts.skillMade.replace("{name}", done.skill) : texts.skillDeclined;
          close.focus();
          await load();
        };
        const times = texts.skillTimes.replace("{count}", String(occurrences));
        return element("li", {}, [
          element("div", {}, [
            element("strong", { text: name }),
            element("p", { text: description }),
            element("p", { class: "muted", text: `${tools.join(" → ")} · ${times}` }),
          ]),
          element("div", { class: "answers" }, [
            button(texts.skillMake, () => void answer("accept"), ""),
            button(texts.skillDecline, () => void answer("decline")),
          ]),
        ]);
      }),
    );
  }

  function begin(): void {
    showEditBox(newBody, {
      texts,
      text: NEW_SKILL,
      label: texts.skillText,
      save: write,
      onDone(isSaved) {
        showBeginning();
        newBody.querySelector("button")?.focus();
        if (!isSaved) return;
        status.textContent = texts.skillSaved;
        void load();
      },
    });
  }

  function showBeginning(): void {
    newBody.replaceChildren(element("div", { class: "answers" }, [button(texts.skillNew, begin)]));
  }

  return {
    /** Contract: never throws. */
    async start() {
      if (isOwner) {
        showBeginning();
        if (document.getElementById("skills-registry") !== null)
          createSkillRegistryView({ ask, texts, status, onInstalled: () => void load() }).start();
      }
      wireView("skills", () => {
        status.textContent = "";
        void load();
        for (const row of rows.values()) row.refresh();
      });
      // If the request fails, the button stays; the opened view shows the error.
      const response = await server.request(ROOT).catch(() => undefined);
      find("skills", HTMLElement).hidden = response?.status === 404;
    },
  };
}
