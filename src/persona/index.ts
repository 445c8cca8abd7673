export { PERSONA_FILES, createPersona } from "./persona.ts";
export type { Persona, PersonaFile } from "./persona.ts";
