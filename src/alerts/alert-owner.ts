import { parseUser } from "../session/index.ts";

/** The recipient of alerts. */
export interface AlertOwner {
  /** The account that receives alerts, as `channel:id`. */
  user(): string;
  languageOf(user: string): "en" | "zh";
  timezoneOf(user: string): string;
  /** The conversation that an alert belongs to. */
  sessionOf(user: string): string;
}

export interface AlertOwnerDeps {
  /** The owner's accounts. */
  owners(): readonly string[];
  readonly channels: readonly { readonly name: string }[];
  /** The configured language of a person. */
  languageOf(user: string): string | undefined;
  timezoneOf(user: string): string;
  sessionOf(place: { readonly user: string; readonly channel: string }): string;
}

/**
 * @returns The owner as one person: the first account that a channel reaches, else the first account, else the
 * terminal.
 */
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
