import { DEFAULT_PERSONA_FILE_TOKENS } from "../../context/index.ts";
import { section, whole } from "../../settings/index.ts";

export const persona = section(
  {
    fileTokens: whole(100, {
      what: "Tokens that each persona file may have in a prompt; a longer one is cut",
      default: DEFAULT_PERSONA_FILE_TOKENS,
    }),
  },
  { what: "The files that say who the assistant is", inCode: "Source: docs/persona.md." },
);
