import { DEFAULT_PERSONA_FILE_TOKENS } from "../../context/index.ts";
import { section, whole } from "../../settings/index.ts";

export const persona = section(
  {
    fileTokens: whole(100, {
      what: "Maximum tokens of each persona file in a prompt; a longer file is cut",
      default: DEFAULT_PERSONA_FILE_TOKENS,
    }),
  },
  { what: "The files that describe who the assistant is", inCode: "Source: docs/persona.md." },
);
