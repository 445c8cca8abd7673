import type { ScriptTexts } from "../texts.ts";
import { button, element, find } from "./elements.ts";
import { json } from "./server.ts";
import type { FoundSkillEntry, InstalledSkillEntry } from "./wire.ts";

export interface SkillRegistryViewParts {
  /** Asks the API below the skills' path; `undefined` after having said what went wrong. */
  ask<T>(path: string, init?: RequestInit): Promise<T | undefined>;
  readonly texts: ScriptTexts;
  readonly status: HTMLElement;
  onInstalled(): void;
}

/** Finds skills in the registries and installs them, for the owner: what the registry calls each and what a look at its files found stands beside it. */
export function createSkillRegistryView({ ask, texts, status, onInstalled }: SkillRegistryViewParts): {
  start(): void;
} {
  const part = find("skills-registry", HTMLElement);
  const form = find("skills-search", HTMLFormElement);
  const words = find("skills-words", HTMLInputElement);
  const results = find("skills-found", HTMLElement);
  let generation = 0;

  async function search(): Promise<void> {
    const mine = ++generation;
    const query = words.value.trim();
    if (query === "") return;
    status.textContent = texts.skillSearching;
    type Found = { found: FoundSkillEntry[]; failed: { registry: string; reason: string }[] };
    const rows = await ask<Found>(`/registry?query=${encodeURIComponent(query)}`);
    if (!rows || mine !== generation) return;
    const failed = rows.failed.map(({ registry, reason }) =>
      texts.skillNotAsked.replace("{registry}", registry).replace("{reason}", reason),
    );
    const count = rows.found.length === 0 ? texts.skillNothingFound : `${rows.found.length} ${texts.memoryFound}`;
    status.textContent = [count, ...failed].join(" · ");
    results.replaceChildren(...rows.found.map(row));
  }

  function row({ registry, slug, name, description, version }: FoundSkillEntry): HTMLElement {
    const outcome = element("div");
    outcome.setAttribute("role", "status");
    const install = button(
      texts.skillInstall,
      async () => {
        install.disabled = true;
        outcome.textContent = texts.skillInstalling;
        const done = await ask<InstalledSkillEntry>("/install", json("POST", { slug, registry }));
        outcome.replaceChildren(...(done ? told(done) : []));
        install.disabled = done !== undefined;
        if (done) onInstalled();
      },
      "",
    );
    install.setAttribute("aria-label", `${texts.skillInstall}: ${name}`);
    const from = [registry, slug, version].filter((one) => one !== undefined && one !== "").join(" · ");
    return element("div", { class: "found" }, [
      element("div", {}, [
        element("strong", { text: name }),
        element("p", { text: description }),
        element("p", { class: "muted", text: from }),
        outcome,
      ]),
      install,
    ]);
  }

  /** What the registry calls it, and what deserves a look. */
  function told({ name, version, verdict, disabled, findings }: InstalledSkillEntry): readonly Node[] {
    const called = {
      clean: texts.verdictClean,
      suspicious: texts.verdictSuspicious,
      malicious: texts.verdictMalicious,
      unknown: texts.verdictUnknown,
    }[verdict];
    const said = texts.skillInstalled.replace("{name}", name).replace("{version}", version);
    return [
      element("p", { text: `${said} ${called}` }),
      ...(findings.length === 0
        ? []
        : [
            element("p", { class: "failed", text: texts.skillFindings }),
            element(
              "ul",
              { class: "runs" },
              findings.map(({ file, line, what }) => element("li", { text: `${file}:${line} ${what}` })),
            ),
          ]),
      ...(disabled ? [element("p", { class: "failed", text: texts.skillWaitsFor })] : []),
    ];
  }

  return {
    start() {
      part.hidden = false;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        void search();
      });
    },
  };
}
