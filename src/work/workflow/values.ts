import type { Artifacts } from "../../artifacts/index.ts";
import { dataBoundary } from "../../context/index.ts";
import { AssistantError } from "../../errors.ts";
import { withoutMarkers } from "../../guard/index.ts";
import type { JsonValue } from "../../store/index.ts";
import {
  type Lookup,
  type Reference,
  type StepPlace,
  type StepState,
  type WorkflowRun,
  asText,
  isEnded,
  itemsGiven,
  placesOf,
  stateOf,
  valueAt,
} from "../../workflow/index.ts";
import { placeName } from "./keys.ts";

/** Longest output in a run's document, in bytes. Longer ones become artifacts. */
const MAX_OUTPUT_BYTES = 16_384;
/** Bytes of all items of a step together in the run's document. Each item gets an equal share. */
const MAX_ITEMS_BYTES = 1_048_576;
/** Longest value that one reference adds to a prompt, in characters. Longer values are cut. */
const MAX_SHOWN_CHARS = 24_000;

export interface ValuesDeps {
  readonly artifacts: Pick<Artifacts, "write" | "read" | "hold">;
}

/** Values of runs: resolves references and stores outputs. */
export type Values = ReturnType<typeof createValues>;

export function createValues({ artifacts }: ValuesDeps) {
  /** Resolves the references of a step. */
  function lookupIn(run: WorkflowRun, { id, item }: StepPlace): Lookup {
    return async ({ root, step, path }) => {
      if (root === "inputs") return valueAt({ ...run.inputs }, path);
      if (root === "run") return valueAt({ id: run.id, name: run.definition.name }, path);
      if (root === "index") return item;
      if (root === "item") return item === undefined ? undefined : valueAt(stateOf(run, id).over?.[item], path);
      return step === undefined ? undefined : ofStep(run, step, path);
    };
  }

  async function ofStep(
    run: WorkflowRun,
    id: string,
    [field, ...path]: readonly (string | number)[],
  ): Promise<JsonValue | undefined> {
    const state = stateOf(run, id);
    if (field === "status") return state.status;
    if (field === "error") return valueAt(state.error && { ...state.error }, path);
    const [index, ...inside] = path;
    const items = itemsGiven(run, id);
    if (items === undefined || typeof index !== "number") return valueAt(await outputOfStep(run, id), path);
    const item = items[index];
    return item && valueAt((await outputOf(run, item, `the step ${id}`)) ?? null, inside);
  }

  /** The output of a step; for a step that runs for each item, the list of their outputs. */
  async function outputOfStep(run: WorkflowRun, id: string): Promise<JsonValue | undefined> {
    const items = itemsGiven(run, id);
    if (items === undefined) return outputOf(run, stateOf(run, id), `the step ${id}`);
    const outputs: JsonValue[] = [];
    for (const item of items) outputs.push((await outputOf(run, item, `the step ${id}`)) ?? null);
    return outputs;
  }

  /**
   * Reads an output, from its artifact when it is long.
   * @throws {AssistantError} `NOT_FOUND` when the artifact is gone: the beginning in the document is not the output.
   */
  async function outputOf(
    run: WorkflowRun,
    { output, artifact }: Pick<StepState, "output" | "artifact">,
    whose: string,
  ): Promise<JsonValue | undefined> {
    if (artifact === undefined) return output;
    const content = (await artifacts.read(run.place.home.sessionKey, artifact))?.content;
    if (content === undefined)
      throw new AssistantError(
        "NOT_FOUND",
        `The output of ${whose} was kept as the artifact ${artifact}, which was removed or has expired: retry ${whose}`,
      );
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      return text;
    }
  }

  return {
    lookupIn,
    outputOfStep,
    /** The output of a run. @throws {AssistantError} `NOT_FOUND` when its artifact is gone. */
    outputOfRun: (run: WorkflowRun): Promise<JsonValue | undefined> => outputOf(run, run, `the run ${run.id}`),
    /**
     * Stores an output for the run's document: the output itself, or its beginning and the artifact that holds it. The
     * artifact is held while the run is under way.
     * @param of The step that gave it, or `"output"` for the run's own.
     */
    async keep(
      run: WorkflowRun,
      of: StepPlace | "output",
      output: JsonValue,
      attempt?: number,
    ): Promise<Pick<StepState, "output" | "artifact">> {
      const text = JSON.stringify(output);
      const most = of === "output" ? MAX_OUTPUT_BYTES : mostBytesOf(run, of);
      if (text.length * 3 <= most) return { output };
      const bytes = new TextEncoder().encode(text).byteLength;
      if (bytes <= most) return { output };
      const place = of === "output" ? of : placeName(of);
      const written = await artifacts.write(run.place.home.sessionKey, {
        name: `${run.definition.name} ${place}`,
        content: text,
        mediaType: "application/json",
        user: run.place.user,
        origin: "result",
        callId: [run.id, place, ...(attempt === undefined ? [] : [attempt])].join("."),
        heldBy: run.id,
      });
      if (written.ok) return { output: `${asText(output).slice(0, 1000)}…`, artifact: written.artifact.id };
      // Without an artifact, an output above its item's share still fits if it is short by itself.
      if (bytes <= MAX_OUTPUT_BYTES) return { output };
      throw new RangeError(`Its output is too long and could not be kept: ${written.reason}`);
    },
    /**
     * Holds the artifacts of a run under way, also of a resumed one. Releases those of an ended run, which then expire
     * as usual.
     */
    async hold(run: WorkflowRun): Promise<void> {
      const kept = placesOf(run).flatMap(({ id, item }) => stateOf(run, id, item).artifact ?? []);
      if (kept.length > 0) await artifacts.hold(run.place.home.sessionKey, run.id, isEnded(run) ? [] : kept);
    },
  };
}

/** Longest output in the document, in bytes. */
function mostBytesOf(run: WorkflowRun, { id, item }: StepPlace): number {
  if (item === undefined) return MAX_OUTPUT_BYTES;
  const { items = [] } = stateOf(run, id);
  return Math.min(MAX_OUTPUT_BYTES, Math.floor(MAX_ITEMS_BYTES / Math.max(1, items.length)));
}

/**
 * @returns A function that formats a value for a prompt. Values are marked as data, whatever they say.
 * A single line that a person gave as an input is inserted as it is. Values from another run or a model may have come
 * from anywhere.
 */
export function shownInPrompt({ parent, place }: Pick<WorkflowRun, "parent" | "place">) {
  const isOfPerson = parent === undefined && place.startedBy === undefined;
  return (value: JsonValue, reference: Reference): string => shown(value, reference, isOfPerson);
}

function shown(value: JsonValue, { root, step, path }: Reference, isOfPerson: boolean): string {
  const text = asText(value);
  if (root === "inputs" && (typeof value === "number" || typeof value === "boolean")) return text;
  if (root === "inputs" && isOfPerson && !text.includes("\n") && text.length < 500) return withoutMarkers(text);
  if (root === "index" || root === "run") return text;
  const source = [root, ...(step === undefined ? [] : [step]), ...path].join(".");
  const left = text.length - MAX_SHOWN_CHARS;
  const part = left <= 0 ? text : `${text.slice(0, MAX_SHOWN_CHARS)}\n… ${left} characters are left out …`;
  return `\n${dataBoundary(source, part)}\n`;
}
