import { AssistantError } from "../../errors.ts";
import { ToolError } from "../tool.ts";

/** What a room refuses is for the model to read; what is broken is reported as any failure is. */
export async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (AssistantError.is(error)) throw new ToolError(error.code, error.message, { cause: error });
    throw error;
  }
}
