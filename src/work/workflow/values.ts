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

/** Outputs with more bytes are kept as artifacts. */
const MAX_OUTPUT_BYTES = 16_384;
/** What all items of a step may have together in the run's document: of many items, each has its share. */
const MAX_ITEMS_BYTES = 1_048_576;
/** What one reference may bring into a prompt, in characters; of a longer value its beginning. */
const MAX_SHOWN_CHARS = 24_000;

export interface ValuesDeps {
  readonly artifacts: Pick<Artifacts, "write" | "read" | "hold">;
}

/** Values of runs: where references lead, and where outputs are kept. */
export type Values = ReturnType<typeof createValues>;

export function createValues({ artifacts }: ValuesDeps) {
  /** What references of a step lead to. */
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

  /** What a step gave; of one that is done for each item, the list of what they gave. */
  async function outputOfStep(run: WorkflowRun, id: string): Promise<JsonValue | undefined> {
    const items = itemsGiven(run, id);
    if (items === undefined) return outputOf(run, stateOf(run, id), `the step ${id}`);
    const outputs: JsonValue[] = [];
    for (const item of items) outputs.push((await outputOf(run, item, `the step ${id}`)) ?? null);
    return outputs;
  }

  /** An output, read from its artifact when it is long. @throws {AssistantError} `NOT_FOUND` when that is gone: its beginning is not the output. */
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
        `The output of ${whose} was kept as the artifact ${artifact}, which was removed or is over its time: retry ${whose}`,
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
    /** What a run gave. @throws {AssistantError} `NOT_FOUND` when the artifact that holds it is gone. */
    outputOfRun: (run: WorkflowRun): Promise<JsonValue | undefined> => outputOf(run, run, `the run ${run.id}`),
    /**
     * An output as the run's document has it: itself, or the artifact that holds it and its beginning. The artifact stays as long as the run is under way.
     * @param of The try that gave it, or the run.
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
      // One of many that is short by itself finds room in the document too.
      if (bytes <= MAX_OUTPUT_BYTES) return { output };
      throw new RangeError(`Its output is too long and could not be kept: ${written.reason}`);
    },
    /** What a run under way keeps stays, also of one that had ended; of one that has ended it goes as other artifacts do. */
    async hold(run: WorkflowRun): Promise<void> {
      const kept = placesOf(run).flatMap(({ id, item }) => stateOf(run, id, item).artifact ?? []);
      if (kept.length > 0) await artifacts.hold(run.place.home.sessionKey, run.id, isEnded(run) ? [] : kept);
    },
  };
}

/** How long an output may be in the document. */
function mostBytesOf(run: WorkflowRun, { id, item }: StepPlace): number {
  if (item === undefined) return MAX_OUTPUT_BYTES;
  const { items = [] } = stateOf(run, id);
  return Math.min(MAX_OUTPUT_BYTES, Math.floor(MAX_ITEMS_BYTES / Math.max(1, items.length)));
}

/**
 * @returns How a value stands within a prompt: as data, whatever it says. What a person gave as an input of one line stands as it is; what another run or a
 * model gave may have come from anywhere.
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
