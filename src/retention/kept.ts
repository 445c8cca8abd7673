/** Number of days that means no limit. */
export const KEPT_FOR_EVER = 0;
