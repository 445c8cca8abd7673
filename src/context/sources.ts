import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import { AssistantError } from "../errors.ts";
import { withoutMarkers } from "../guard/index.ts";
import type { Peer } from "../message.ts";
import { noteBoundary, oneLine } from "./boundaries.ts";
import { cutText } from "./cut-text.ts";

/** For whom a prompt is built. */
export interface ContextScope {
  /** The agent that answers. */
  readonly agentId: string;
  /** The session that the prompt is for. */
  readonly sessionKey: string;
  /** Of the chat that the session is with. */
  readonly kind: Peer["kind"];
  /** Who speaks in a direct chat, as `channel:id`. Not set in groups: what stands before the messages is the same whoever speaks there. */
  readonly user: string | undefined;
  /** The platform's id of the person in a direct chat, of the group otherwise. */
  readonly peerId: string;
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel. */
  readonly account: string;
  /** Of who speaks in a direct chat; empty in groups. */
  readonly roles: readonly string[];
  /** The skills that a custom prompt takes; not set: all. */
  readonly skills?: readonly string[] | undefined;
  /** Names, or beginnings with a `*`, of tools that this prompt's turn does without; not set: none. */
  readonly excludeTools?: readonly string[] | undefined;
}

/** A part of the prompt's beginning that a room or the host gives. Source: docs/context.md, "Parts". */
export interface ContextSource {
  /** Unique; `includeParts` and `explainContext` call it so. */
  readonly name: string;
  /** Lower ones stand first, equal ones in the order given: what seldom changes belongs before what often does. Default 0. */
  readonly order?: number;
  /** Most tokens of the text, estimated: a longer one is cut. */
  readonly budgetTokens: number;
  /** Data stands in a marked boundary and gives no orders. False: the text instructs, as the agent's own instructions do. */
  readonly data: boolean;
  /** It holds what is remembered: `includeMemory: false` leaves it out. Default false. */
  readonly memory?: boolean;
  /**
   * The text as it is now, from memory; `undefined` or blank: nothing. Contract: quick, for it is asked at every turn, and the same text as long as
   * nothing changed, since a change costs the providers' caches. What it throws leaves the part out.
   */
  read(scope: ContextScope): ContextText | undefined;
  /**
   * Brings into memory what `read` gives; no promise when there is nothing to wait for. Contract: asked and awaited once before each turn. What it throws
   * is told, and the turn goes on.
   */
  prepare?(scope: ContextScope): Promise<void> | void;
}

export interface ContextText {
  readonly text: string;
  /** Where it comes from: named in the boundary and by `explainContext`. */
  readonly source: string;
}

/** A part that the host adds. */
export interface HostPart {
  /** Names the part in what `explainContext` gives. */
  readonly name: string;
  /** A function is asked at every turn: while its text changes, the providers' caches do not help. */
  readonly text: string | ((scope: ContextScope) => string);
  /** Most tokens of it, estimated. Default 2000. */
  readonly tokens?: number;
  /** True: it holds what others wrote, and stands in a marked boundary. Default false: it instructs. */
  readonly data?: boolean;
}

const DEFAULT_PART_TOKENS = 2000;
/** Texts of one source that are kept as the prompt shows them, at least. */
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
  /** Empty when it is left out. */
  readonly text: string;
  readonly cut?: string;
  /** Estimated when it is first asked for. */
  readonly tokens: number;
}

/** Which sources a prompt has: all, or those named; those that remember only if they may. */
export interface SourceChoice {
  readonly names?: readonly string[] | undefined;
  readonly memory?: boolean | undefined;
}

export type ContextSources = ReturnType<typeof createContextSources>;

/**
 * Sources in their order, and what was made of their texts: the same text is cut and marked once.
 *
 * @throws {AssistantError} `OPTION_INVALID` for names that are taken or not `[A-Za-z0-9_.-]`, and budgets that are no whole number of 1 or more.
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
      /** Most turns are given what the turn before was given, and long texts take time to look up. */
      last: undefined as { readonly given: string; readonly part: SystemPart } | undefined,
    }));
  const prepared = sources.filter(({ prepare }) => prepare);

  /** @returns `undefined` when there is nothing to wait for. Never rejects. */
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

/** The host's parts as sources: they stand before those of the rooms. */
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
