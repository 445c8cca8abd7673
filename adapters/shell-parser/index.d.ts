/** `unbash`, loaded when it is first asked for where the runtime can do that. */
export function shellParser(): typeof import("unbash");
