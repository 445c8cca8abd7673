import * as v from "valibot";
import type { Artifact, ArtifactInfo, Artifacts } from "../artifacts/index.ts";
import { ProblemError } from "./problem.ts";
import { json, type GuardedRoute } from "./route.ts";
import { SESSION_KEY, sessionKeyFor, type SessionKeyOf } from "./session-key.ts";

const Millis = v.pipe(v.number(), v.description("Milliseconds since the epoch"));

const ArtifactListJson = v.strictObject({
  artifacts: v.array(
    v.strictObject({
      id: v.string(),
      name: v.string(),
      media_type: v.string(),
      bytes: v.number(),
      origin: v.picklist(["written", "result", "attachment"]),
      user: v.string(),
      created_at_ms: Millis,
      expires_at_ms: Millis,
    }),
  ),
});

/** Media types that a browser would execute or follow when it shows them. */
const ACTIVE = /html|svg|xml|script|xsl|multipart|pdf/;

/** Artifacts of a session. */
export interface ArtifactRoutesDeps {
  /** Looks artifacts up by the session's full key. */
  readonly artifacts: Pick<Artifacts, "list" | "read">;
  readonly sessionKeyOf: SessionKeyOf;
}

export function artifactRoutes({ artifacts, sessionKeyOf }: ArtifactRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/sessions/:key/artifacts",
      summary: "Lists the artifacts of a session: attachments, long results and files that the assistant wrote",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      answers: { 200: { description: "The artifacts, oldest first", schema: ArtifactListJson } },
      async handle({ params, caller }) {
        const found = await artifacts.list(sessionKeyFor(sessionKeyOf, params["key"] ?? "", caller));
        return json({ artifacts: found.map(artifactJson) });
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/artifacts/:id",
      summary: "Downloads one artifact of a session",
      access: ["owner", "user"],
      params: { key: SESSION_KEY, id: "The artifact's id" },
      answers: { 200: { description: "The content, as a download", mediaType: "*/*" } },
      async handle({ params, caller }) {
        const { key = "", id = "" } = params;
        const artifact = await artifacts.read(sessionKeyFor(sessionKeyOf, key, caller), id);
        // The same error for an unknown artifact, a removed one and one of another session.
        if (!artifact) throw new ProblemError("NOT_FOUND", `This session has no artifact ${JSON.stringify(id)}`);
        return download(artifact);
      },
    },
  ];
}

/** Sends the artifact as a download, so that a browser never shows it as a page of this server. */
function download({ content, mediaType, name }: Artifact): Response {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const isText = typeof content === "string" && /^text\/[a-z-]+$/.test(mediaType);
  const type = ACTIVE.test(mediaType) ? "application/octet-stream" : mediaType;
  return new Response(bytes, {
    headers: {
      "content-type": isText && type === mediaType ? `${type}; charset=utf-8` : type,
      "content-length": String(bytes.byteLength),
      "content-disposition": `attachment; filename="${plainName(name)}"; filename*=UTF-8''${encodedName(name)}`,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Fallback for clients without RFC 8187: printable ASCII without quotes and path characters. */
function plainName(name: string): string {
  return name.replace(/[^ -~]|["\\/:*?<>|%;]/gu, "_");
}

/** Encodes a file name for `filename*`. Source: RFC 8187. */
function encodedName(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, "_").replace(/[/\\]/g, "_")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function artifactJson(artifact: ArtifactInfo): v.InferOutput<typeof ArtifactListJson>["artifacts"][number] {
  const { id, name, mediaType, bytes, origin, user, createdAt, expiresAt } = artifact;
  return { id, name, media_type: mediaType, bytes, origin, user, created_at_ms: createdAt, expires_at_ms: expiresAt };
}
