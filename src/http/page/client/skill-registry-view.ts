import type { ScriptTexts } from "../texts.ts";
import { button, element, find } from "./elements.ts";
import { json } from "./server.ts";
import type { FoundSkillEntry, InstalledSkillEntry } from "./wire.ts";

export interface SkillRegistryViewParts {
  /** Calls the API below the path of skills. Returns `undefined` after it has shown an error. */
  ask<T>(path: string, init?: RequestInit): Promise<T | undefined>;
  readonly texts: ScriptTexts;
  readonly status: HTMLElement;
  onInstalled(): void;
}

/**
 * Searches the registries and installs skills, for the owner. Shows the registry's verdict and the findings of the file
 * check.
 */
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

  /** Shows the registry's verdict and the findings. */
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
