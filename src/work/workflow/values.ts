import type { Artifacts } from "../../artifacts/index.ts";
import { dataBoundary } from "../../context/index.ts";
import { withoutMarkers } from "../../guard/index.ts";
import type { JsonValue } from "../../store/index.ts";
import {
  type Lookup,
  type Reference,
  type StepPlace,
  type StepState,
  type WorkflowRun,
  asText,
  stateOf,
  valueAt,
} from "../../workflow/index.ts";

/** Outputs with more bytes are kept as artifacts. */
const MAX_OUTPUT_BYTES = 16_384;
/** What one reference may bring into a prompt, in characters; of a longer value its beginning. */
const MAX_SHOWN_CHARS = 24_000;

export interface ValuesDeps {
  readonly artifacts: Pick<Artifacts, "write" | "read">;
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
      return step === undefined ? undefined : ofStep(run, stateOf(run, step), path);
    };
  }

  async function ofStep(
    run: WorkflowRun,
    state: StepState,
    [field, ...path]: readonly (string | number)[],
  ): Promise<JsonValue | undefined> {
    if (field === "status") return state.status;
    if (field === "error") return valueAt(state.error && { ...state.error }, path);
    return valueAt(await outputOf(run, state), path);
  }

  /** A step's output, read from its artifact when it is long. */
  async function outputOf(
    run: WorkflowRun,
    { output, artifact }: Pick<StepState, "output" | "artifact">,
  ): Promise<JsonValue | undefined> {
    if (artifact === undefined) return output;
    const content = (await artifacts.read(run.place.home.sessionKey, artifact))?.content;
    if (content === undefined) return output;
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      return text;
    }
  }

  return {
    lookupIn,
    outputOf,
    /** An output as the run's document has it: itself, or the artifact that holds it and its beginning. */
    async keep(
      run: WorkflowRun,
      place: string,
      callId: string,
      output: JsonValue,
    ): Promise<Pick<StepState, "output" | "artifact">> {
      const text = JSON.stringify(output);
      if (text.length * 3 <= MAX_OUTPUT_BYTES || new TextEncoder().encode(text).byteLength <= MAX_OUTPUT_BYTES)
        return { output };
      const written = await artifacts.write(run.place.home.sessionKey, {
        name: `${run.definition.name} ${place}`,
        content: text,
        mediaType: "application/json",
        user: run.place.user,
        origin: "result",
        callId,
      });
      const beginning = `${asText(output).slice(0, 1000)}…`;
      if (!written.ok) throw new RangeError(`Its output is too long and could not be kept: ${written.reason}`);
      return { output: beginning, artifact: written.artifact.id };
    },
  };
}

/** A value within a prompt: data, whatever it says. What the person gave as an input of one line stands as it is. */
export function shownInPrompt(value: JsonValue, { root, step, path }: Reference): string {
  const text = asText(value);
  if (root === "inputs" && !text.includes("\n") && text.length < 500) return withoutMarkers(text);
  if (root === "index" || root === "run") return text;
  const source = [root, ...(step === undefined ? [] : [step]), ...path].join(".");
  const left = text.length - MAX_SHOWN_CHARS;
  const shown = left <= 0 ? text : `${text.slice(0, MAX_SHOWN_CHARS)}\n… ${left} characters are left out …`;
  return `\n${dataBoundary(source, shown)}\n`;
}
