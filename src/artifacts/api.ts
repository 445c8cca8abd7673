import { AssistantError } from "../errors.ts";
import type { Artifact, ArtifactInfo, ArtifactWritten, Artifacts } from "./artifacts.ts";

/**
 * The artifacts of an assistant, for the host program. `session` is a session's key, or
 * the name that `send` was given.
 */
export interface ArtifactsApi {
  /** Returns the session's artifacts that have not expired; empty if there are none. */
  list(input: { readonly session: string }): Promise<readonly ArtifactInfo[]>;
  /** Returns `null` if the session has no such artifact. */
  read(input: { readonly session: string; readonly id: string }): Promise<Artifact | null>;
  /** Stores an artifact. Refused, with the reason, if it is too large or exceeds the session's quota. */
  write(input: {
    readonly session: string;
    readonly name: string;
    readonly content: string | Uint8Array;
    readonly mediaType?: string;
    /** The user, as `channel:id`. Default `sdk`. */
    readonly user?: string;
  }): Promise<ArtifactWritten>;
  /** Returns false if the session has no such artifact. */
  remove(input: { readonly session: string; readonly id: string }): Promise<boolean>;
}

/** @param keyOf Maps the host's name of a session to its key. */
export function createArtifactsApi(artifacts: Artifacts, keyOf: (session: string) => string): ArtifactsApi {
  return {
    list: async ({ session }) => artifacts.list(keyOf(session)),
    read: async ({ session, id }) => artifacts.read(keyOf(session), id),
    async write({ session, user = "sdk", ...artifact }) {
      const { content } = artifact;
      // Any other value would be stored as JSON.
      if (typeof content !== "string" && !((content as unknown) instanceof Uint8Array))
        throw new AssistantError(
          "OPTION_INVALID",
          "Invalid content for artifacts.write(): expected a text or a Uint8Array",
        );
      return artifacts.write(keyOf(session), { ...artifact, user });
    },
    remove: async ({ session, id }) => artifacts.remove(keyOf(session), id),
  };
}
