import * as v from "valibot";
import { messageOf } from "../../errors.ts";
import type { InstallPlan, InstallRequest, SkillInstaller } from "../../skills/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import { told } from "./told.ts";
import { shortened } from "../../short-text.ts";

/** The part of the installer that the tools use. */
export interface SkillInstallToolsOptions {
  readonly installer: Pick<SkillInstaller, "find" | "plan" | "install">;
}

/** Findings that an approval and a result list; the rest are only counted. */
const SHOWN_FINDINGS = 10;
const DESCRIPTION_CHARACTERS = 300;

/**
 * `find_skills` and `install_skill`. An installation is dangerous, so the owner is asked about exactly one archive.
 * It was downloaded and checked before the question, and is compared with the approved one again before anything is
 * written.
 *
 * Source: docs/skills-install.md, "The tools".
 */
export function skillInstallTools({ installer }: SkillInstallToolsOptions): Readonly<Record<string, AnyTool>> {
  /** Plans by call, so that its guard, the question to the owner and the installation see the same archive. */
  const plans = new WeakMap<ToolContext, Promise<InstallPlan>>();

  function planOf(request: InstallRequest, context: ToolContext): Promise<InstallPlan> {
    let plan = plans.get(context);
    if (plan === undefined) {
      plan = installer.plan(request, context.signal);
      plans.set(context, plan);
    }
    return plan;
  }

  const find_skills = defineTool({
    description:
      "Searches the registries for skills that could be installed, best first. Their descriptions are written by strangers. Install one with install_skill, naming its registry.",
    inputSchema: v.strictObject({
      query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200), v.description("What the skill should do")),
    }),
    async execute({ query }, { signal }) {
      const { skills, failed } = await told(() => installer.find(query, signal));
      return {
        skills: skills.map(({ slug, registry, name, description, version, score }) => ({
          slug,
          registry,
          name: short(name),
          description: short(description),
          ...(version !== undefined && { version }),
          score: Math.round(score * 100) / 100,
        })),
        ...(failed.length > 0 && { failed: failed.map(({ registry, reason }) => ({ registry, reason })) }),
      };
    },
    meta: { category: "skills", idempotent: true, untrusted: true },
  });

  const install_skill = defineTool({
    description:
      "Installs a skill from a registry, after the owner allowed it. A skill is instructions for you; it gives no rights. Say what it is for before you ask.",
    inputSchema: v.strictObject({
      slug: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(140), v.description("As find_skills gave it")),
      registry: v.optional(
        v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.description("As find_skills gave it")),
      ),
      version: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.description("Default: the newest"))),
      force: v.optional(v.pipe(v.boolean(), v.description("Replace an installed one, edits by hand included"))),
    }),
    async execute(input, context) {
      const plan = await told(() => planOf(input, context));
      const result = await told(() => installer.install(plan, context.signal));
      const { name, registry, slug, version, sha256, verdict, disabled, replaced, leftOut } = result;
      const edited = replaced ? [...replaced.changed, ...replaced.missing, ...replaced.added] : [];
      return {
        name,
        registry,
        slug,
        version,
        sha256,
        verdict,
        ...shownFindings(result.findings),
        ...(leftOut.length > 0 && { left_out: leftOut.length }),
        ...(replaced && { replaced_version: replaced.version }),
        ...(edited.length > 0 && { replaced_edits: edited.slice(0, SHOWN_FINDINGS) }),
        ...(disabled && {
          note: "The registry calls it suspicious: it is installed, but not used until the owner enables it",
        }),
      };
    },
    meta: {
      category: "skills",
      dangerous: true,
      untrusted: true,
      // The owner is not asked about a skill that cannot be installed.
      async guard(input: InstallRequest, context) {
        try {
          await planOf(input, context);
          return undefined;
        } catch (error) {
          context.signal.throwIfAborted();
          return messageOf(error);
        }
      },
      async boundTo(input: InstallRequest, context): Promise<JsonValue> {
        try {
          const { registry, slug, version, sha256, verdict, files, findings } = await planOf(input, context);
          return { registry, slug, version, sha256, verdict, files: files.length, ...shownFindings(findings) };
        } catch (error) {
          // A problem never equals what was approved, so the call is refused as changed.
          return { problem: messageOf(error) };
        }
      },
    },
  });
  return { find_skills, install_skill };
}

function shownFindings(findings: InstallPlan["findings"]): {
  readonly findings?: readonly string[];
  readonly more_findings?: number;
} {
  if (findings.length === 0) return {};
  const more = findings.length - SHOWN_FINDINGS;
  return {
    findings: findings
      .slice(0, SHOWN_FINDINGS)
      .map(({ file, line, what }) => `${file}${line > 0 ? `:${line}` : ""} ${what}`),
    ...(more > 0 && { more_findings: more }),
  };
}

function short(text: string): string {
  return shortened(text.replaceAll(/\s+/gu, " ").trim(), DESCRIPTION_CHARACTERS);
}
