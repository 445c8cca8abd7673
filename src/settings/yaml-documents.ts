import type { LineCounter } from "yaml";
import type { YamlLibrary } from "../libraries.ts";

/**
 * Parses a YAML text to documents, with problems in their `errors`. Takes time proportional to the text. To achieve
 * that, duplicate keys are not reported here, because the library compares every key with every other one; `readYaml`
 * finds them.
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
