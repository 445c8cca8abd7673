import { AssistantError } from "../../errors.ts";
import { ToolError } from "../tool.ts";

/** Turns an `AssistantError` into a `ToolError` that the model reads. Other errors stay failures. */
export async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (AssistantError.is(error)) throw new ToolError(error.code, error.message, { cause: error });
    throw error;
  }
}
