import * as library from "unbash";

// For bundles, where nothing can be loaded later; one that does not judge commands drops this file.
export const shellParser = () => library;
