import type { Clock } from "../../../clock.ts";
import type { ScriptTexts } from "../texts.ts";
import { button, element, find, showInOrder, wireView } from "./elements.ts";
import { type Server, createAsk, json } from "./server.ts";
import { localTime, timeLeft } from "./times.ts";
import type { NoticeEntry, PersonAttentionEntry } from "./wire.ts";

export interface AttentionViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  /** Whether the person is an owner, who sees everyone's messages and chooses the person. */
  readonly isOwner: boolean;
  readonly clock: Pick<Clock, "now">;
}

export interface AttentionView {
  start(): void;
  /** Reads the data again if the view is open. Contract: never throws. */
  refresh(): void;
}

const ROOT = "api/v1/attention";
const HOURS_MUTED = 3;
const HOUR_MS = 3_600_000;

/** A type of notice. Its buttons stay in place when it is updated. */
interface TypeRow {
  readonly view: HTMLElement;
  show(times: number): void;
}

/**
 * The view of unsolicited messages: what waits and until when, what was sent or dropped and why, quiet times, and types
 * that the person wants less of.
 */
export function createAttentionView({ server, texts, isOwner, clock }: AttentionViewParts): AttentionView {
  const dialog = find("attention-view", HTMLDialogElement);
  const status = find("attention-status", HTMLElement);
  const whose = find("attention-user", HTMLSelectElement);
  const muted = find("attention-muted", HTMLElement);
  const mute = find("attention-mute", HTMLButtonElement);
  const tomorrow = find("attention-tomorrow", HTMLButtonElement);
  const unmute = find("attention-unmute", HTMLButtonElement);
  const types = find("attention-types", HTMLUListElement);
  const held = find("attention-held", HTMLUListElement);
  const decided = find("attention-decided", HTMLUListElement);
  const rows = new Map<string, TypeRow>();
  let people: readonly PersonAttentionEntry[] = [];
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;

  const ask = createAsk(server, texts, (text) => (status.textContent = text));

  async function load(): Promise<void> {
    const mine = ++generation;
    const found = await ask<{ people: PersonAttentionEntry[] }>(ROOT);
    if (!found || mine !== generation) return;
    people = found.people;
    const chosen = whose.value;
    whose.replaceChildren(
      ...people.map(({ user }, index) => new Option(index === 0 ? `${user} (${texts.memoryOwn})` : user, user)),
    );
    if (people.some(({ user }) => user === chosen)) whose.value = chosen;
    find("attention-whose", HTMLElement).hidden = people.length < 2;
    show();
  }

  function show(): void {
    const person = people.find(({ user }) => user === whose.value) ?? people[0];
    if (!person) return;
    const until = person.muted_until;
    muted.textContent =
      until === null ? texts.attentionNotMuted : texts.attentionMutedUntil.replace("{time}", localTime(until));
    if (until === null && document.activeElement === unmute) mute.focus();
    unmute.hidden = until === null;
    list(
      held,
      person.held.map((one) => line(one, waiting(one))),
      texts.attentionNoneHeld,
    );
    list(
      decided,
      person.decisions.map((one) => line(one, when(one.at))),
      texts.attentionNoneDecided,
    );
    showTypes(person);
  }

  function list(place: HTMLElement, lines: readonly HTMLElement[], none: string): void {
    place.replaceChildren(...(lines.length === 0 ? [element("li", { class: "muted", text: none })] : lines));
  }

  function line({ type, text, verdict, rule }: NoticeEntry, time: HTMLElement): HTMLLIElement {
    const word = {
      send: texts.attentionSent,
      hold: texts.attentionHeldOne,
      digest: texts.attentionDigest,
      drop: texts.attentionDropped,
    }[verdict];
    const look = verdict === "send" ? "done" : verdict === "drop" ? "dropped" : "";
    return element("li", { class: look }, [
      element("strong", { text: type }),
      " ",
      element("span", { class: "state", text: word }),
      " ",
      time,
      ...(text === "" ? [] : [element("p", { text })]),
      element("p", { class: "why", text: ruleText(rule) }),
    ]);
  }

  function when(at: string): HTMLTimeElement {
    const time = element("time", { text: localTime(at) });
    time.dateTime = at;
    return time;
  }

  function waiting({ until = "" }: NoticeEntry): HTMLTimeElement {
    const time = when(until);
    const left = timeLeft(Math.max(0, Date.parse(until) - clock.now()));
    time.textContent = texts.attentionUntil.replace("{time}", localTime(until)).replace("{left}", left);
    return time;
  }

  function ruleText(rule: string): string {
    return (
      {
        channel_disabled: texts.ruleChannelDisabled,
        expired: texts.ruleExpired,
        asked: texts.ruleAsked,
        muted: texts.ruleMuted,
        quiet_hours: texts.ruleQuietHours,
        threshold: texts.ruleThreshold,
        duplicate: texts.ruleDuplicate,
        daily_cap: texts.ruleDailyCap,
        min_interval: texts.ruleMinInterval,
        ok: texts.ruleOk,
        too_many: texts.ruleTooMany,
      }[rule] ?? rule
    );
  }

  /** Requested messages have no row, since people do not ask for less of them. */
  function showTypes({ held: waits, decisions, less }: PersonAttentionEntry): void {
    const unasked = [...waits, ...decisions].filter(({ rule, type }) => rule !== "asked" && type !== "digest");
    const names = [...new Set([...Object.keys(less), ...unasked.map(({ type }) => type)])].toSorted((one, other) =>
      one.localeCompare(other),
    );
    for (const name of rows.keys()) if (!names.includes(name)) rows.delete(name);
    const views = names.map((name) => {
      const row = rows.get(name) ?? createTypeRow(name);
      rows.set(name, row);
      row.show(less[name] ?? 0);
      return row.view;
    });
    find("attention-less", HTMLElement).hidden = views.length === 0;
    showInOrder(types, views);
  }

  function createTypeRow(type: string): TypeRow {
    const state = element("span", { class: "state" });
    const more = button(texts.attentionAsBefore, () => void want(0));
    const less = button(texts.attentionLess, () => void want(undefined));
    more.setAttribute("aria-label", `${texts.attentionAsBefore}: ${type}`);
    less.setAttribute("aria-label", `${texts.attentionLess}: ${type}`);

    async function want(times: 0 | undefined): Promise<void> {
      const body = { type, ...user(), ...(times !== undefined && { times }) };
      const said = await ask<{ times: number }>(`${ROOT}/less`, json("POST", body));
      if (said)
        status.textContent = (times === 0 ? texts.attentionMoreSaid : texts.attentionLessSaid).replace("{type}", type);
      await load();
    }

    return {
      view: element("li", {}, [
        element("span", {}, [element("strong", { text: type }), " ", state]),
        element("div", { class: "answers" }, [less, more]),
      ]),
      show(times) {
        state.textContent = times === 0 ? "" : texts.attentionTimes.replace("{count}", String(times));
        if (times === 0 && document.activeElement === more) less.focus();
        more.hidden = times === 0;
      },
    };
  }

  const user = () => (isOwner && whose.value !== "" ? { user: whose.value } : {});

  async function muteUntil(time: Date | null): Promise<void> {
    const body = { ...user(), until: time?.toISOString() ?? null };
    const done = await ask<{ muted_until: string | null }>(`${ROOT}/mute`, json("POST", body));
    if (done) status.textContent = time === null ? texts.attentionUnmuted : texts.attentionMuted;
    await load();
  }

  function midnight(): Date {
    const time = new Date(clock.now());
    time.setHours(24, 0, 0, 0);
    return time;
  }

  return {
    start() {
      wireView("attention", () => {
        status.textContent = "";
        void load();
      });
      whose.addEventListener("change", show);
      mute.addEventListener("click", () => void muteUntil(new Date(clock.now() + HOURS_MUTED * HOUR_MS)));
      tomorrow.addEventListener("click", () => void muteUntil(midnight()));
      unmute.addEventListener("click", () => void muteUntil(null));
    },
    refresh() {
      if (dialog.open) void load();
    },
  };
}
