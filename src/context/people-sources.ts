import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import type { ContextFile, PeopleNotes } from "../people/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { MemoryUsers } from "../session/index.ts";
import type { ContextScope, ContextSource } from "./sources.ts";

/** Cached texts per source, at least, each with its last lines that fit. */
const MAX_KEPT_TEXTS = 64;

export interface PeopleSourcesDeps {
  readonly notes: Pick<PeopleNotes, "refresh" | "shown">;
  readonly users: Pick<MemoryUsers, "memoryUserOf">;
  /**
   * Whether the model would be shown `acp_context` in this scope. Contract: fast, and the same answer while
   * the configuration stays the same.
   */
  isOffered(scope: ContextScope): boolean;
}

/** Before what is remembered, which begins at 20. */
const INSTRUCTION_ORDER = 10;
/** After long-term memory (20), before the digest of the previous day (50). */
const FILES_ORDER = 30;
const LEFT_OUT = "… older lines are left out";

/**
 * Prompt parts about the model's own files, and those files: the person's in a direct chat, the group's in a group,
 * and the assistant's own in the owner's direct chat. Files of other people are never read for them.
 *
 * Source: docs/context-tool.md, "In the prompt".
 */
export function peopleSources({ notes, users, isOffered }: PeopleSourcesDeps): ContextSource[] {
  const { memoryUserOf } = users;

  function personFile(
    { agentId: identity, kind, user, channel, peerId, account, roles }: ContextScope,
    name: "PEER" | "MEMORY",
  ) {
    if (kind !== "direct" || user === undefined) return undefined;
    const id = memoryUserOf({ user, channel, account, peer: { kind, id: peerId }, roles });
    return { identity, file: `peers/${name}`, id } as const;
  }

  function groupFile({ agentId: identity, kind, channel, peerId }: ContextScope, name: "GROUP" | "MY_ROLE" | "MEMORY") {
    if (kind === "direct") return undefined;
    const id = memoryUserOf({ user: "", channel, peer: { kind, id: peerId }, roles: [] }).replace(/^group:/, "");
    return { identity, file: `groups/${name}`, id } as const;
  }

  function fileSource(
    name: string,
    source: string,
    budgetTokens: number,
    fileOf: (scope: ContextScope) => ContextFile | undefined,
  ): ContextSource {
    const newest = createNewest(budgetTokens);
    const isMemory = name.endsWith("memory");
    return {
      name,
      order: FILES_ORDER,
      budgetTokens,
      data: true,
      memory: true,
      prepare(scope) {
        const file = fileOf(scope);
        return file && notes.refresh([file]);
      },
      read(scope) {
        const file = fileOf(scope);
        const text = file && notes.shown(file);
        return text === undefined ? undefined : { text: isMemory ? newest(text) : text, source };
      },
    };
  }

  return [
    {
      name: "context-tool",
      order: INSTRUCTION_ORDER,
      budgetTokens: 400,
      data: false,
      read: (scope) =>
        isOffered(scope)
          ? { text: contextInstruction(scope.agentId, scope.kind !== "direct"), source: "the runtime" }
          : undefined,
    },
    fileSource("identity-memory", "your own notes: identity", 800, ({ agentId: identity, kind, roles }) =>
      kind === "direct" && roles.includes(OWNER_ROLE) ? { identity, file: "identity/MEMORY" } : undefined,
    ),
    fileSource("peer", "your notes: PEER", 800, (scope) => personFile(scope, "PEER")),
    fileSource("peer-memory", "your notes: MEMORY of this person", 1000, (scope) => personFile(scope, "MEMORY")),
    fileSource("group-role", "your notes: MY_ROLE", 400, (scope) => groupFile(scope, "MY_ROLE")),
    fileSource("group", "your notes: GROUP", 800, (scope) => groupFile(scope, "GROUP")),
    fileSource("group-memory", "your notes: MEMORY of this group", 1000, (scope) => groupFile(scope, "MEMORY")),
  ];
}

/** Tells the model when to use `acp_context`, and never to mention it. */
function contextInstruction(aid: string, isGroup: boolean): string {
  return `You keep your own notes with acp_context: always with aid ${JSON.stringify(aid)} and ${
    isGroup ? "scope group" : "a scope (peer for this person)"
  }, at most 3 calls a turn.
- Write when somebody states a preference, a decision or a commitment; when you learn a new fact about a person, or what you are to each other changes; when a group comes to a conclusion or somebody takes on a task.
- Do not write small talk, what is recorded already, or guesses.
- Never mention it in the reply, and put no JSON of a tool there. Asked whether you remembered something, say so in plain words, never with a path.${
    isGroup
      ? "\n- Look after MY_ROLE first, then GROUP, then MEMORY, as far as you may; also when you stay silent with NO_REPLY."
      : ""
  }`;
}

/** Keeps the last lines that fit, for a text that grows at its end. Results are cached. */
function createNewest(budgetTokens: number): (text: string) => string {
  const made = new QuickLRU<string, string>({ maxSize: MAX_KEPT_TEXTS });
  return (text) => {
    if (text.length <= budgetTokens) return text;
    let fitting = made.get(text);
    if (fitting === undefined) {
      made.set(text, (fitting = newestLines(text, budgetTokens)));
    }
    return fitting;
  };
}

function newestLines(text: string, budgetTokens: number): string {
  if (estimateTokenCount(text) <= budgetTokens) return text;
  const lines = text.trimEnd().split("\n");
  let left = budgetTokens - estimateTokenCount(LEFT_OUT) - 2;
  let from = lines.length;
  while (from > 0) {
    left -= estimateTokenCount(lines[from - 1] ?? "") + 1;
    if (left < 0) break;
    from -= 1;
  }
  return [LEFT_OUT, ...lines.slice(from)].join("\n");
}
