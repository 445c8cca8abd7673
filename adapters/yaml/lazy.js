import { createRequire } from "node:module";

// Loading `yaml` takes about 20 ms, which programs that configure Wakeful in code should not pay at every start.
// `parseConfig` is synchronous, so that `import()` is no way out.
export const yaml = () => createRequire(import.meta.url)("yaml");

export const yamlIfPresent = yaml;
