/** Answers in the shapes of ClawHub's documentation (docs/http-api.md of openclaw/clawhub) and of its handlers, with words of our own. */

export interface StubSkill {
  readonly owner: string;
  readonly version?: string;
  readonly archive?: Uint8Array;
  readonly summary?: string;
  /** Of the detail: only told of flagged skills. */
  readonly moderation?: object | null;
  /** The status of the answer to who asks for the scan, which is no success. */
  readonly scanFails?: number;
  /** Of the scan; `null`: this ClawHub has none. */
  readonly security?: object | null;
  readonly snapshot?: object | null;
  /** The status and the text of every answer about it. */
  readonly blocked?: readonly [status: number, text: string];
  /** Its files lie on GitHub. */
  readonly elsewhere?: boolean;
}

export interface StubRequest {
  readonly url: URL;
  readonly headers: Headers;
}

const SECURITY = {
  status: "clean",
  hasWarnings: false,
  checkedAt: 1_730_000_000_000,
  model: null,
  hasScanResult: true,
  sha256hash: "f".repeat(64),
  virustotalUrl: null,
  capabilityTags: [],
  scanners: { vt: null, llm: { status: "complete", verdict: "benign", normalizedStatus: "clean" } },
};

/** ClawHub as a function from requests to responses. `skills` by `owner/slug`. */
export function clawhubStub(skills: Readonly<Record<string, StubSkill>>, { token }: { readonly token?: string } = {}) {
  const requests: StubRequest[] = [];
  const json = (value: unknown, status = 200) =>
    new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
  const text = (value: string, status: number, headers = {}) =>
    new Response(value, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });
  const state = { down: false, limited: false };

  function pick(slug: string | null, url: URL): readonly [slug: string, skill: StubSkill] | Response {
    const owner = url.searchParams.get("ownerHandle");
    const found = Object.entries(skills).filter(([key]) => key.split("/")[1] === slug);
    const own = owner === null ? found : found.filter(([, skill]) => skill.owner === owner);
    const [first, second] = own;
    if (!first) return text("Skill not found", 404);
    if (second) {
      const matches = own.map(([, skill]) => ({ ownerHandle: skill.owner, slug, ref: `@${skill.owner}/${slug}`, url: `https://clawhub.ai/${skill.owner}/skills/${slug}` })); // prettier-ignore
      const message = `Found multiple skills with the slug "${slug}"; specify which one you want to install:`;
      return json({ code: "AMBIGUOUS_SKILL_SLUG", message, slug, matches }, 409);
    }
    const [key, skill] = first;
    if (skill.blocked) return text(skill.blocked[1], skill.blocked[0]);
    return [key.split("/")[1] ?? "", skill];
  }

  async function handle(url: URL, headers: Headers): Promise<Response> {
    requests.push({ url, headers });
    if (state.down) return Promise.reject(new TypeError("fetch failed"));
    if (state.limited) return text("Rate limit exceeded", 429, { "retry-after": "34" });
    const sent = headers.get("authorization");
    if (token !== undefined && sent !== null && sent !== `Bearer ${token}`) return text("Unauthorized", 401);
    const parts = url.pathname.replace(/^\/api\/v1\//, "").split("/");
    if (parts[0] === "search") {
      const query = url.searchParams.get("q") ?? "";
      const results = Object.entries(skills)
        .filter(([key, { summary = "" }]) => `${key} ${summary}`.includes(query))
        .map(([key, { owner, version = "1.2.3", summary = "…" }], index) => ({
          score: 3.5 - index,
          slug: key.split("/")[1],
          displayName: key,
          summary,
          version,
          downloads: 12,
          updatedAt: 1_730_000_000_000,
          ownerHandle: owner,
          owner: { handle: owner, displayName: owner, image: null },
        }));
      return json({ results });
    }
    if (parts[0] === "download") {
      const picked = pick(url.searchParams.get("slug"), url);
      if (picked instanceof Response) return picked;
      const [, { archive = new Uint8Array(), version = "1.2.3", elsewhere }] = picked;
      if (elsewhere) return json({ sourceRef: "github", repo: "ada/skills", commit: "0".repeat(40), path: "skills/x" });
      const wanted = url.searchParams.get("version");
      if (wanted !== null && wanted !== version) return text("Version not found", 404);
      return new Response(archive.slice(), { headers: { "content-type": "application/zip" } });
    }
    const picked = pick(parts[1] ?? null, url);
    if (picked instanceof Response) return picked;
    const [slug, skill] = picked;
    const { owner, version = "1.2.3", moderation = null, security = SECURITY, snapshot = null } = skill;
    const latest = version === "" ? null : { version, createdAt: 1_730_000_000_000, changelog: "…", license: null };
    if (parts[2] === "scan") {
      if (security === null) return text("Not found", 404);
      if (skill.scanFails) return text("Rate limit exceeded", skill.scanFails);
      return json({ skill: { slug, displayName: slug }, version: latest, moderation: snapshot, security });
    }
    return json({
      skill: {
        slug,
        displayName: `The ${slug}`,
        summary: skill.summary ?? "…",
        tags: { latest: version },
        stats: {},
        createdAt: 0,
        updatedAt: 0,
      },
      latestVersion: latest,
      metadata: { os: ["macos"], systems: null },
      owner: { handle: owner, userId: "u1", displayName: owner, image: null },
      moderation,
    });
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    init?.signal?.throwIfAborted();
    return handle(new URL(request.url), request.headers);
  };
  return { fetch, requests, state };
}
