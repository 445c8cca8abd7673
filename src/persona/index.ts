export { PERSONA_FILES, createPersona } from "./persona.ts";
export type { Persona, PersonaFile, PersonaText } from "./persona.ts";
