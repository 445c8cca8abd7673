import type { JsonValue } from "../../../store/index.ts";
import type { ScriptTexts } from "../texts.ts";
import { element } from "./elements.ts";
import type { WorkflowEntry, WorkflowInputEntry } from "./wire.ts";

type Inputs = Record<string, JsonValue>;

/** An input of a workflow. */
interface Field {
  readonly name: string;
  readonly view: HTMLElement;
  /**
   * Reads the value; `undefined` if it is empty. Contract: throws for an invalid value, after it has shown the error.
   */
  read(): JsonValue | undefined;
}

/** Creates the form that reads the inputs of a workflow and starts it. */
export function createStartForm(
  { name, inputs }: WorkflowEntry,
  texts: ScriptTexts,
  start: (inputs: Inputs) => Promise<void>,
): HTMLFormElement {
  const fields = Object.entries(inputs).map(([input, entry], index) =>
    createField(input, entry, `workflow-${name}-${index}`, texts),
  );
  const go = element("button", { text: texts.workflowRun });
  const form = element("form", { class: "fields" }, [...fields.map(({ view }) => view), go]);
  form.setAttribute("aria-label", `${texts.workflowRun}: ${name}`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given: Inputs = {};
    for (const { name: input, read } of fields) {
      try {
        const value = read();
        if (value !== undefined) given[input] = value;
      } catch {
        return;
      }
    }
    go.disabled = true;
    void start(given).finally(() => (go.disabled = false));
  });
  return form;
}

function createField(name: string, entry: WorkflowInputEntry, id: string, texts: ScriptTexts): Field {
  const { type, description, default: standard, required } = entry;
  const isLong = type === "list" || type === "object";
  const box = isLong ? element("textarea") : element("input");
  box.id = id;
  box.required = required && type !== "boolean";
  if (box instanceof HTMLInputElement) {
    box.type = type === "boolean" ? "checkbox" : type === "number" ? "number" : "text";
    if (type === "number") box.step = "any";
    if (type === "boolean") box.checked = standard === true;
    box.autocomplete = "off";
  } else box.rows = 2;
  if (type !== "boolean" && standard !== undefined)
    box.value = typeof standard === "string" ? standard : JSON.stringify(standard);
  const hintText = [description, isLong ? texts.workflowAsJson : undefined]
    .filter((one) => one !== undefined)
    .join(" ");
  const hint = element("p", { class: "why", text: hintText });
  hint.id = `${id}-hint`;
  if (hintText !== "") box.setAttribute("aria-describedby", hint.id);
  const label = element("label", { text: required ? `${name} *` : name });
  label.htmlFor = id;
  box.addEventListener("input", () => box.setCustomValidity(""));

  return {
    name,
    view: element("div", { class: type === "boolean" ? "field check" : "field" }, [label, box, hint]),
    read() {
      if (box instanceof HTMLInputElement && type === "boolean") return box.checked;
      const text = box.value.trim();
      if (text === "") return undefined;
      if (type === "string") return text;
      if (type === "number") return Number(text);
      try {
        const value = JSON.parse(text) as JsonValue;
        if (!isLong || Array.isArray(value) === (type === "list")) return value;
      } catch {
        if (!isLong) return text; // An input of any type is text unless it is JSON.
      }
      box.setCustomValidity(texts.workflowAsJson);
      box.reportValidity();
      throw new TypeError(texts.workflowAsJson);
    },
  };
}
