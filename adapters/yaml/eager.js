import * as library from "yaml";

// For bundles (Workers, browsers), where nothing can be loaded later; one that does not read YAML drops this file.
export const yaml = () => library;

export const yamlIfPresent = yaml;
