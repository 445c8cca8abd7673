// For bundles (Workers, browsers): what is too heavy to bundle unasked is given as an option from its own sub-path.
const none = () => Promise.resolve(null);

export const loadJustBash = none;
export const findJustBash = none;
export const loadRe2 = none;
export const loadMcpClient = none;
export const loadMcpStdio = none;
export const loadMcpServer = none;
export const loadPageLibraries = none;
export const loadNetwork = none;
export const loadUnstorage = none;
export const unref = () => {};
export const keepAlive = () => () => {};
export { isTracingModelCalls } from "./tracing.js";
