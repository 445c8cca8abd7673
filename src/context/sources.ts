import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import { AssistantError } from "../errors.ts";
import { withoutMarkers } from "../guard/index.ts";
import type { Peer } from "../message.ts";
import { noteBoundary, oneLine } from "./boundaries.ts";
import { cutText } from "./cut-text.ts";

/** The session and people that a prompt is built for. */
export interface ContextScope {
  /** The agent that answers. */
  readonly agentId: string;
  /** The session that the prompt is for. */
  readonly sessionKey: string;
  /** Kind of the session's chat. */
  readonly kind: Peer["kind"];
  /**
   * The speaker in a direct chat, as `channel:id`. Unset in groups, where the prompt before the
   * messages is the same for all speakers.
   */
  readonly user: string | undefined;
  /** The platform's id of the person in a direct chat, otherwise of the group. */
  readonly peerId: string;
  /** Name of the channel, such as `telegram`. */
  readonly channel: string;
  /** Account of the channel, if it has several. */
  readonly account: string;
  /** Roles of the speaker in a direct chat; empty in groups. */
  readonly roles: readonly string[];
  /** The skills that a custom prompt takes; unset: all. */
  readonly skills?: readonly string[] | undefined;
  /** Names of tools, or prefixes with a `*`, that the prompt's turn excludes; unset: none. */
  readonly excludeTools?: readonly string[] | undefined;
}

/** A part of the prompt's beginning, provided by a room or the host. Source: docs/context.md, "Parts". */
export interface ContextSource {
  /** Unique name, used by `includeParts` and `explainContext`. */
  readonly name: string;
  /**
   * Position: lower first, equal ones in the given order. Parts that rarely change belong before
   * those that often do. Default 0.
   */
  readonly order?: number;
  /** Most tokens of the text, estimated. A longer text is cut. */
  readonly budgetTokens: number;
  /**
   * True: data in a marked boundary, which gives no orders. False: the text instructs
   * like the agent's own instructions.
   */
  readonly data: boolean;
  /** Whether it holds memories; `includeMemory: false` leaves it out. Default false. */
  readonly memory?: boolean;
  /**
   * Returns the current text from memory; `undefined` or blank: nothing. Contract: fast, because it runs every
   * turn. Returns the same text while nothing has changed, because a change invalidates the providers' caches. If
   * it throws, the part is left out.
   */
  read(scope: ContextScope): ContextText | undefined;
  /**
   * Loads what `read` returns; returns no promise if there is nothing to wait for. Contract: called and awaited once
   * before each turn. If it throws, the error is reported and the turn goes on.
   */
  prepare?(scope: ContextScope): Promise<void> | void;
}

export interface ContextText {
  readonly text: string;
  /** Where it comes from. The boundary and `explainContext` name it. */
  readonly source: string;
}

/** A prompt part that the host adds. */
export interface HostPart {
  /** Name of the part in the result of `explainContext`. */
  readonly name: string;
  /** A function is called every turn. Each change of its text invalidates the providers' caches. */
  readonly text: string | ((scope: ContextScope) => string);
  /** Most tokens of the text, estimated. Default 2000. */
  readonly tokens?: number;
  /** True: it holds texts of others and gets a marked boundary. Default false: it instructs. */
  readonly data?: boolean;
}

const DEFAULT_PART_TOKENS = 2000;
/** Cached texts per source, at least, as the prompt shows them. */
const MAX_KEPT_TEXTS = 64;
const PART_NAME = /^[\w.-]{1,64}$/;
const TAKEN = [
  "instructions",
  "rules",
  "summary",
  "history",
  "notes",
  "heard",
  "runtime",
  "injections",
  "activated-skills",
  "message",
];

/** A source's text as the prompt shows it. */
export interface SystemPart {
  readonly name: string;
  readonly source: string;
  /** Empty if it is left out. */
  readonly text: string;
  readonly cut?: string;
  /** Estimated on first access. */
  readonly tokens: number;
}

/** The sources of a prompt: all or the named ones. `memory: false` excludes those that hold memories. */
export interface SourceChoice {
  readonly names?: readonly string[] | undefined;
  readonly memory?: boolean | undefined;
}

export type ContextSources = ReturnType<typeof createContextSources>;

/**
 * Creates the sorted sources. The same text is cut and marked once.
 *
 * @throws {AssistantError} `OPTION_INVALID` for names that are taken or not `[A-Za-z0-9_.-]`, and for budgets that
 * are not a whole number of 1 or more.
 */
export function createContextSources(
  sources: readonly ContextSource[],
  { onFailure = () => {} }: { onFailure?(name: string, error: unknown): void } = {},
) {
  check(sources);
  const kept = sources
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map((source) => ({
      source,
      made: new QuickLRU<string, SystemPart>({ maxSize: MAX_KEPT_TEXTS }),
      /** The text rarely changes between turns, and looking up long texts takes time. */
      last: undefined as { readonly given: string; readonly part: SystemPart } | undefined,
    }));
  const prepared = sources.filter(({ prepare }) => prepare);

  /** @returns `undefined` if there is nothing to wait for. Never rejects. */
  function prepare(scope: ContextScope, choice: SourceChoice = {}): Promise<void> | undefined {
    let waiting: Promise<void>[] | undefined;
    for (const source of prepared) {
      if (!isChosen(source, choice)) continue;
      try {
        const preparing = source.prepare?.(scope);
        if (preparing)
          (waiting ??= []).push(Promise.resolve(preparing).catch((error: unknown) => onFailure(source.name, error)));
      } catch (error) {
        onFailure(source.name, error);
      }
    }
    return waiting && Promise.all(waiting).then(() => {});
  }

  function read(scope: ContextScope, choice: SourceChoice = {}): readonly SystemPart[] {
    const parts: SystemPart[] = [];
    for (const one of kept) {
      const { source, made, last } = one;
      if (!isChosen(source, choice)) continue;
      try {
        const given = source.read(scope);
        if (given === undefined || given.text === "") continue;
        let part = last?.given === given.text ? last.part : made.get(given.text);
        if (part?.source !== given.source) {
          part = shownPart(source, given);
          made.set(given.text, part);
        }
        one.last = { given: given.text, part };
        parts.push(part);
      } catch (error) {
        onFailure(source.name, error);
        parts.push({ name: source.name, source: source.name, text: "", tokens: 0, cut: "left out: reading it failed" });
      }
    }
    return parts;
  }

  return { prepare, read };
}

function isChosen({ name, memory }: ContextSource, choice: SourceChoice): boolean {
  return choice.names?.includes(name) !== false && (choice.memory !== false || memory !== true);
}

/** The host's parts as sources. They come before those of the rooms. */
export function hostSources(parts: readonly HostPart[] = []): ContextSource[] {
  const given: unknown = parts;
  if (!Array.isArray(given) || given.some((part) => typeof part !== "object" || part === null))
    throw invalid("expected a list of parts, each with a name and a text");
  return parts.map(({ name, text, tokens = DEFAULT_PART_TOKENS, data = false }) => {
    if (typeof text !== "string" && typeof text !== "function")
      throw invalid(`expected the text of ${name} to be a text or a function that gives one`);
    const read = (scope: ContextScope) => ({
      text: typeof text === "string" ? text : text(scope),
      source: "context.parts",
    });
    return { name, budgetTokens: tokens, data, read };
  });
}

function shownPart({ name, budgetTokens, data }: ContextSource, { text, source }: ContextText): SystemPart {
  const { text: fitting, isCut } = cutText(text.trim(), budgetTokens);
  const shown = fitting === "" ? "" : data ? noteBoundary(oneLine(source), fitting) : withoutMarkers(fitting);
  let tokens: number | undefined;
  return {
    name,
    source,
    text: shown,
    ...(isCut && { cut: `cut at its ${budgetTokens} tokens` }),
    get tokens() {
      return (tokens ??= estimateTokenCount(shown));
    },
  };
}

function check(sources: readonly ContextSource[]): void {
  const names = new Set<string>(TAKEN);
  for (const { name, budgetTokens } of sources) {
    if (!PART_NAME.test(name) || names.has(name))
      throw invalid(
        `the name ${JSON.stringify(name)} is taken or has other signs than letters, digits, "_", "." and "-"`,
      );
    if (!Number.isInteger(budgetTokens) || budgetTokens < 1)
      throw invalid(`expected a whole number of 1 or more as the tokens of ${name}, but got ${budgetTokens}`);
    names.add(name);
  }
}

function invalid(problem: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid option context.parts: ${problem}`);
}
