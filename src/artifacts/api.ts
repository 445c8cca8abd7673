import { AssistantError } from "../errors.ts";
import type { Artifact, ArtifactInfo, ArtifactWritten, Artifacts } from "./artifacts.ts";

/** The artifacts of an assistant, for the host program. `session` is a session's key or the name that `send` was given. */
export interface ArtifactsApi {
  /** Artifacts of the session that have not expired; empty for a session without any. */
  list(input: { readonly session: string }): Promise<readonly ArtifactInfo[]>;
  /** `null` when the session has no such artifact. */
  read(input: { readonly session: string; readonly id: string }): Promise<Artifact | null>;
  /** Refused, with the reason, when it is too large or the session keeps too much. */
  write(input: {
    readonly session: string;
    readonly name: string;
    readonly content: string | Uint8Array;
    readonly mediaType?: string;
    /** `channel:id`. Default `sdk`. */
    readonly user?: string;
  }): Promise<ArtifactWritten>;
  /** False when the session has no such artifact. */
  remove(input: { readonly session: string; readonly id: string }): Promise<boolean>;
}

/** @param keyOf The key of the session that the host names. */
export function createArtifactsApi(artifacts: Artifacts, keyOf: (session: string) => string): ArtifactsApi {
  return {
    list: async ({ session }) => artifacts.list(keyOf(session)),
    read: async ({ session, id }) => artifacts.read(keyOf(session), id),
    async write({ session, user = "sdk", ...artifact }) {
      const { content } = artifact;
      // Anything else would be kept as JSON.
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
