/** Workflows that come with Wakeful: YAML by name. */
export const BUILT_IN_WORKFLOWS: Readonly<Record<string, string>> = {};
