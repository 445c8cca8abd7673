import { parseUser } from "../session/index.ts";

/** Who is told, and how. */
export interface AlertOwner {
  /** The account on which the owner is told, as `channel:id`. */
  user(): string;
  languageOf(user: string): "en" | "zh";
  timezoneOf(user: string): string;
  /** The conversation that an alert belongs to. */
  sessionOf(user: string): string;
}

export interface AlertOwnerDeps {
  /** The accounts of the owner. */
  owners(): readonly string[];
  readonly channels: readonly { readonly name: string }[];
  /** What the configuration says of a person. */
  languageOf(user: string): string | undefined;
  timezoneOf(user: string): string;
  sessionOf(place: { readonly user: string; readonly channel: string }): string;
}

/** @returns The owner: one person, who is told on the first of their accounts that a channel reaches, else on the first, else at the terminal. */
export function createAlertOwner({ owners, channels, languageOf, timezoneOf, sessionOf }: AlertOwnerDeps): AlertOwner {
  return {
    user() {
      const all = owners();
      const reached = all.find((user) => channels.some(({ name }) => name === parseUser(user).channel));
      return reached ?? all[0] ?? "cli";
    },
    languageOf: (user) => (languageOf(user)?.startsWith("zh") ? "zh" : "en"),
    timezoneOf,
    sessionOf: (user) => sessionOf({ user, channel: parseUser(user).channel }),
  };
}
