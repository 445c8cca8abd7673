import type { McpListedTool } from "../../libraries.ts";
import type { ToolContext } from "../tool.ts";
import { readDefinition } from "./definition.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { McpServerOptions } from "./options.ts";
import type { OwnerQuestions } from "./owner-questions.ts";
import { type Fingerprinted, type HeldBack, type Pins, acceptPin, decideDrift } from "./pins.ts";

export interface AcceptedToolsDeps {
  readonly pins: Pins;
  readonly offered: Pick<OfferedTools, "offer">;
  readonly askOwner: OwnerQuestions;
}

export type AcceptedTools = ReturnType<typeof createAcceptedTools>;

/**
 * Decides which of one server's listed tools are offered: those that were accepted in this form. Asks the owner about
 * the others.
 */
export function createAcceptedTools(options: McpServerOptions, { pins, offered, askOwner }: AcceptedToolsDeps) {
  let heldBack: readonly HeldBack[] = [];
  const wanted = options.tools && new Set(options.tools);
  type Call = (tool: string, input: Record<string, unknown>, context: ToolContext) => Promise<unknown>;

  /** Registers the tools that were accepted before, until the server lists its own. */
  async function offerKnown(call: Call): Promise<void> {
    const known = (await pins.read())?.pins ?? [];
    const tools = known.flatMap(({ name, definition, fingerprint }) =>
      definition && wanted?.has(name) !== false ? [{ definition, fingerprint }] : [],
    );
    await offered.offer(tools, [], call);
  }

  /** Registers the server's listed tools, as far as they were accepted. */
  async function apply(listed: readonly McpListedTool[], call: Call): Promise<void> {
    const tools: Fingerprinted[] = [];
    const unfit: { tool: string; reason: string }[] = [];
    const seen = new Set<string>();
    for (const one of listed) {
      if (wanted && !wanted.has(one.name)) continue;
      const read = readDefinition(one);
      if (!read.ok) unfit.push({ tool: read.name, reason: read.reason });
      else if (seen.has(one.name))
        unfit.push({ tool: one.name, reason: "the server lists it twice: only the first is used" });
      else tools.push({ definition: read.definition, fingerprint: await fingerprintOf(read.definition) });
      if (read.ok) seen.add(one.name);
    }
    // A server that has listed no tools yet counts as never seen.
    const file = await pins.read();
    if (file === null && tools.length === 0) return offered.offer([], unfit, call);
    const decision = decideDrift(file?.pins ?? null, tools, options.trustNewTools ?? false);
    if (decision.toPin.length > 0) await pin(decision.toPin);
    heldBack = decision.heldBack;
    await offered.offer(decision.offered, unfit, call);
    await askOwner(heldBack);
  }

  function pin(tools: readonly Fingerprinted[]): Promise<void> {
    return pins.update(({ pins: known, asked }) => {
      const names = new Set(tools.map(({ definition }) => definition.name));
      const added = tools.map(({ definition, fingerprint }) => ({ name: definition.name, fingerprint, definition }));
      return {
        pins: [...known.filter((one) => !names.has(one.name)), ...added],
        asked: asked.filter((one) => !names.has(one.name)),
      };
    });
  }

  return {
    offerKnown,
    apply,
    /** Stores a definition as accepted. @returns Whether the server has it now. */
    async accept(tool: string, fingerprint: string): Promise<boolean> {
      const found = heldBack.find((one) => one.definition.name === tool && one.fingerprint === fingerprint);
      await acceptPin(pins, { name: tool, fingerprint, ...(found && { definition: found.definition }) });
      return found !== undefined;
    },
    heldBack: (): readonly HeldBack[] => heldBack,
  };
}
