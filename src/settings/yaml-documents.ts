import type { LineCounter } from "yaml";
import type { YamlLibrary } from "../libraries.ts";

/**
 * The documents of a YAML text, with what is wrong in their `errors`. Takes time in proportion to the text. For that a key that is given twice is no error here:
 * the library compares every key with every other one. `readYaml` finds it.
 */
export function yamlDocuments(text: string, library: YamlLibrary, lineCounter?: LineCounter) {
  const documents = library.parseAllDocuments(text, {
    ...(lineCounter && { lineCounter }),
    prettyErrors: false,
    uniqueKeys: false,
    version: "1.2",
  });
  return Array.isArray(documents) ? documents : [];
}
