/** Most skills that come into one turn, when nothing else is configured. */
export const DEFAULT_MAX_ACTIVATED = 3;
