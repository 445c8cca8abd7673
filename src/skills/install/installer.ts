import type { Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import { withoutAddresses } from "../../guard/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import type { SkillMeta } from "../registry.ts";
import type { SkillFile } from "../source.ts";
import type { InstalledSkill, InstalledSkills, SkillChanges, SkillFolder, VerifiedSkill } from "./installed.ts";
import { DOWNLOAD_TIMEOUT_MS, MAX_ARCHIVE_BYTES } from "./limits.ts";
import type { RecoveredMoves } from "./moves.ts";
import type { SkillOrigin } from "./origin.ts";
import { quoted, refusal } from "./refusal.ts";
import { type FindResult, type NamedRegistry, ask, checkMeta, findSkills } from "./registries.ts";
import { type Finding, scanSkill } from "./scan.ts";
import { isVersion, readSlug } from "./slug.ts";
import { sha256 as hashOf } from "../../hash.ts";

/** Names the skill to install. */
export interface InstallRequest {
  /** `name`, or `owner/name` if the registry has owners. */
  readonly slug: string;
  /** The registry's name. Default: the only registry that has the skill. */
  readonly registry?: string | undefined;
  /** Default: the newest. */
  readonly version?: string | undefined;
  /** Whether to replace an installed skill, including manual edits. Default false. */
  readonly force?: boolean | undefined;
}

/** A skill that was looked up, downloaded and checked. Nothing was written yet. */
export interface InstallPlan {
  /** Name of its folder. */
  readonly name: string;
  /** The registry's name. */
  readonly registry: string;
  /** The skill's name in the registry. */
  readonly slug: string;
  readonly version: string;
  /** Hash of the archive. */
  readonly sha256: string;
  readonly verdict: SkillMeta["verdict"];
  /** The reason for the verdict, in the registry's words. */
  readonly reason?: string;
  readonly files: readonly SkillFile[];
  /** Hidden files of the archive, which are not installed. */
  readonly leftOut: readonly string[];
  /** Places that people should look at. */
  readonly findings: readonly Finding[];
  readonly force: boolean;
}

/** Result of an installation. */
export interface InstallResult {
  readonly name: string;
  readonly registry: string;
  readonly slug: string;
  readonly version: string;
  readonly sha256: string;
  readonly verdict: SkillMeta["verdict"];
  /** Whether it is not offered until the owner enables it, because the registry calls it suspicious. */
  readonly disabled: boolean;
  readonly findings: readonly Finding[];
  readonly leftOut: readonly string[];
  /** The replaced version, and what people had changed in it. */
  readonly replaced?: { readonly version: string } & SkillChanges;
}

/** Result of an update. */
export type UpdateResult =
  | { readonly updated: false; readonly version: string }
  | ({ readonly updated: true } & InstallResult);

export interface SkillInstallerDeps {
  readonly registries: readonly NamedRegistry[];
  readonly installed: InstalledSkills;
  readonly clock: Clock;
  /** Default: no metrics. */
  readonly metrics?: Pick<Metrics, "increment"> | undefined;
  /** Checks a `SKILL.md`. Contract: throws an error with a message for people if something is wrong. */
  validate(text: string): { readonly name: string };
  /** Called for each skill that changed or was removed. */
  changed?(name: string): void;
}

export type SkillInstaller = ReturnType<typeof createSkillInstaller>;

/**
 * Finds, installs, updates, verifies and removes skills. Everything is checked in memory before anything is written.
 *
 * Source: docs/skills-install.md.
 */
export function createSkillInstaller({
  registries,
  installed,
  clock,
  metrics,
  validate,
  changed = () => {},
}: SkillInstallerDeps) {
  function registriesOf(wanted?: string): readonly NamedRegistry[] {
    if (registries.length === 0) throw new AssistantError("NOT_FOUND", "No registry of skills is configured");
    if (wanted === undefined) return registries;
    const asked = registries.filter(({ name }) => name === wanted);
    if (asked.length > 0) return asked;
    const known = registries.map(({ name }) => name).join(", ");
    throw new AssistantError("NOT_FOUND", `There is no registry ${quoted(wanted)}; there are: ${known}`);
  }

  /** Finds the registry that has the skill, and its metadata. */
  async function resolve({ slug: given, registry: wanted, version }: InstallRequest, signal?: AbortSignal) {
    const slug = readSlug(given);
    if (slug === null)
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot install ${quoted(given)}: expected a slug as name or owner/name, of a-z, 0-9 and hyphens`,
      );
    if (version !== undefined && !isVersion(version))
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot install version ${quoted(version)}: expected a version such as 1.2.3`,
      );
    const asked = registriesOf(wanted);
    const failures: string[] = [];
    const answers = await Promise.all(
      asked.map(async ({ name, registry }) => {
        try {
          const meta = await ask({ clock, name, signal }, (limited) => registry.meta(slug.slug, limited));
          return meta === null ? null : { name, registry, meta: checkMeta(meta, name) };
        } catch (error) {
          signal?.throwIfAborted();
          failures.push(`${name}: ${withoutAddresses(messageOf(error))}`);
          return null;
        }
      }),
    );
    const found = answers.filter((one) => one !== null);
    const [first, second] = found;
    if (first === undefined) {
      if (failures.length === asked.length)
        throw new AssistantError("FETCH_FAILED", `Cannot look up ${slug.slug}: ${failures.join("; ")}`);
      const silent = failures.length > 0 ? ` (not asked: ${failures.join("; ")})` : "";
      throw new AssistantError("NOT_FOUND", `No registry has a skill ${slug.slug}${silent}`);
    }
    // A name that is registered in a second registry must not be mistaken for the first. The choice must not depend
    // on which registry answers today either.
    if (second !== undefined)
      throw new AssistantError(
        "CONFLICT",
        `Several registries have a skill ${slug.slug}: name the registry, one of ${found.map(({ name }) => name).join(", ")}`,
      );
    if (failures.length > 0)
      throw new AssistantError(
        "FETCH_FAILED",
        `Not every registry could be reached for ${slug.slug}: name the registry, or try later (${failures.join("; ")})`,
      );
    const now = readSlug(first.meta.slug);
    if (now?.name !== slug.name)
      throw new AssistantError(
        "CONFLICT",
        `The skill ${slug.slug} was renamed to ${quoted(first.meta.slug)}: install that`,
      );
    return { name: slug.name, registryName: first.name, registry: first.registry, meta: first.meta };
  }

  type Resolved = Awaited<ReturnType<typeof resolve>>;

  function refuseMalicious({ registryName, meta }: Resolved, note = ""): never {
    const why = meta.reason === undefined ? "" : `: ${quoted(meta.reason)}`;
    throw new AssistantError(
      "SKILL_REFUSED",
      `The registry ${registryName} calls the skill ${meta.slug} malicious${why}${note}`,
    );
  }

  /** As `checkArchive`; counts refusals. */
  async function check(...given: Parameters<typeof checkArchive>): Promise<InstallPlan> {
    try {
      return await checkArchive(...given);
    } catch (error) {
      if (AssistantError.is(error, "SKILL_REFUSED")) metrics?.increment("skill.install_total", { outcome: "refused" });
      throw error;
    }
  }

  /** Downloads the archive and checks it in full. */
  async function checkArchive(resolved: Resolved, request: InstallRequest, signal?: AbortSignal): Promise<InstallPlan> {
    const { name, registryName, registry, meta } = resolved;
    if (meta.verdict === "malicious") refuseMalicious(resolved);
    const version = request.version ?? meta.version;
    const isNewest = version === meta.version;
    const tooLarge = () => refusal(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
    const archive: unknown = await ask({ clock, name: registryName, ms: DOWNLOAD_TIMEOUT_MS, signal }, (limited) =>
      registry.download(meta.slug, version, limited),
    ).catch((error: unknown) => {
      throw AssistantError.is(error, "BODY_TOO_LARGE") ? tooLarge() : error;
    });
    if (!(archive instanceof Uint8Array)) throw refusal("the registry gave no bytes");
    if (archive.length > MAX_ARCHIVE_BYTES) throw tooLarge();
    const sha256 = await hashOf(archive);
    if (isNewest && meta.sha256 !== undefined && meta.sha256 !== sha256)
      throw refusal("it is not the archive that the registry names: its SHA-256 differs");
    // Loaded on first use.
    const { unpackSkill } = await import("./unpack.ts");
    const { files, text, leftOut } = unpackSkill(archive);
    const found = nameIn(text);
    if (found !== name) throw refusal(`its SKILL.md is named ${quoted(found)}, not ${name}`);
    return {
      name,
      registry: registryName,
      slug: meta.slug,
      version,
      sha256,
      // The verdict is about the newest version. For another version, only a bad verdict counts.
      verdict: isNewest || meta.verdict === "suspicious" ? meta.verdict : "unknown",
      ...(meta.reason !== undefined && { reason: meta.reason }),
      files,
      leftOut,
      findings: scanSkill(files),
      force: request.force === true,
    };
  }

  function nameIn(text: string): string {
    try {
      return validate(text).name;
    } catch (error) {
      throw refusal(`its SKILL.md cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Throws if the folder cannot be installed into. */
  function checkFolder(name: string, { origin, isEmpty }: SkillFolder, force: boolean): void {
    if (origin === null && !isEmpty)
      throw new AssistantError(
        "CONFLICT",
        `A skill ${name} exists that was not installed from a registry: remove its folder first`,
      );
    if (origin !== null && !force)
      throw new AssistantError(
        "CONFLICT",
        `The skill ${name} is already installed, in version ${origin.version} from ${origin.registry}: use force to replace it`,
      );
  }

  /** Looks up, downloads and checks a skill. Writes nothing. */
  async function plan(request: InstallRequest, signal?: AbortSignal): Promise<InstallPlan> {
    const slug = readSlug(request.slug);
    if (slug !== null) checkFolder(slug.name, await installed.folder(slug.name), request.force === true);
    return check(await resolve(request, signal), request, signal);
  }

  async function carryOut(planned: InstallPlan): Promise<InstallResult> {
    const { name, registry, slug, version, sha256, verdict, files, findings, leftOut, force } = planned;
    const disabled = verdict === "suspicious";
    const hashes = await Promise.all(files.map(async ({ path, bytes }) => [path, await hashOf(bytes)] as const));
    const origin: SkillOrigin = {
      registry,
      slug,
      version,
      sha256,
      installed_at: new Date(clock.now()).toISOString(),
      verdict,
      files: Object.fromEntries(hashes),
      ...(disabled && { disabled }),
    };
    let replaced: InstallResult["replaced"];
    await installed.replace(name, files, origin, async (folder) => {
      checkFolder(name, folder, force);
      if (folder.origin === null) return;
      const { changed, missing, added } = await installed.verify(name);
      replaced = { version: folder.origin.version, changed, missing, added };
    });
    changed(name);
    metrics?.increment("skill.install_total", { outcome: "installed" });
    return {
      name,
      registry,
      slug,
      version,
      sha256,
      verdict,
      disabled,
      findings,
      leftOut,
      ...(replaced && { replaced }),
    };
  }

  /** As `resolve`; removes an installed copy of a malicious skill. */
  async function resolveOrRemove(request: InstallRequest, signal?: AbortSignal): Promise<Resolved> {
    const resolved = await resolve(request, signal);
    if (resolved.meta.verdict !== "malicious") return resolved;
    const there = await installed.find(resolved.name);
    if (
      there?.origin.registry !== resolved.registryName ||
      readSlug(there.origin.slug)?.slug !== readSlug(resolved.meta.slug)?.slug
    )
      return refuseMalicious(resolved);
    await installed.remove(resolved.name);
    changed(resolved.name);
    return refuseMalicious(resolved, "; the installed one was removed");
  }

  return {
    /**
     * Asks all registries concurrently, each for at most 10 seconds. @throws {AssistantError} `NOT_FOUND` if none is
     * configured.
     */
    find: async (query: string, signal?: AbortSignal): Promise<FindResult> =>
      findSkills(registriesOf(), query, { clock, signal }),

    plan,

    /**
     * Installs a skill. A plan is installed as it was checked.
     *
     * @throws {AssistantError} `SKILL_REFUSED` for an archive that fails a check, and for a malicious skill, whose
     * installed copy is removed; `CONFLICT` if the skill is installed and `force` is not set; `NOT_FOUND`;
     * `FETCH_FAILED`; `OPTION_INVALID` for an invalid slug.
     */
    async install(what: InstallRequest | InstallPlan, signal?: AbortSignal): Promise<InstallResult> {
      if ("files" in what) return carryOut(what);
      const slug = readSlug(what.slug);
      const resolved = await resolveOrRemove(what, signal);
      if (slug !== null) checkFolder(slug.name, await installed.folder(slug.name), what.force === true);
      return carryOut(await check(resolved, what, signal));
    },

    /**
     * Updates an installed skill from its registry to the newest or the given version.
     *
     * @throws {AssistantError} As `install`; `CONFLICT` if people edited it and `force` is not set.
     */
    async update(
      name: string,
      options: { readonly version?: string; readonly force?: boolean } = {},
      signal?: AbortSignal,
    ): Promise<UpdateResult> {
      const there = await installed.find(name);
      if (!there) throw new AssistantError("NOT_FOUND", `No skill ${quoted(name)} was installed`);
      const { origin } = there;
      const request = { slug: origin.slug, registry: origin.registry, version: options.version, force: true };
      const resolved = await resolveOrRemove(request, signal);
      const state = await installed.verify(name);
      const edited = [...state.changed, ...state.missing, ...state.added];
      if (edited.length > 0 && options.force !== true)
        throw new AssistantError(
          "CONFLICT",
          `The skill ${name} was edited by hand (${edited.slice(0, 5).join(", ")}${edited.length > 5 ? ", …" : ""}): use force to replace the edits`,
        );
      const planned = await check(resolved, request, signal);
      if (planned.sha256 !== origin.sha256 || edited.length > 0) return { updated: true, ...(await carryOut(planned)) };
      if (planned.verdict !== origin.verdict) {
        // A skill that becomes suspicious is disabled. If the verdict stays the same, the owner's choice stays.
        const disabled = planned.verdict === "suspicious" || (origin.disabled ?? false);
        await installed.mark(name, ({ disabled: _disabled, ...rest }) => ({
          ...rest,
          verdict: planned.verdict,
          ...(disabled && { disabled }),
        }));
        changed(name);
      }
      return { updated: false, version: planned.version };
    },

    /** Removes an installed skill with its whole folder. */
    async remove(name: string): Promise<void> {
      await installed.remove(name);
      changed(name);
    },

    /** Enables a skill that was installed disabled. */
    async enable(name: string): Promise<void> {
      await installed.enable(name);
      changed(name);
    },

    /** Compares an installed skill with what was installed. */
    verify: (name: string): Promise<VerifiedSkill> => installed.verify(name),

    /** Lists the installed skills, by name. */
    list: (): Promise<readonly InstalledSkill[]> => installed.list(),

    /** Finishes the moves that an ended process had decided, and removes what it left behind. */
    async recover(): Promise<RecoveredMoves> {
      const recovered = await installed.recover();
      for (const name of [...recovered.finished, ...recovered.lost]) changed(name);
      return recovered;
    },
  };
}
