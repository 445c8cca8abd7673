/** Who holds a token. `user`: what the call speaks as (`channel:id`); the owner when left out. */
export interface ServerToken {
  readonly token: string;
  readonly role: "owner" | "user" | "metrics";
  readonly user?: string;
}
