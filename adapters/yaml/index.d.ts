/** The `yaml` library, loaded when it is first asked for where the runtime can do that. */
export function yaml(): typeof import("yaml");

/** The same, or `undefined` in bundles for Workers. */
export function yamlIfPresent(): typeof import("yaml") | undefined;
