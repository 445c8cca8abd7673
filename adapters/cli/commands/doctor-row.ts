/** One line of the report of `wakeful doctor`. */
export interface Row {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly what: string;
  /** How to fix it. */
  readonly remedy?: string | undefined;
}
