// For bundles for Workers: what every assistant loads reads no YAML there. `#yaml` brings the library to those who ask for it.
export const yamlIfPresent = () => undefined;
