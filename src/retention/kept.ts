/** Days that mean no end. */
export const KEPT_FOR_EVER = 0;
