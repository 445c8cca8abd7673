import type { Reply } from "../reply.ts";
import type { Caller } from "./auth.ts";

/** Why a turn failed may name models, providers and keys, which is for the owner to know and to mend. Others read what the person was told. */
export function failureFor<T extends Pick<Reply, "text" | "error">>({ role }: Pick<Caller, "role">, told: T): T {
  const { text, error } = told;
  if (!error || role === "owner" || text === "") return told;
  return { ...told, error: { ...error, message: text } };
}
